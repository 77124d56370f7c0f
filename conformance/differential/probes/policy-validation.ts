/** Policies and bindings that are refused when they are written. */
import type { JsonObject, JsonValue } from "@drover/machinery";
import { applying, constraints, patching, policyPaths } from "../policy-objects.ts";
import { probe } from "../probe.ts";
import type { Chapter } from "../probe.ts";
import type { ProbeSession } from "../session.ts";

/** Records only what is wrong. */
const problem = (body: JsonValue): JsonValue =>
  typeof body === "object" && body !== null && !Array.isArray(body) && "message" in body
    ? { message: body["message"] ?? null, details: body["details"] ?? null }
    : "accepted";
const validating = (s: ProbeSession, spec: JsonObject): Promise<unknown> =>
  s.post(
    `${policyPaths.validating}?dryRun=All`,
    { metadata: { name: `${s.namespace}-x` }, spec: { matchConstraints: constraints(s), ...spec } },
    { view: problem },
  );
const mutating = (s: ProbeSession, spec: JsonObject): Promise<unknown> =>
  s.post(
    `${policyPaths.mutating}?dryRun=All`,
    {
      metadata: { name: `${s.namespace}-x` },
      spec: { matchConstraints: constraints(s), failurePolicy: "Fail", reinvocationPolicy: "Never", ...spec },
    },
    { view: problem },
  );
const expressions = (...texts: readonly string[]): JsonObject => ({ validations: texts.map((expression) => ({ expression })) });

