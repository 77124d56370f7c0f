/** Probes of admission webhooks and conversion webhooks, which run in this process and are called by either server. */
import type { JsonObject, JsonValue } from "@drover/machinery";
import { isJsonObject } from "@drover/machinery";
import { authority } from "../../../packages/client/src/transport/testing/certificates.ts";
import { webhookEndpoint } from "../../servers/webhook-endpoint.ts";
import type { Hook, WebhookEndpoint } from "../../servers/webhook-endpoint.ts";
import { probe } from "../probe.ts";
import type { Chapter, Probe } from "../probe.ts";
import type { ProbeSession } from "../session.ts";

type Kind = "mutating" | "validating";

type Over = JsonObject | ((endpoint: WebhookEndpoint) => JsonObject);

interface HookSetting {
  readonly type: Kind;
  /** In addition to name, address and rules. */
  readonly over?: Over;
  readonly answer: Hook;
}

const forConfigMaps: JsonObject[] = [{ operations: ["*"], apiGroups: [""], apiVersions: ["v1"], resources: ["configmaps"] }];
const allowed: Hook = () => ({ response: { allowed: true } });
const denied =
  (status: JsonObject): Hook =>
  () => ({ response: { allowed: false, status } });
const patched =
  (...operations: JsonObject[]): Hook =>
  () => ({
    response: { allowed: true, patchType: "JSONPatch", patch: Buffer.from(JSON.stringify(operations)).toString("base64") },
  });
const label = (name: string): JsonObject => ({ op: "add", path: `/metadata/labels/${name}`, value: "1" });
const configMap = (name: string, labels: JsonObject = { given: "1" }): JsonObject => ({ metadata: { name, labels } });

/** Removes what differs between servers because of the user who sends the requests. */
function shownReview(request: JsonObject): JsonValue {
  const { userInfo: _userInfo, uid: _uid, ...rest } = request;
  return JSON.parse(JSON.stringify(rest, (key: string, value: JsonValue) => (key === "managedFields" ? undefined : value))) as JsonValue;
}

/**
 * Registers webhooks that see only the probe's namespace, waits until the server calls them, and runs the probe. Each configuration has
 * one webhook and the name of its setting.
 */
async function withHooks(
  s: ProbeSession,
  settings: Readonly<Record<string, HookSetting>>,
  run: (endpoint: WebhookEndpoint) => Promise<void>,
): Promise<void> {
  const endpoint = await webhookEndpoint([`hook.${s.namespace}.svc`]);
  const { caBundle, url } = endpoint;
  const registered: string[] = [];
  const namespaceSelector = { matchLabels: { "kubernetes.io/metadata.name": s.namespace } };
  const common = { sideEffects: "None", admissionReviewVersions: ["v1"], namespaceSelector };
  try {
    for (const [name, { type, over = {}, answer }] of Object.entries(settings)) {
      endpoint.set(name, answer);
      const own = typeof over === "function" ? over(endpoint) : over;
      const hook = { name: `${name}.hook.test`, clientConfig: { url: url(name), caBundle }, rules: forConfigMaps, ...common, ...own };
      // Called last: tells when the configuration is in effect.
      const marker = {
        name: `marker-${name}.hook.test`,
        clientConfig: { url: url(`marker-${name}`), caBundle },
        rules: [{ operations: ["CREATE"], apiGroups: [""], apiVersions: ["v1"], resources: ["secrets"] }],
        ...common,
        objectSelector: { matchLabels: { marker: name } },
      };
      const path = `/apis/admissionregistration.k8s.io/v1/${type}webhookconfigurations`;
      await s.quietly("POST", path, { metadata: { name: `${s.namespace}-${name}` }, webhooks: [hook, marker] });
      registered.push(`${path}/${s.namespace}-${name}`);
    }
    for (const name of Object.keys(settings)) {
      const body = { metadata: { name: "marker", labels: { marker: name } } };
      await s.settle({ method: "POST", path: `${s.in("secrets")}?dryRun=All`, body }, () =>
        endpoint.taken().some(({ hook }) => hook === `marker-${name}`),
      );
    }
    endpoint.taken();
    await run(endpoint);
  } finally {
    for (const path of registered) await s.quietly("DELETE", path);
    await endpoint.close();
  }
}

