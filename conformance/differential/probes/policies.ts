/** ValidatingAdmissionPolicy: what it sees, what it refuses, and in which words. */
import type { JsonObject } from "@drover/machinery";
import { enact, constraints, isRefused, isWarned, policyPaths, rule, saying } from "../policy-objects.ts";
import { configMap, deployment } from "../probe-objects.ts";
import { probe } from "../probe.ts";
import type { Chapter } from "../probe.ts";
import type { ProbeSession } from "../session.ts";

const warns: JsonObject = { validationActions: ["Warn"] };
const dry = (s: ProbeSession): string => `${s.in("configmaps")}?dryRun=All`;
const refused = (s: ProbeSession, body: JsonObject): Promise<unknown> => s.until({ method: "POST", path: dry(s), body }, isRefused);
const warned = (s: ProbeSession, body: JsonObject): Promise<unknown> => s.until({ method: "POST", path: dry(s), body }, isWarned);

export const policies: Chapter = {
  name: "policies",
  probes: [
    probe("P500 a policy refuses with its expression, its message, or a composed one", async (s) => {
      await enact(s, {
        policy: {
          validations: [
            { expression: "object.metadata.name != 'plain'" },
            { expression: " object.metadata.name != 'message' ", message: " not this name " },
            { expression: "object.metadata.name != 'composed'", messageExpression: "'no ' + object.metadata.name", message: "unused" },
          ],
        },
      });
      await refused(s, configMap("plain"));
      await s.post(dry(s), configMap("message"));
      await s.post(dry(s), configMap("composed"));
      await s.post(dry(s), configMap("other"));
    }),
    probe("P500b the reason of a validation decides the code", async (s) => {
      await enact(s, {
        policy: {
          validations: ["Forbidden", "Invalid", "RequestEntityTooLarge"].map((reason) => ({
            expression: `object.metadata.name != '${reason.toLowerCase()}'`,
            reason,
          })),
        },
      });
      await refused(s, configMap("forbidden"));
      await s.post(dry(s), configMap("invalid"));
      await s.post(dry(s), configMap("requestentitytoolarge"));
    }),
    probe("P500c of several failures the first is reported", async (s) => {
      await enact(s, {
        policy: { validations: [{ expression: "true" }, { expression: "1 == 2" }, { expression: "false", reason: "Forbidden" }] },
      });
      await refused(s, configMap("a"));
      await s.post(s.in("configmaps"), configMap("a"));
    }),
    probe("P501 an error refuses under Fail and allows under Ignore", async (s) => {
      await enact(s, { policy: { validations: [{ expression: "object.data.missing == 'x'" }] } });
      await enact(s, { name: "b", policy: { failurePolicy: "Ignore", validations: [{ expression: "object.data.other.x == 'x'" }] } });
      await refused(s, configMap("a"));
      await s.post(dry(s), configMap("a", { data: { a: "b" } }));
      await s.post(dry(s), configMap("a", { data: { missing: "x" } }));
    }),
    probe("P501b expressions that cost too much", async (s) => {
      const numbers = `[${Array.from({ length: 100 }, (_none, index) => index).join(",")}]`;
      await enact(s, {
        policy: { validations: [{ expression: `${numbers}.all(a, ${numbers}.all(b, ${numbers}.all(c, a + b + c < 1000)))` }] },
      });
      await refused(s, configMap("a"));
    }),
    probe("P501c a policy whose expressions together cost too much", async (s) => {
      const numbers = `[${Array.from({ length: 70 }, (_none, index) => index).join(",")}]`;
      const expression = `${numbers}.all(a, ${numbers}.all(b, ${numbers}.all(c, a + b + c < 1000 || c < 0)))`;
      const half = `${numbers}.all(a, ${numbers}.all(b, a + b < 1000))`;
      await enact(s, {
        policy: { validations: [...Array.from({ length: 12 }, () => ({ expression })), { expression: half }] },
      });
      await refused(s, configMap("a"));
    }),
    probe("P502 actions: warn, audit, deny", async (s) => {
      const policy = {
        validations: [{ expression: "object.metadata.name != 'a'" }, { expression: "false", messageExpression: "'always'" }],
      };
      await enact(s, { policy, binding: warns });
      await enact(s, { name: "b", policy, binding: { validationActions: ["Audit"] } });
      await warned(s, configMap("a"));
      await s.post(dry(s), configMap("b"));
      await s.quietly("PATCH", `${policyPaths.validatingBinding}/${s.namespace}-a`, { spec: { validationActions: ["Deny", "Audit"] } });
      await refused(s, configMap("a"));
    }),
    probe("P503 match conditions decide whether a policy applies", async (s) => {
      await enact(s, {
        policy: {
          matchConditions: [
            { name: "not-skipped", expression: "object.metadata.name != 'skipped'" },
            { name: "has-data", expression: "object.data.size() >= 0" },
          ],
          validations: [{ expression: "false", message: "the conditions hold" }],
        },
      });
      await refused(s, configMap("a", { data: {} }));
      await s.post(dry(s), configMap("a", { data: { a: "b" } }));
      await s.post(dry(s), configMap("skipped"));
      await s.post(dry(s), configMap("skipped", { data: { a: "b" } }));
    }),
    probe("P503b errors of match conditions", async (s) => {
      const matchConditions = [
        { name: "one", expression: "object.one.two == 'x'" },
        { name: "two", expression: "object.two == 'x'" },
        { name: "three", expression: "object.metadata.name != 'c'" },
      ];
      await enact(s, { policy: { matchConditions, validations: [{ expression: "false" }] } });
      await enact(s, { name: "b", policy: { failurePolicy: "Ignore", matchConditions, validations: [{ expression: "false" }] } });
      await refused(s, configMap("a"));
      await s.post(dry(s), configMap("c"));
    }),
    probe("P503c a condition that costs too much", async (s) => {
      const numbers = `[${Array.from({ length: 100 }, (_none, index) => index).join(",")}]`;
      const expression = `${numbers}.all(a, ${numbers}.all(b, [1, 2, 3, 4, 5, 6, 7, 8].all(c, a + b + c < 1000)))`;
      await enact(s, {
        policy: {
          matchConditions: ["one", "two", "three", "four"].map((name) => ({ name, expression })),
          validations: [{ expression: "false" }],
        },
      });
      await refused(s, configMap("a"));
    }),
    probe("P504 variables are composed and evaluated when used", async (s) => {
      await enact(s, {
        policy: {
          variables: [
            { name: "name", expression: "object.metadata.name" },
            { name: "isA", expression: "variables.name == 'a'" },
            { name: "broken", expression: "object.nothing.here" },
            { name: "names", expression: "['y', 'x'].map(n, n + variables.name)" },
            { name: "labels", expression: "object.metadata.?labels.orValue({})" },
          ],
          validations: [
            { expression: "!variables.isA", messageExpression: "'variables: ' + variables.name + ' ' + variables.names.join('-')" },
            { expression: "variables.name != 'b' || variables.broken == 'x'" },
            {
              expression: "variables.name != 'c' || size(variables.labels) > 0",
              messageExpression: "'broken: ' + string(variables.broken)",
            },
          ],
        },
      });
      await refused(s, configMap("a"));
      await s.post(dry(s), configMap("b"));
      await s.post(dry(s), configMap("c"));
      await s.post(dry(s), configMap("d"));
    }),
    probe("P505 what a policy sees of a request", async (s) => {
      await enact(s, {
        policy: {
          matchConstraints: constraints(s, { resourceRules: [rule(["configmaps"], { operations: ["*"] })] }),
          validations: saying(
            "request.operation + ' ' + request.kind.group + '/' + request.kind.version + '/' + request.kind.kind",
            "request.resource.group + '/' + request.resource.version + '/' + request.resource.resource",
            "request.requestKind.kind + ' ' + request.requestResource.resource + ' ' + string(has(request.subResource))",
            "string(has(request.name)) + ' ' + request.?name.orValue('none') + ' ' + request.namespace",
            "string(request.dryRun) + ' ' + string(has(request.options)) + ' ' + request.options.kind + ' ' + request.options.apiVersion",
            "request.options.map(k, k).exists(k, k == 'dryRun') ? request.options.dryRun.join(',') : 'no dryRun'",
            "request.options.?fieldManager.orValue('no manager') + ' ' + request.options.?propagationPolicy.orValue('no propagation')",
            "string(has(request.userInfo.extra)) + ' ' + string(size(request.userInfo.groups) > 0)",
            "string(object == null) + ' ' + string(oldObject == null)",
          ),
        },
        binding: warns,
      });
      await warned(s, configMap("a"));
      await s.post(`${s.in("configmaps")}?fieldManager=me`, configMap("a"), { view: () => null });
      await s.put(`${s.in("configmaps", "a")}?dryRun=All`, configMap("a"), { view: () => null });
      await s.patch("merge", `${s.in("configmaps", "a")}?fieldManager=me`, { data: { a: "b" } }, { view: () => null });
      await s.apply(s.in("configmaps", "a"), "other", configMap("a", { data: { c: "d" } }), "&force=true");
      await s.delete(`${s.in("configmaps", "a")}?propagationPolicy=Background&dryRun=All`, undefined, { view: () => null });
      await s.delete(s.in("configmaps", "a"), { kind: "DeleteOptions", apiVersion: "v1", gracePeriodSeconds: 3 }, { view: () => null });
    }),
    probe("P506 what a policy sees of an object", async (s) => {
      await enact(s, {
        policy: {
          matchConstraints: constraints(s, { resourceRules: [rule(["pods"])] }),
          validations: saying(
            "object.kind + ' ' + object.apiVersion + ' ' + string(size(object))",
            "string(has(object.metadata.uid)) + string(has(object.metadata.creationTimestamp)) + string(has(object.metadata.managedFields)) + string(has(object.metadata.resourceVersion))",
            "string(has(object.metadata.generation)) + string(has(object.status)) + ' ' + object.status.?phase.orValue('no phase')",
            "object.spec.containers[0].imagePullPolicy + ' ' + object.spec.restartPolicy + ' ' + string(object.spec.terminationGracePeriodSeconds)",
            "string(has(object.spec.containers[0].resources)) + string(has(object.spec.securityContext)) + string(has(object.spec.hostNetwork))",
            "type(object.spec.containers[0].ports[0].containerPort) == int ? 'int' : 'other'",
            "object.spec.containers[0].resources.requests.memory + ' ' + string(quantity(object.spec.containers[0].resources.requests.memory).asInteger())",
            "type(object.metadata.creationTimestamp) == string ? 'text' : 'other'",
          ),
        },
        binding: warns,
      });
      const pod: JsonObject = {
        metadata: { name: "a" },
        spec: { containers: [{ name: "c", image: "i", ports: [{ containerPort: 80 }], resources: { requests: { memory: "1Gi" } } }] },
      };
      await s.until({ method: "POST", path: `${s.in("pods")}?dryRun=All`, body: pod, view: () => null }, isWarned);
    }),
    probe("P507 the namespace of a request", async (s) => {
      await s.quietly("PATCH", `/api/v1/namespaces/${s.namespace}`, { metadata: { labels: { team: "x" }, annotations: { a: "b" } } });
      await enact(s, {
        policy: {
          validations: saying(
            "namespaceObject.metadata.name + ' ' + namespaceObject.metadata.labels.team + ' ' + namespaceObject.metadata.annotations.a",
            "namespaceObject.spec.finalizers.join(',') + ' ' + namespaceObject.status.phase",
            "string(has(namespaceObject.metadata.UID)) + ' ' + string(has(namespaceObject.metadata.creationTimestamp))",
            "string(namespaceObject.metadata.creationTimestamp < timestamp('2050-01-01T00:00:00Z'))",
            "string(has(namespaceObject.metadata.deletionTimestamp)) + string(has(namespaceObject.status.conditions))",
          ),
        },
        binding: warns,
      });
      await warned(s, configMap("a"));
    }),
    probe("P508 a policy asks what the user may do", async (s) => {
      await enact(s, {
        policy: {
          validations: [
            { expression: "authorizer.group('').resource('pods').namespace('x').check('create').allowed()", message: "not allowed" },
            { expression: "!authorizer.requestResource.check('delete').allowed()", message: "allowed" },
            { expression: "authorizer.path('/healthz').check('get').reason() == 'x'", message: "another reason" },
            {
              expression: "authorizer.group('apps').resource('deployments').subresource('scale').name('x').check('get').errored()",
              message: "no error",
            },
            { expression: "authorizer.group('').resource('').check('get').allowed()" },
            { expression: "authorizer.path('').check('get').allowed()" },
            { expression: "authorizer.serviceAccount('de_fault', 'x').path('/x').check('get').allowed()" },
            { expression: "authorizer.serviceAccount('default', 'X').path('/x').check('get').allowed()" },
            {
              expression:
                "authorizer.path('/a').check('get').allowed() && authorizer.path('/b').check('get').allowed() && authorizer.path('/c').check('get').allowed()",
            },
            {
              expression: "authorizer.group('').resource('pods').labelSelector('a=b').fieldSelector('a=b').check('list').error() == 'x'",
              message: "empty error",
            },
          ],
        },
        binding: warns,
      });
      await warned(s, configMap("a"));
    }),
    probe("P509 parameters by name", async (s) => {
      await s.quietly("POST", s.in("secrets"), { metadata: { name: "limits", labels: { use: "limits" } }, stringData: { max: "1" } });
      await enact(s, {
        policy: {
          paramKind: { apiVersion: "v1", kind: "Secret" },
          validations: [
            {
              expression: "object.metadata.name == 'fine'",
              messageExpression: "params.kind + ' ' + params.apiVersion + ' ' + params.data.max",
            },
          ],
        },
        binding: { validationActions: ["Deny"], paramRef: { name: "limits", parameterNotFoundAction: "Deny" } },
      });
      await refused(s, configMap("a"));
      await s.post(dry(s), configMap("fine"));
      await s.quietly("DELETE", s.in("secrets", "limits"));
      await s.until({ method: "POST", path: dry(s), body: configMap("fine") }, isRefused);
    }),
    probe("P509b parameters that are not found may be allowed", async (s) => {
      const policy = {
        paramKind: { apiVersion: "v1", kind: "Secret" },
        validations: [{ expression: "params != null", message: "no params" }],
      };
      await enact(s, { policy, binding: { validationActions: ["Deny"], paramRef: { name: "none", parameterNotFoundAction: "Allow" } } });
      await enact(s, { name: "b", policy, binding: { validationActions: ["Warn"] } });
      await warned(s, configMap("a"));
    }),
    probe("P509c parameters by selector: every one is evaluated", async (s) => {
      for (const name of ["one", "two", "three"])
        await s.quietly("POST", s.in("secrets"), { metadata: { name, labels: { use: name === "three" ? "other" : "limits" } } });
      await enact(s, {
        policy: {
          paramKind: { apiVersion: "v1", kind: "Secret" },
          validations: [
            { expression: "params.metadata.name != object.metadata.name", messageExpression: "'refused by ' + params.metadata.name" },
          ],
        },
        binding: {
          validationActions: ["Deny"],
          paramRef: { selector: { matchLabels: { use: "limits" } }, parameterNotFoundAction: "Deny" },
        },
      });
      await refused(s, configMap("one"));
      await s.post(dry(s), configMap("two"));
      await s.post(dry(s), configMap("three"));
    }),
    probe("P509d parameters that cannot be", async (s) => {
      const validations = [{ expression: "true" }];
      const paramRef = { name: "a", parameterNotFoundAction: "Deny" };
      await enact(s, {
        policy: { paramKind: { apiVersion: "example.com/v1", kind: "Missing" }, validations },
        binding: { validationActions: ["Deny"], paramRef },
      });
      await refused(s, configMap("a"));
      await s.quietly("DELETE", `${policyPaths.validatingBinding}/${s.namespace}-a`);
      await enact(s, {
        name: "b",
        policy: { paramKind: { apiVersion: "v1", kind: "Node" }, validations },
        binding: { validationActions: ["Deny"], paramRef: { ...paramRef, namespace: "default" } },
      });
      await s.until(
        { method: "POST", path: dry(s), body: configMap("a") },
        ({ status, body }) => status === 422 && JSON.stringify(body).includes("-b'"),
      );
    }),
    probe("P510 bindings narrow what a policy matches", async (s) => {
      await enact(s, {
        policy: { validations: [{ expression: "false" }] },
        binding: {
          validationActions: ["Deny"],
          matchResources: {
            objectSelector: { matchLabels: { watched: "yes" } },
            excludeResourceRules: [rule(["configmaps"], { resourceNames: ["spared"] })],
          },
        },
      });
      const watched = { metadata: { labels: { watched: "yes" } } };
      await refused(s, configMap("a", watched));
      await s.post(dry(s), configMap("a"));
      await s.post(dry(s), configMap("spared", watched));
      await s.quietly("POST", s.in("configmaps"), configMap("a"));
      await s.put(`${s.in("configmaps", "a")}?dryRun=All`, configMap("a", watched));
    }),
    probe("P511 equivalent versions", async (s) => {
      const scaler = (version: string): JsonObject => ({
        apiVersion: `autoscaling/${version}`,
        kind: "HorizontalPodAutoscaler",
        metadata: { name: "a" },
        spec: { scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "x" }, maxReplicas: 3 },
      });
      const resourceRules = [
        { operations: ["CREATE"], apiGroups: ["autoscaling"], apiVersions: ["v1"], resources: ["horizontalpodautoscalers"] },
      ];
      const validations = saying(
        "request.kind.version + ' ' + request.requestKind.version + ' ' + request.resource.version + ' ' + request.requestResource.version",
        "object.apiVersion + ' ' + string(has(object.spec.targetCPUUtilizationPercentage)) + string(has(object.spec.metrics))",
      );
      await enact(s, { policy: { matchConstraints: constraints(s, { resourceRules }), validations }, binding: warns });
      for (const version of ["v1", "v2"])
        await s.until(
          {
            method: "POST",
            path: `${s.in(`autoscaling/${version}/horizontalpodautoscalers`)}?dryRun=All`,
            body: scaler(version),
            view: () => null,
          },
          isWarned,
        );
      await s.quietly("PATCH", `${policyPaths.validating}/${s.namespace}-a`, { spec: { matchConstraints: { matchPolicy: "Exact" } } });
      await s.until(
        { method: "POST", path: `${s.in("autoscaling/v2/horizontalpodautoscalers")}?dryRun=All`, body: scaler("v2"), view: () => null },
        (answer) => !isWarned(answer),
      );
    }),
    probe("P512 audit annotations that fail", async (s) => {
      await enact(s, {
        policy: {
          auditAnnotations: [
            { key: "name", valueExpression: "string(object.metadata.name)" },
            { key: "null", valueExpression: "null" },
            { key: "broken", valueExpression: "object.metadata.name == 'a' ? string(object.nope) : 'fine'" },
            { key: "access", valueExpression: "object.metadata.name == 'b' && authorizer.path('/').check('get').allowed() ? 'x' : ''" },
          ],
        },
      });
      await refused(s, configMap("a"));
      await s.post(dry(s), configMap("b"));
      await s.post(dry(s), configMap("c"));
    }),
    probe("P513 messages that cannot be shown", async (s) => {
      await enact(s, {
        policy: {
          validations: [
            { expression: "object.metadata.name != 'empty'", messageExpression: "'   '", message: "the plain message" },
            { expression: "object.metadata.name != 'lines'", messageExpression: "'a\\nb'" },
            {
              expression: "object.metadata.name != 'long'",
              messageExpression: "[1, 2, 3, 4, 5, 6].map(x, object.data.text).join('')",
              message: "too long",
            },
            { expression: "object.metadata.name != 'broken'", messageExpression: "'x' + object.nope", message: "not composed" },
          ],
        },
      });
      const data = { text: "0123456789".repeat(100) };
      await refused(s, configMap("empty", { data }));
      for (const name of ["lines", "long", "broken"]) await s.post(dry(s), configMap(name, { data }));
    }),
    probe("P514 subresources, and kinds of other groups", async (s) => {
      const resourceRules = [
        {
          operations: ["*"],
          apiGroups: ["apps"],
          apiVersions: ["*"],
          resources: ["deployments/status", "deployments"],
        },
      ];
      await s.quietly("POST", s.in("apps/v1/deployments"), deployment("a"));
      await enact(s, {
        policy: {
          matchConstraints: constraints(s, { resourceRules }),
          validations: saying(
            "request.operation + ' ' + request.?subResource.orValue('none') + ' ' + request.?requestSubResource.orValue('none')",
            "request.kind.group + '/' + request.kind.version + ' ' + request.kind.kind + ' ' + request.resource.resource",
            "object.kind + ' ' + object.apiVersion + ' ' + oldObject.kind + ' ' + oldObject.apiVersion",
            "string(object.spec.replicas) + ' ' + string(oldObject.spec.replicas)",
          ),
        },
        binding: warns,
      });
      await s.until(
        {
          method: "PATCH",
          path: `${s.in("apps/v1/deployments", "a")}?dryRun=All`,
          body: { spec: { replicas: 2 } },
          headers: { "content-type": "application/merge-patch+json" },
          view: () => null,
        },
        isWarned,
      );
      await s.patch("merge", `${s.in("apps/v1/deployments", "a", "status")}?dryRun=All`, { status: { replicas: 2 } }, { view: () => null });
      await s.delete(`${s.in("apps/v1/deployments", "a")}?dryRun=All`, undefined, { view: () => null });
    }),
    probe("P515 a Namespace is in itself", async (s) => {
      const name = `${s.namespace}-other`;
      await enact(s, {
        policy: {
          matchConstraints: { resourceRules: [rule(["namespaces"], { operations: ["*"], resourceNames: [name] })] },
          validations: saying(
            "request.operation + ' ' + request.name + ' ' + request.?namespace.orValue('none') + ' ' + string(namespaceObject == null)",
          ),
        },
        binding: warns,
      });
      await s.until({ method: "POST", path: "/api/v1/namespaces?dryRun=All", body: { metadata: { name } }, view: () => null }, isWarned);
      await s.post("/api/v1/namespaces", { metadata: { name } }, { view: () => null });
      await s.patch("merge", `/api/v1/namespaces/${name}`, { metadata: { labels: { a: "b" } } }, { view: () => null });
      await s.delete(`/api/v1/namespaces/${name}`, undefined, { view: () => null });
    }),
    probe("P516 a policy ends with its binding", async (s) => {
      await enact(s, { policy: { validations: [{ expression: "false" }] } });
      await refused(s, configMap("a"));
      await s.quietly("DELETE", `${policyPaths.validatingBinding}/${s.namespace}-a`);
      await s.until({ method: "POST", path: dry(s), body: configMap("a") }, ({ status }) => status === 201);
    }),
    probe("P517 deletions are refused", async (s) => {
      for (const name of ["a", "b"]) await s.quietly("POST", s.in("configmaps"), configMap(name));
      await enact(s, {
        policy: {
          matchConstraints: constraints(s, { resourceRules: [rule(["configmaps"], { operations: ["DELETE"] })] }),
          validations: [{ expression: "oldObject.metadata.name != 'a'", messageExpression: "'keep ' + oldObject.metadata.name" }],
        },
      });
      await s.until({ method: "DELETE", path: `${s.in("configmaps", "a")}?dryRun=All` }, isRefused);
      await s.delete(s.in("configmaps"), undefined, { view: () => null });
      await s.get(s.in("configmaps"), { view: (body) => JSON.stringify(body).includes('"name":"a"') });
    }),
  ],
};