export const policyValidation: Chapter = {
  name: "policy-validation",
  probes: [
    probe("P520 expressions that do not compile", async (s) => {
      await validating(s, expressions("object.", "object.spec", "'text'", "[1, 2].map(x, x)", "nope == 1", "object.foo == 1 || nope", ""));
      await validating(
        s,
        expressions("request.nope == 'x'", "request.kind.nope == 'x'", "namespaceObject.metadata.nope == 'x'", "params.x == 1"),
      );
      await validating(s, expressions("variables.x == 1", "oldSelf == null", "self == null", "authorizer == 1", "authorizer.nope"));
      await validating(s, expressions("Object{} == null", "JSONPatch{op: 'add'} == null", "jsonpatch.escapeKey('x') == 'x'"));
      await validating(
        s,
        expressions("request.dryRun == 'x'", "request.userInfo.groups.all(g, g > 1)", "authorizer.path(1).check('x').allowed()"),
      );
      await validating(s, expressions("timestamp('x') == null", "object.x.matches('(')", "[1, 'x'].size() > 0", "duration('x') == null"));
    }),
    probe("P520b messages, reasons and annotations", async (s) => {
      const expression = "true";
      await validating(s, {
        validations: [
          { expression, message: "  " },
          { expression, message: "a\nb" },
          { expression, messageExpression: "  " },
          { expression, messageExpression: "1" },
          { expression, messageExpression: "authorizer.path('/').check('get').reason()" },
          { expression, messageExpression: "object.metadata.name" },
          { expression, reason: "NotFound" },
        ],
      });
      await validating(s, {
        auditAnnotations: [
          { key: "a", valueExpression: "1" },
          { key: "a", valueExpression: "'x'" },
          { key: "b/c", valueExpression: " " },
          { key: "", valueExpression: "null" },
          { key: "long", valueExpression: `'${"x".repeat(6000)}'` },
          { key: "d", valueExpression: "object.metadata.name" },
        ],
      });
      await validating(s, {
        auditAnnotations: Array.from({ length: 21 }, (_none, index) => ({ key: `k${index}`, valueExpression: "''" })),
      });
    }),
    probe("P520c variables", async (s) => {
      const validations = [{ expression: "variables.a == 'x' && variables.n == 1" }];
      await validating(s, {
        variables: [
          { name: "a", expression: "object.x" },
          { name: "n", expression: "'text'" },
          { name: "later", expression: "variables.after" },
          { name: "after", expression: "1 +" },
          { name: "for", expression: "1" },
          { name: "a-b", expression: "1" },
          { name: "", expression: " " },
          { name: "q", expression: "quantity('1')" },
        ],
        validations: [
          ...validations,
          { expression: "variables.q == 1" },
          { expression: "variables.nope" },
          { expression: "variables.after" },
        ],
      });
    }),
    probe("P520d match conditions", async (s) => {
      await validating(s, {
        ...expressions("true"),
        variables: [{ name: "a", expression: "1" }],
        matchConditions: [
          { name: "a", expression: "variables.a == 1" },
          { name: "b", expression: "params.x" },
          { name: "b", expression: " 1 " },
          { name: "", expression: "" },
          { name: "c d", expression: "object.x" },
        ],
      });
      await validating(s, {
        ...expressions("params.x == 1"),
        paramKind: { apiVersion: "v1", kind: "ConfigMap" },
        matchConditions: [{ name: "b", expression: "params.x == 1" }],
      });
    }),
    probe("P521 mutations that do not compile", async (s) => {
      await mutating(s, {
        mutations: [applying("1"), applying("{}"), applying("Object{spec: Object.spec{a: 1}}"), applying(" "), applying("Object.spec{}")],
      });
      await mutating(s, { mutations: [patching("1"), patching("[]"), patching("[JSONPatch{op: 1}]"), patching("JSONPatch{op: 'add'}")] });
      await mutating(s, {
        mutations: [patching("[JSONPatch{op: 'add', path: '/a', value: Object.spec{}}]"), patching("[1]"), patching(" ")],
      });
      await mutating(s, { mutations: [applying("Nope{}"), applying("Object{a: nope}"), applying("variables.x"), applying("object")] });
      await mutating(s, {
        mutations: [applying("Object{?a: 1}"), applying("Object{a: Object.a{?b: optional.of(1)}}"), patching("[JSONPatch{op: dyn(1)}]")],
      });
    }),
    probe("P521b mutations that contradict themselves", async (s) => {
      await mutating(s, { mutations: [] });
      await mutating(s, {
        mutations: [
          { patchType: "JSONPatch", applyConfiguration: { expression: "Object{}" } },
          { ...applying("Object{}"), jsonPatch: { expression: "[]" } },
          { patchType: "Nope" },
          { patchType: "" },
          { patchType: "ApplyConfiguration" },
        ],
        reinvocationPolicy: "Sometimes",
        failurePolicy: "Perhaps",
      });
      await mutating(s, {
        matchConstraints: {
          resourceRules: [{ operations: ["DELETE", "CREATE"], apiGroups: [""], apiVersions: ["v1"], resources: ["pods"] }],
        },
        mutations: [applying("Object{}")],
      });
    }),
    probe("P522 bindings that are refused", async (s) => {
      const metadata = { name: `${s.namespace}-x` };
      const bind = (path: string, spec: JsonObject): Promise<unknown> =>
        s.post(`${path}?dryRun=All`, { metadata, spec }, { view: problem });
      await bind(policyPaths.validatingBinding, {});
      await bind(policyPaths.validatingBinding, { policyName: "A", validationActions: ["Deny", "Warn", "Deny", "Nope"] });
      await bind(policyPaths.validatingBinding, {
        policyName: "a",
        validationActions: ["Audit"],
        paramRef: { name: "a", selector: {}, parameterNotFoundAction: "Perhaps" },
      });
      await bind(policyPaths.validatingBinding, { policyName: "a", validationActions: ["Audit"], paramRef: {} });
      await bind(policyPaths.mutatingBinding, {});
      await bind(policyPaths.mutatingBinding, {
        policyName: "a",
        matchResources: { resourceRules: [{ operations: ["DELETE"], apiGroups: [""], apiVersions: ["v1"], resources: ["pods"] }] },
        paramRef: { name: "a/b", namespace: "", parameterNotFoundAction: "Deny" },
      });
    }),
    probe("P523 a policy without a spec, and one that changes", async (s) => {
      await s.post(`${policyPaths.validating}?dryRun=All`, { metadata: { name: "x" } }, { view: problem });
      await s.post(`${policyPaths.mutating}?dryRun=All`, { metadata: { name: "x" } }, { view: problem });
      const path = `${policyPaths.validating}/${s.namespace}-p`;
      await s.post(policyPaths.validating, {
        metadata: { name: `${s.namespace}-p` },
        spec: { matchConstraints: constraints(s), ...expressions("true") },
      });
      await s.patch("merge", path, { spec: expressions("nope") }, { view: problem });
      await s.patch("merge", path, { spec: expressions("1 == 1") });
      await s.patch(
        "merge",
        `${path}/status`,
        { status: { observedGeneration: 2, typeChecking: { expressionWarnings: [{ fieldRef: " ", warning: "" }] } } },
        { view: problem },
      );
      await s.patch("merge", `${path}/status`, {
        status: {
          observedGeneration: 2,
          typeChecking: { expressionWarnings: [{ fieldRef: "spec.validations[0].expression", warning: "w" }] },
        },
      });
      await s.delete(path, undefined, { view: () => null });
    }),
  ],
};