const failure = (name: string, answer: Hook, over: Over = {}): Probe =>
  probe(name, (s) =>
    withHooks(s, { v: { type: "validating", answer, over } }, async () => {
      await s.post(s.in("configmaps"), configMap("c"));
    }),
  );

const patchFailure = (name: string, answer: Hook): Probe =>
  probe(name, (s) =>
    withHooks(s, { m: { type: "mutating", answer, over: { failurePolicy: "Ignore" } } }, async () => {
      await s.post(s.in("configmaps"), configMap("c"));
    }),
  );

const textOf = (value: JsonValue | undefined): string => (typeof value === "string" ? value : "");

/** The calls so far, as facts. */
function noteCalls(s: ProbeSession, endpoint: WebhookEndpoint, about: string): void {
  s.fact(
    about,
    endpoint.taken().map(({ hook, request }) => `${hook} ${textOf(request["operation"])} ${textOf(request["name"])}`),
  );
}

const reviewProbe = (
  name: string,
  rules: JsonObject[],
  run: (s: ProbeSession) => Promise<unknown>,
  over: JsonObject = {},
  type: Kind = "validating",
): Probe =>
  probe(name, (s) =>
    withHooks(s, { v: { type, answer: allowed, over: { rules, ...over } } }, async (endpoint) => {
      await run(s);
      for (const { request } of endpoint.taken()) s.fact("the review", shownReview(request));
    }),
  );

const rule = (
  resources: string[],
  operations: string[] = ["*"],
  apiGroups: string[] = ["*"],
  apiVersions: string[] = ["*"],
): JsonObject => ({
  operations,
  apiGroups,
  apiVersions,
  resources,
});
const podBody = (name: string): JsonObject => ({ metadata: { name }, spec: { containers: [{ name: "c", image: "i:1" }] } });
const deployment = (name: string): JsonObject => ({
  metadata: { name },
  spec: {
    selector: { matchLabels: { a: "b" } },
    template: { metadata: { labels: { a: "b" } }, spec: { containers: [{ name: "c", image: "i:1" }] } },
  },
});

