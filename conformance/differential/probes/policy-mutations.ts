/** MutatingAdmissionPolicy: what it changes, in which order, and how it fails. */
import type { JsonObject, JsonValue } from "@drover/machinery";
import { isJsonObject } from "@drover/machinery";
import { applying, constraints, enact, enactMutation, isMade, isRefused, patching, policyPaths, rule } from "../policy-objects.ts";
import { configMap, define, deployment, pod, widget, widgetDefinition } from "../probe-objects.ts";
import { probe } from "../probe.ts";
import type { Chapter } from "../probe.ts";
import type { ProbeSession } from "../session.ts";

const dry = (s: ProbeSession): string => `${s.in("configmaps")}?dryRun=All`;
const field =
  (name: string) =>
  (body: JsonValue): JsonValue =>
    isJsonObject(body)
      ? body["message"] === undefined
        ? (body[name] ?? null)
        : { message: body["message"], code: body["code"] ?? null, reason: body["reason"] ?? null, details: body["details"] ?? null }
      : null;
/** Sends an object until a policy has changed it, or refuses it. */
const changed = (s: ProbeSession, path: string, body: JsonObject, part: string, mark: string): Promise<unknown> =>
  s.until({ method: "POST", path, body, view: field(part) }, ({ body: answer }) => JSON.stringify(answer).includes(mark));
const refused = (s: ProbeSession, body: JsonObject): Promise<unknown> => s.until({ method: "POST", path: dry(s), body }, isRefused);