const reviews: readonly Probe[] = [
  reviewProbe("P400 the review of a creation, an update and a deletion", forConfigMaps, async (s) => {
    await s.post(`${s.in("configmaps")}?fieldManager=me`, { ...configMap("c"), data: { a: "b" } }, { view: () => null });
    await s.patch("merge", `${s.in("configmaps", "c")}?fieldManager=me&fieldValidation=Strict`, { data: { a: "c" } }, { view: () => null });
    await s.delete(`${s.in("configmaps", "c")}?gracePeriodSeconds=7`, undefined, { view: () => null });
  }),
  reviewProbe(
    "P400a a mutating webhook sees neither uid nor creation time, and no generated name",
    forConfigMaps,
    async (s) => {
      await s.post(s.in("configmaps"), { metadata: { generateName: "c-" } }, { view: () => null });
      await s.post(`${s.in("configmaps")}?dryRun=All`, { metadata: { name: "d" } }, { view: () => null });
    },
    {},
    "mutating",
  ),
  reviewProbe("P400b the review of a pod", [rule(["pods"])], async (s) => {
    await s.post(s.in("pods"), podBody("p"), { view: () => null });
  }),
  reviewProbe("P401 the review of a scale", [rule(["deployments/scale"])], async (s) => {
    await s.post(s.in("apps/v1/deployments"), deployment("d"), { view: () => null });
    await s.patch("merge", `${s.in("apps/v1/deployments", "d", "scale")}?fieldManager=me`, { spec: { replicas: 3 } }, { view: () => null });
  }),
  reviewProbe("P402 the review of an eviction and a binding", [rule(["pods/eviction", "pods/binding", "bindings"])], async (s) => {
    await s.post(s.in("pods"), podBody("p"), { view: () => null });
    await s.post(s.in("pods", "p", "binding"), { metadata: { name: "p" }, target: { kind: "Node", name: "n" } }, { view: () => null });
    await s.post(
      s.in("pods", "p", "eviction"),
      { apiVersion: "policy/v1", kind: "Eviction", metadata: { name: "p" } },
      { view: () => null },
    );
  }),
  reviewProbe(
    "P403 the review of a token request",
    [rule(["serviceaccounts/token"])],
    async (s) => {
      await s.post(s.in("serviceaccounts"), { metadata: { name: "robot" } }, { view: () => null });
      await s.post(s.in("serviceaccounts", "robot", "token"), { spec: { audiences: ["a"], expirationSeconds: 700 } }, { view: () => null });
    },
    {},
    "mutating",
  ),
  reviewProbe("P404 the review of exec, attach, portforward and proxy", [rule(["pods/*"], ["CONNECT"])], async (s) => {
    await s.post(s.in("pods"), podBody("p"), { view: () => null });
    await s.get(`${s.in("pods", "p", "exec")}?command=ls&command=-l&stdin=true&stdout=1&container=c`, { view: () => null });
    await s.post(`${s.in("pods", "p", "attach")}?tty=true`, "", { view: () => null });
    await s.get(`${s.in("pods", "p", "portforward")}?ports=80&ports=81`, { view: () => null });
    await s.get(s.in("pods", "p", "proxy", "a", "b"), { view: () => null });
    await s.get(s.in("pods", "gone", "exec"), { view: () => null });
  }),
  reviewProbe("P405 the review of a status", [rule(["deployments/status"])], async (s) => {
    await s.post(s.in("apps/v1/deployments"), deployment("d"), { view: () => null });
    await s.patch("merge", s.in("apps/v1/deployments", "d", "status"), { status: { replicas: 1 } }, { view: () => null });
  }),
  reviewProbe(
    "P406 another version of the object, because only that one matches",
    [rule(["horizontalpodautoscalers"], ["*"], ["autoscaling"], ["v1"])],
    async (s) => {
      const spec = { scaleTargetRef: { kind: "Deployment", name: "d", apiVersion: "apps/v1" }, maxReplicas: 3 };
      await s.post(s.in("autoscaling/v2/horizontalpodautoscalers"), { metadata: { name: "h" }, spec }, { view: () => null });
    },
  ),
  reviewProbe(
    "P406a no other version with matchPolicy Exact",
    [rule(["horizontalpodautoscalers"], ["*"], ["autoscaling"], ["v1"])],
    async (s) => {
      const spec = { scaleTargetRef: { kind: "Deployment", name: "d", apiVersion: "apps/v1" }, maxReplicas: 3 };
      await s.post(s.in("autoscaling/v2/horizontalpodautoscalers"), { metadata: { name: "h" }, spec }, { view: () => null });
    },
    { matchPolicy: "Exact" },
  ),
  reviewProbe("P407 the review of a namespace", [rule(["namespaces"])], async (s) => {
    await s.patch("merge", s.all("namespaces", s.namespace), { metadata: { labels: { a: "b" } } }, { view: () => null });
  }),
  reviewProbe("P408 an apply that creates and one that changes", forConfigMaps, async (s) => {
    const body = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "c" }, data: { a: "b" } };
    await s.apply(s.in("configmaps", "c"), "me", body, "&force=true");
    await s.apply(s.in("configmaps", "c"), "me", { ...body, data: { a: "c" } }, "&force=true");
  }),
  reviewProbe("P409 a collection is reviewed object by object", forConfigMaps, async (s) => {
    for (const name of ["a", "b"]) await s.quietly("POST", s.in("configmaps"), configMap(name));
    await s.delete(`${s.in("configmaps")}?labelSelector=given`, undefined, { view: () => null });
  }),
  reviewProbe("P409a access reviews", [rule(["selfsubjectaccessreviews", "localsubjectaccessreviews"])], async (s) => {
    await s.post(
      s.in("authorization.k8s.io/v1/localsubjectaccessreviews"),
      { spec: { user: "a", resourceAttributes: { verb: "get", resource: "pods", namespace: s.namespace } } },
      { view: () => null },
    );
  }),
];

const refusals: readonly Probe[] = [
  failure(
    "P410 a refusal with code, reason, message and details",
    denied({ code: 418, reason: "Teapot", message: "no tea", details: { name: "x", causes: [{ field: "a", message: "b" }] } }),
  ),
  failure("P411 a refusal with nothing but its reason", denied({ reason: "NotFound" })),
  failure("P412 a refusal without explanation", () => ({ response: { allowed: false } })),
  failure("P413 a refusal with a code below 400 and status Success", denied({ code: 200, status: "Success", message: "fine" })),
  failure("P414 a response without allowed", () => ({ response: {} })),
  failure("P415 warnings and audit annotations", () => ({
    response: { allowed: true, warnings: ["first", 'second "quoted"', "first"], auditAnnotations: { a: "b" } },
  })),
  failure("P416 a response with another uid", () => ({ response: { allowed: true, uid: "other" } })),
  failure("P417 no response in the review", () => ({
    status: 200,
    body: JSON.stringify({ kind: "AdmissionReview", apiVersion: "admission.k8s.io/v1" }),
  })),
  failure("P417a a review of another version", (_, review) => ({
    status: 200,
    body: JSON.stringify({
      kind: "AdmissionReview",
      apiVersion: "admission.k8s.io/v1beta1",
      response: { uid: isJsonObject(review["request"]) ? (review["request"]["uid"] ?? "") : "", allowed: true },
    }),
  })),
  failure("P417b a review without kind and version", (request) => ({
    status: 200,
    body: JSON.stringify({ response: { uid: request["uid"] ?? "", allowed: true } }),
  })),
  failure("P417c a response of the wrong types", (request) => ({
    status: 200,
    body: JSON.stringify({
      kind: "AdmissionReview",
      apiVersion: "admission.k8s.io/v1",
      response: { uid: request["uid"] ?? "", allowed: "yes" },
    }),
  })),
  failure("P418 a Status instead of a review", () => ({
    status: 200,
    body: JSON.stringify({ kind: "Status", apiVersion: "v1", status: "Failure", message: "I am a Status", code: 409 }),
  })),
  failure("P418a another kind instead of a review", () => ({ status: 200, body: JSON.stringify({ kind: "Pod", apiVersion: "v1" }) })),
  failure("P419 text instead of JSON", () => ({ status: 200, body: "hello", headers: { "content-type": "text/plain" } })),
  failure("P419a an empty body", () => ({ status: 200, body: "" })),
  failure("P419b truncated JSON", () => ({ status: 200, body: '{"kind":"AdmissionReview","apiVersion"' })),
  failure("P419c an array", () => ({ status: 200, body: "[]" })),
  failure("P420 a 500 with text", () => ({ status: 500, body: "boom", headers: { "content-type": "text/plain" } })),
  failure("P420a a 500 with JSON that is no Status", () => ({ status: 500, body: '{"a":1}' })),
  failure("P420b a 400 with a Status", () => ({
    status: 400,
    body: JSON.stringify({ kind: "Status", apiVersion: "v1", status: "Failure", message: "bad webhook", reason: "BadRequest", code: 400 }),
  })),
  failure("P420c a 404", () => ({ status: 404, body: "404 page not found\n", headers: { "content-type": "text/plain; charset=utf-8" } })),
  failure("P421 a webhook that hangs up", () => "hang up"),
  failure("P422 a webhook that does not answer in time", () => "silence", { timeoutSeconds: 1 }),
  failure("P423 a webhook that nobody serves", allowed, { clientConfig: { url: "https://127.0.0.1:1/v" } }),
  failure("P423a a certificate that the bundle does not vouch for", allowed, ({ url }) => ({
    clientConfig: { url: url("v"), caBundle: Buffer.from(authority("another").certificate).toString("base64") },
  })),
  failure("P423b a certificate for another name", allowed, ({ port, caBundle }) => ({
    clientConfig: { url: `https://localhost:${port}/v`, caBundle },
  })),
  failure("P423c an old review that names neither uid nor kind", () => ({ status: 200, body: '{"response":{"allowed":false}}' }), {
    admissionReviewVersions: ["v1beta1", "v1"],
  }),
  failure("P423d a bundle that is no PEM", allowed, ({ url }) => ({
    clientConfig: { url: url("v"), caBundle: Buffer.from("nonsense").toString("base64") },
  })),
  failure("P423e a bundle that is no certificate", allowed, ({ url }) => ({
    clientConfig: {
      url: url("v"),
      caBundle: Buffer.from("-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n").toString("base64"),
    },
  })),
  failure("P424 a failure that is ignored", () => "hang up", { failurePolicy: "Ignore" }),
  failure("P425 a patch from a validating webhook", patched(label("x"))),
  failure("P425a a patchType from a validating webhook", () => ({ response: { allowed: true, patchType: "JSONPatch" } })),
  probe("P426 a service that does not exist", (s) =>
    withHooks(
      s,
      {
        v: {
          type: "validating",
          answer: allowed,
          over: { clientConfig: { service: { namespace: s.namespace, name: "hook", path: "/v/w/" } } },
        },
      },
      async () => {
        await s.post(s.in("configmaps"), configMap("c"));
      },
    ),
  ),
  probe("P426a a service without that port", (s) =>
    withHooks(
      s,
      {
        v: {
          type: "validating",
          answer: allowed,
          over: { clientConfig: { service: { namespace: s.namespace, name: "hook", port: 8443 } } },
        },
      },
      async () => {
        await s.quietly("POST", s.in("services"), { metadata: { name: "hook" }, spec: { ports: [{ port: 443 }] } });
        await s.post(s.in("configmaps"), configMap("c"));
      },
    ),
  ),
  failure("P427 a match condition that holds, and refuses", denied({ message: "matched" }), {
    matchConditions: [{ name: "is-c", expression: "object.metadata.name == 'c' && request.operation == 'CREATE'" }],
  }),
  failure("P427a a match condition that does not hold", denied({ message: "matched" }), {
    matchConditions: [{ name: "is-d", expression: "object.metadata.name == 'd'" }],
  }),
  failure("P427b a match condition that fails", denied({ message: "matched" }), {
    matchConditions: [{ name: "broken", expression: "object.data.nope == 'd'" }],
  }),
  failure("P427c a match condition that fails and is ignored", denied({ message: "matched" }), {
    matchConditions: [{ name: "broken", expression: "object.data.nope == 'd'" }],
    failurePolicy: "Ignore",
  }),
  failure("P427d a match condition that asks the authorizer", denied({ message: "matched" }), {
    matchConditions: [{ name: "may", expression: "authorizer.group('').resource('pods').namespace('x').check('get').allowed()" }],
  }),
];