export const policyMutations: Chapter = {
  name: "policy-mutations",
  probes: [
    probe("P530 an apply configuration is merged", async (s) => {
      await enactMutation(s, {
        policy: { mutations: [applying("Object{metadata: Object.metadata{labels: {'made': 'yes'}}, data: {'by': object.metadata.name}}")] },
      });
      await changed(s, dry(s), configMap("a", { data: { own: "x" } }), "data", '"by"');
      await s.post(s.in("configmaps"), configMap("a", { metadata: { labels: { own: "x" } } }));
      await s.patch("merge", s.in("configmaps", "a"), { data: { by: "somebody" } });
      await s.apply(s.in("configmaps", "a"), "m", configMap("a", { data: { more: "y" } }), "&force=true");
    }),
    probe("P530b lists with keys are merged by key", async (s) => {
      await enactMutation(s, {
        policy: {
          matchConstraints: constraints(s, { resourceRules: [rule(["pods"])] }),
          mutations: [
            applying(
              `Object{spec: Object.spec{
                initContainers: [Object.spec.initContainers{name: "sidecar", image: "side:1", restartPolicy: "Always"}],
                containers: object.spec.containers.map(c, Object.spec.containers{name: c.name, env: [Object.spec.containers.env{name: "A", value: c.name}]})
              }}`,
            ),
          ],
        },
      });
      await changed(s, `${s.in("pods")}?dryRun=All`, pod("a"), "spec", "sidecar");
    }),
    probe("P530c mutations in order, each seeing the one before", async (s) => {
      await enactMutation(s, {
        policy: {
          variables: [{ name: "n", expression: "has(object.data) && has(object.data.n) ? int(object.data.n) : 0" }],
          mutations: [
            applying("Object{data: {'n': string(variables.n + 1)}}"),
            patching("[JSONPatch{op: 'add', path: '/data/n', value: string(variables.n + 10)}]"),
            applying("Object{data: {'n': string(variables.n + 100), 'old': string(oldObject == null)}}"),
          ],
        },
      });
      await changed(s, dry(s), configMap("a"), "data", '"n"');
    }),
    probe("P531 a JSON patch is applied", async (s) => {
      await enactMutation(s, {
        policy: {
          mutations: [
            patching(
              `[
                JSONPatch{op: "test", path: "/data/a", value: "1"},
                JSONPatch{op: "replace", path: "/data/a", value: "2"},
                JSONPatch{op: "add", path: "/metadata/labels", value: {"x": "y"}},
                JSONPatch{op: "add", path: "/metadata/labels/" + jsonpatch.escapeKey("example.com/a~b"), value: "z"},
                JSONPatch{op: "copy", from: "/data/a", path: "/data/b"},
                JSONPatch{op: "move", from: "/data/c", path: "/data/d"}
              ]`,
            ),
          ],
        },
      });
      const view = (body: JsonValue): JsonValue => (isJsonObject(body) ? [body["data"] ?? null, field("metadata")(body)] : null);
      await s.until({ method: "POST", path: dry(s), body: configMap("a", { data: { a: "1", c: "3" } }), view: field("data") }, ({ body }) =>
        JSON.stringify(body).includes('"b"'),
      );
      await s.post(dry(s), configMap("a", { data: { a: "no" } }), { view });
      await s.post(dry(s), configMap("a", { data: { a: "1" } }));
    }),
    probe("P531b values of JSON patches", async (s) => {
      await enactMutation(s, {
        policy: {
          matchConstraints: constraints(s, { resourceRules: [rule(["pods"])] }),
          mutations: [
            patching(
              `[
                JSONPatch{op: "add", path: "/spec/containers/-", value: Object.spec.containers{name: "more", image: "more:1", ports: [Object.spec.containers.ports{containerPort: 80}]}},
                JSONPatch{op: "add", path: "/spec/terminationGracePeriodSeconds", value: 5},
                JSONPatch{op: "add", path: "/spec/hostNetwork", value: false}
              ]`,
            ),
          ],
        },
      });
      await changed(s, `${s.in("pods")}?dryRun=All`, pod("a"), "spec", "more:1");
    }),
    probe("P532 apply configurations that cannot be merged", async (s) => {
      const tries: readonly (readonly [name: string, expression: string])[] = [
        ["unknown", "Object{nope: 1}"],
        ["type", "Object{data: {'a': 1}}"],
        ["names", "Object{metadata: Object.meta{labels: {'a': 'b'}}}"],
        ["error", "Object{data: {'a': string(object.nope)}}"],
        ["scalar", "Object{metadata: 'text'}"],
        ["immutable", "Object{immutable: 'text'}"],
      ];
      for (const [name, expression] of tries)
        await enactMutation(s, {
          name,
          policy: {
            matchConstraints: constraints(s, { resourceRules: [rule(["configmaps"], { resourceNames: [name] })] }),
            mutations: [applying(expression)],
          },
        });
      for (const [name] of tries) await refused(s, configMap(name));
    }),
    probe("P532b atomic lists and maps may not be set", async (s) => {
      await enactMutation(s, {
        policy: {
          matchConstraints: constraints(s, { resourceRules: [rule(["pods"])] }),
          mutations: [applying("Object{spec: Object.spec{containers: [Object.spec.containers{name: 'c', args: ['a']}]}}")],
        },
      });
      await s.until({ method: "POST", path: `${s.in("pods")}?dryRun=All`, body: pod("a") }, isRefused);
    }),
    probe("P532c JSON patches that cannot be applied", async (s) => {
      const tries: readonly (readonly [name: string, expression: string])[] = [
        ["missing", "[JSONPatch{op: 'add', path: '/data/a/b', value: 'x'}]"],
        ["remove", "[JSONPatch{op: 'remove', path: '/data/a'}]"],
        ["op", "[JSONPatch{op: 'nope', path: '/data'}]"],
        ["strict", "[JSONPatch{op: 'add', path: '/nope', value: 'x'}]"],
        ["wrong", "[JSONPatch{op: 'add', path: '/data', value: 'x'}]"],
        ["dynamic", "[JSONPatch{op: dyn(1), path: '/data'}]"],
      ];
      for (const [name, expression] of tries)
        await enactMutation(s, {
          name,
          policy: {
            matchConstraints: constraints(s, { resourceRules: [rule(["configmaps"], { resourceNames: [name] })] }),
            mutations: [patching(expression)],
          },
        });
      for (const [name] of tries) await s.until({ method: "POST", path: dry(s), body: configMap(name) }, ({ status }) => status >= 400);
    }),
    probe("P532d failures are ignored, and other mutations stay", async (s) => {
      await enactMutation(s, {
        policy: {
          failurePolicy: "Ignore",
          mutations: [applying("Object{data: {'a': '1'}}"), applying("Object{nope: 1}"), applying("Object{data: {'b': '2'}}")],
        },
      });
      await changed(s, dry(s), configMap("a"), "data", '"b"');
    }),
    probe("P532e several errors are listed", async (s) => {
      await enactMutation(s, { policy: { mutations: [applying("Object{nope: 1}"), applying("Object{data: {'b': object.nope}}")] } });
      await refused(s, configMap("a"));
      await s.post(dry(s), { metadata: { generateName: "made-" } });
    }),
    probe("P533 reinvocation", async (s) => {
      const mutations = [applying("Object{data: {'n': string((has(object.data) && has(object.data.n) ? int(object.data.n) : 0) + 1)}}")];
      await enactMutation(s, { policy: { mutations, reinvocationPolicy: "IfNeeded" } });
      await changed(s, dry(s), configMap("a"), "data", '"n"');
      await s.quietly("PATCH", `${policyPaths.mutating}/${s.namespace}-a`, { spec: { reinvocationPolicy: "Never" } });
      await changed(s, dry(s), configMap("a"), "data", '"n":"1"');
    }),
    probe("P533b a mutation without effect", async (s) => {
      await enactMutation(s, { policy: { reinvocationPolicy: "IfNeeded", mutations: [applying("Object{}")] } });
      await enactMutation(s, { name: "b", policy: { mutations: [applying("Object{data: {'b': 'x'}}")] } });
      await changed(s, dry(s), configMap("a"), "data", '"b"');
    }),
    probe("P534 validating policies see what mutating ones made", async (s) => {
      await enactMutation(s, { policy: { mutations: [applying("Object{data: {'made': 'yes'}}")] } });
      await enact(s, {
        policy: { validations: [{ expression: "!has(object.data.made)", messageExpression: "'made: ' + object.data.made" }] },
      });
      await s.until({ method: "POST", path: dry(s), body: configMap("a", { data: { a: "b" } }) }, isRefused);
    }),
    probe("P535 match conditions and parameters", async (s) => {
      await s.quietly("POST", s.in("secrets"), { metadata: { name: "one", labels: { use: "yes" } }, stringData: { a: "1" } });
      await s.quietly("POST", s.in("secrets"), { metadata: { name: "two", labels: { use: "yes" } }, stringData: { b: "2" } });
      await enactMutation(s, {
        policy: {
          paramKind: { apiVersion: "v1", kind: "Secret" },
          matchConditions: [{ name: "not-spared", expression: "object.metadata.name != 'spared'" }],
          mutations: [applying("Object{data: {params.metadata.name: params.data.map(k, k).join('')}}")],
        },
        binding: { paramRef: { selector: { matchLabels: { use: "yes" } }, parameterNotFoundAction: "Deny" } },
      });
      await changed(s, dry(s), configMap("a"), "data", '"one"');
      await s.post(dry(s), configMap("spared"), { view: field("data") });
      for (const name of ["one", "two"]) await s.quietly("DELETE", s.in("secrets", name));
      await s.until({ method: "POST", path: dry(s), body: configMap("a") }, isRefused);
    }),
    probe("P536 updates and subresources", async (s) => {
      await s.quietly("POST", s.in("apps/v1/deployments"), deployment("a"));
      await enactMutation(s, {
        policy: {
          matchConstraints: constraints(s, {
            resourceRules: [
              { operations: ["UPDATE"], apiGroups: ["apps"], apiVersions: ["v1"], resources: ["deployments", "deployments/status"] },
            ],
          }),
          mutations: [
            applying(
              "Object{metadata: Object.metadata{annotations: {'from': string(oldObject.spec.replicas), 'sub': request.?subResource.orValue('none')}}}",
            ),
          ],
        },
      });
      await s.until(
        {
          method: "PATCH",
          path: `${s.in("apps/v1/deployments", "a")}?dryRun=All`,
          body: { spec: { replicas: 2 } },
          headers: { "content-type": "application/merge-patch+json" },
        },
        ({ body }) => JSON.stringify(body).includes('"from"'),
      );
      await s.patch("merge", s.in("apps/v1/deployments", "a", "status"), { status: { replicas: 1 } });
    }),
    probe("P537 custom resources", async (s) => {
      const path = await define(s, widgetDefinition(s));
      await enactMutation(s, {
        policy: {
          matchConstraints: constraints(s, {
            resourceRules: [{ operations: ["CREATE"], apiGroups: [s.group], apiVersions: ["v1"], resources: ["widgets"] }],
          }),
          mutations: [
            applying("Object{spec: Object.spec{size: object.spec.size + 1, parts: [Object.spec.parts{key: 'b', value: 'made'}]}}"),
            patching("[JSONPatch{op: 'add', path: '/spec/tags', value: ['t']}, JSONPatch{op: 'add', path: '/spec/unknown', value: 1}]"),
          ],
        },
      });
      const made = widget(s, "a", { spec: { parts: [{ key: "a" }, { key: "b", value: "x" }] } });
      await changed(s, `${path}?dryRun=All`, made, "spec", "made");
      await enact(s, {
        policy: {
          matchConstraints: constraints(s, {
            resourceRules: [{ operations: ["CREATE"], apiGroups: [s.group], apiVersions: ["v1"], resources: ["widgets"] }],
          }),
          validations: [
            {
              expression: "object.spec.size < 2",
              messageExpression: "'size ' + string(object.spec.size) + ' ' + object.spec.tags.join(',')",
            },
          ],
        },
      });
      await s.until({ method: "POST", path: `${path}?dryRun=All`, body: made }, isRefused);
      await s.quietly("DELETE", `${policyPaths.validatingBinding}/${s.namespace}-a`);
    }),
    probe("P538 a policy does not see policies", async (s) => {
      await enactMutation(s, {
        policy: {
          matchConstraints: {
            resourceRules: [
              {
                operations: ["*"],
                apiGroups: ["*"],
                apiVersions: ["*"],
                resources: ["validatingadmissionpolicies", "configmaps"],
                resourceNames: [`${s.namespace}-seen`],
              },
            ],
          },
          mutations: [applying("Object{metadata: Object.metadata{labels: {'seen': 'yes'}}}")],
        },
      });
      await changed(s, dry(s), configMap(`${s.namespace}-seen`), "metadata", '"seen"');
      await s.until(
        {
          method: "POST",
          path: `${policyPaths.validating}?dryRun=All`,
          body: {
            metadata: { name: `${s.namespace}-seen` },
            spec: { matchConstraints: constraints(s), validations: [{ expression: "true" }] },
          },
          view: field("metadata"),
        },
        isMade,
      );
    }),
  ],
};