const mutations: readonly Probe[] = [
  probe("P430 patches in the order of configurations, and again for those that ask", (s) =>
    withHooks(
      s,
      {
        a: { type: "mutating", answer: patched(label("a")), over: { reinvocationPolicy: "IfNeeded" } },
        b: { type: "mutating", answer: patched(label("b")) },
        c: { type: "mutating", answer: patched(label("c")), over: { reinvocationPolicy: "IfNeeded" } },
      },
      async (endpoint) => {
        await s.post(s.in("configmaps"), configMap("c"));
        noteCalls(s, endpoint, "calls");
        await s.put(s.in("configmaps", "c"), configMap("c"));
        noteCalls(s, endpoint, "calls of an update without change");
      },
    ),
  ),
  probe("P431 a patched object is defaulted and pruned", (s) =>
    withHooks(
      s,
      {
        m: {
          type: "mutating",
          answer: patched({ op: "add", path: "/spec/containers/-", value: { name: "side", image: "side", nope: true } }),
          over: { rules: [rule(["pods"])] },
        },
      },
      async () => {
        await s.post(s.in("pods"), podBody("p"));
      },
    ),
  ),
  probe("P432 a patched object is validated", (s) =>
    withHooks(s, { m: { type: "mutating", answer: patched({ op: "add", path: "/metadata/labels/x", value: "not valid!" }) } }, async () => {
      await s.post(s.in("configmaps"), configMap("c"));
    }),
  ),
  patchFailure("P433 a patch that removes what is not there", patched({ op: "remove", path: "/data/x" })),
  patchFailure("P433a a patch that tests in vain", patched({ op: "test", path: "/metadata/name", value: "other" })),
  patchFailure("P433b a patch whose result has the wrong type", patched({ op: "add", path: "/data", value: { a: 1 } })),
  patchFailure("P433c a patch that is no JSON", () => ({
    response: { allowed: true, patchType: "JSONPatch", patch: Buffer.from("nope").toString("base64") },
  })),
  patchFailure("P433d a patch that is no list", () => ({
    response: { allowed: true, patchType: "JSONPatch", patch: Buffer.from("{}").toString("base64") },
  })),
  patchFailure("P433e a patch of an unknown type", () => ({
    response: { allowed: true, patchType: "MergePatch", patch: Buffer.from("[]").toString("base64") },
  })),
  patchFailure("P433f a patch without a type", () => ({ response: { allowed: true, patch: Buffer.from("[]").toString("base64") } })),
  patchFailure("P433g a type without a patch", () => ({ response: { allowed: true, patchType: "JSONPatch" } })),
  patchFailure("P433h an empty patch", patched()),
  patchFailure("P433i an operation that is unknown", patched({ op: "frobnicate", path: "/data" })),
  probe("P434 a patch to an object that is deleted", (s) =>
    withHooks(
      s,
      { m: { type: "mutating", answer: patched(label("x")), over: { rules: [rule(["configmaps"], ["DELETE"])] } } },
      async () => {
        await s.post(s.in("configmaps"), configMap("c"), { view: () => null });
        await s.delete(s.in("configmaps", "c"));
      },
    ),
  ),
  probe("P435 a patch of the name, the namespace and the kind", (s) =>
    withHooks(
      s,
      { m: { type: "mutating", answer: patched({ op: "replace", path: "/metadata/name", value: "other" }) } },
      async (endpoint) => {
        await s.post(s.in("configmaps"), configMap("c"));
        endpoint.set("m", patched({ op: "replace", path: "/metadata/namespace", value: "default" }));
        await s.post(s.in("configmaps"), configMap("d"));
        endpoint.set("m", patched({ op: "replace", path: "/kind", value: "Secret" }));
        await s.post(s.in("configmaps"), configMap("e"));
      },
    ),
  ),
  probe("P436 a patch of an update and of a scale", (s) =>
    withHooks(
      s,
      {
        m: { type: "mutating", answer: patched(label("m")), over: { rules: [rule(["configmaps"], ["UPDATE"])] } },
        n: {
          type: "mutating",
          answer: patched({ op: "replace", path: "/spec/replicas", value: 5 }),
          over: { rules: [rule(["deployments/scale"])] },
        },
      },
      async () => {
        await s.post(s.in("configmaps"), configMap("c"), { view: () => null });
        await s.patch("merge", s.in("configmaps", "c"), { data: { a: "b" } });
        await s.post(s.in("apps/v1/deployments"), deployment("d"), { view: () => null });
        await s.patch("merge", s.in("apps/v1/deployments", "d", "scale"), { spec: { replicas: 2 } });
      },
    ),
  ),
  probe("P437 mutating before validating, and both refuse", (s) =>
    withHooks(
      s,
      { m: { type: "mutating", answer: denied({ message: "m" }) }, v: { type: "validating", answer: denied({ message: "v" }) } },
      async (endpoint) => {
        await s.post(s.in("configmaps"), configMap("c"));
        noteCalls(s, endpoint, "calls");
      },
    ),
  ),
  probe("P438 an object that is invalid never reaches a validating webhook", (s) =>
    withHooks(s, { m: { type: "mutating", answer: allowed }, v: { type: "validating", answer: allowed } }, async (endpoint) => {
      await s.post(s.in("configmaps"), { metadata: { name: "c" }, data: { "not a key!": "" } });
      noteCalls(s, endpoint, "calls");
    }),
  ),
  probe("P439 object selectors see the old and the new object", (s) =>
    withHooks(
      s,
      { v: { type: "validating", answer: allowed, over: { objectSelector: { matchLabels: { watch: "me" } } } } },
      async (endpoint) => {
        await s.quietly("POST", s.in("configmaps"), configMap("c"));
        await s.quietly("PUT", s.in("configmaps", "c"), configMap("c", { watch: "me" }));
        await s.quietly("PUT", s.in("configmaps", "c"), configMap("c", { watch: "no" }));
        await s.quietly("PUT", s.in("configmaps", "c"), configMap("c", { watch: "not" }));
        noteCalls(s, endpoint, "calls");
      },
    ),
  ),
  probe("P440 managed fields that a webhook spoils", (s) =>
    withHooks(
      s,
      { m: { type: "mutating", answer: patched({ op: "replace", path: "/metadata/managedFields/0/operation", value: "Wrong" }) } },
      async () => {
        await s.post(`${s.in("configmaps")}?fieldManager=me`, configMap("c"));
      },
    ),
  ),
];

export const webhooks: Chapter = { name: "webhooks", probes: [...reviews, ...refusals, ...mutations] };
