import { Deployment } from "@drover/api/apps/v1";
import type { Scale } from "@drover/api/autoscaling/v1";
import { ConfigMap, Namespace, Node, Pod, ServiceAccount } from "@drover/api/core/v1";
import { isConflict, isNotFound, newConflict, newNotFound } from "@drover/machinery";
import type { Kind, KubeList, WatchEvent } from "@drover/machinery";
import { ManualClock, recordingLog } from "@drover/machinery/testing";
import { describe, expect, expectTypeOf, it } from "vitest";
import { createClient } from "./client.ts";
import type { Client } from "./client.ts";
import { jsonResponse, scriptedTransport, statusResponse } from "../testing/scripted-transport.ts";
import type { Script, ScriptedTransport } from "../testing/scripted-transport.ts";

interface Set {
  readonly client: Client;
  readonly server: ScriptedTransport;
}

const set = (script: Script, options: { readonly fieldManager?: string } = {}): Set => {
  const clock = new ManualClock();
  const server = scriptedTransport(script);
  return { client: createClient({ transport: server, clock, log: recordingLog(clock), namespace: "shop", ...options }), server };
};
const anything = (): Set => set(() => jsonResponse({ metadata: { name: "x" } }));

const web: Deployment = {
  metadata: { name: "web", resourceVersion: "41" },
  spec: { selector: {}, template: { metadata: {}, spec: { containers: [] } } },
};
const typed = { apiVersion: "apps/v1", kind: "Deployment" };
const config: ConfigMap = { metadata: { name: "c" } };
// Kinds without static knowledge of their type.
const anyConfigMap: Kind = ConfigMap;
const anyDeployment: Kind = Deployment;
const anyNode: Kind = Node;
const json = "application/json";
const dryRun = "All";

type Row = readonly [verb: string, call: (client: Client) => unknown, request: string, body?: unknown, contentType?: string];
/** Every verb once for a namespaced and a cluster-scoped kind and for subresources, with the request it sends. */
const table: readonly Row[] = [
  ["get", (c) => c.get(Deployment, "web"), "GET /apis/apps/v1/namespaces/shop/deployments/web"],
  [
    "get in a namespace",
    (c) => c.get(Deployment, "web", { namespace: "other", resourceVersion: "0" }),
    "GET /apis/apps/v1/namespaces/other/deployments/web?resourceVersion=0",
  ],
  ["get of a cluster kind", (c) => c.get(Node, "n1"), "GET /api/v1/nodes/n1"],
  ["list", (c) => c.list(Pod), "GET /api/v1/namespaces/shop/pods"],
  ["list everywhere", (c) => c.list(Pod, { namespace: "*" }), "GET /api/v1/pods"],
  ["list of a cluster kind", (c) => c.list(Node), "GET /api/v1/nodes"],
  [
    "list with all options",
    (c) =>
      c.list(Pod, {
        labelSelector: "app=web",
        fieldSelector: "spec.nodeName=n1",
        limit: 5,
        continue: "abc",
        resourceVersion: "7",
        resourceVersionMatch: "Exact",
        timeoutSeconds: 9,
      }),
    "GET /api/v1/namespaces/shop/pods?continue=abc&fieldSelector=spec.nodeName%3Dn1&labelSelector=app%3Dweb&limit=5&resourceVersion=7&resourceVersionMatch=Exact&timeoutSeconds=9",
  ],
  [
    "create",
    (c) => c.create(Deployment, { metadata: { name: "web" } }),
    "POST /apis/apps/v1/namespaces/shop/deployments",
    { ...typed, metadata: { name: "web" } },
    json,
  ],
  [
    "create with a generated name",
    (c) => c.create(ConfigMap, { metadata: { generateName: "c-" } }),
    "POST /api/v1/namespaces/shop/configmaps",
    { apiVersion: "v1", kind: "ConfigMap", metadata: { generateName: "c-" } },
    json,
  ],
  [
    "create in the object's namespace",
    (c) => c.create(ConfigMap, { metadata: { name: "c", namespace: "other" } }),
    "POST /api/v1/namespaces/other/configmaps",
    { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "c", namespace: "other" } },
    json,
  ],
  [
    "create of a cluster kind",
    (c) => c.create(Namespace, { metadata: { name: "shop" } }),
    "POST /api/v1/namespaces",
    { apiVersion: "v1", kind: "Namespace", metadata: { name: "shop" } },
    json,
  ],
  [
    "create with options",
    (c) => c.create(ConfigMap, config, { dryRun, fieldManager: "me", fieldValidation: "Strict" }),
    "POST /api/v1/namespaces/shop/configmaps?dryRun=All&fieldManager=me&fieldValidation=Strict",
    { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "c" } },
    json,
  ],
  ["update", (c) => c.update(Deployment, web), "PUT /apis/apps/v1/namespaces/shop/deployments/web", { ...typed, ...web }, json],
  [
    "update of a cluster kind",
    (c) => c.update(Node, { metadata: { name: "n1" } }, { dryRun }),
    "PUT /api/v1/nodes/n1?dryRun=All",
    { apiVersion: "v1", kind: "Node", metadata: { name: "n1" } },
    json,
  ],
  [
    "json patch",
    (c) => c.patch(Deployment, "web", { type: "json", body: [{ op: "remove", path: "/spec/paused" }] }),
    "PATCH /apis/apps/v1/namespaces/shop/deployments/web",
    [{ op: "remove", path: "/spec/paused" }],
    "application/json-patch+json",
  ],
  [
    "merge patch",
    (c) => c.patch(Deployment, "web", { type: "merge", body: { spec: { replicas: 2, paused: null } } }, { fieldManager: "me" }),
    "PATCH /apis/apps/v1/namespaces/shop/deployments/web?fieldManager=me",
    { spec: { replicas: 2, paused: null } },
    "application/merge-patch+json",
  ],
  [
    "strategic patch",
    (c) => c.patch(Node, "n1", { type: "strategic", body: { spec: { $retainKeys: ["unschedulable"], unschedulable: true } } }),
    "PATCH /api/v1/nodes/n1",
    { spec: { $retainKeys: ["unschedulable"], unschedulable: true } },
    "application/strategic-merge-patch+json",
  ],
  [
    "apply",
    (c) => c.apply(Deployment, { metadata: { name: "web" }, spec: { replicas: 3 } }, { fieldManager: "me", force: true }),
    "PATCH /apis/apps/v1/namespaces/shop/deployments/web?fieldManager=me&force=true",
    { ...typed, metadata: { name: "web" }, spec: { replicas: 3 } },
    "application/apply-patch+yaml",
  ],
  [
    "apply of a cluster kind",
    (c) => c.apply(Namespace, { metadata: { name: "shop", labels: { a: "b" } } }, { fieldManager: "me", dryRun, fieldValidation: "Warn" }),
    "PATCH /api/v1/namespaces/shop?dryRun=All&fieldManager=me&fieldValidation=Warn",
    { apiVersion: "v1", kind: "Namespace", metadata: { name: "shop", labels: { a: "b" } } },
    "application/apply-patch+yaml",
  ],
  ["delete", (c) => c.delete(Deployment, "web"), "DELETE /apis/apps/v1/namespaces/shop/deployments/web"],
  [
    "delete with options",
    (c) =>
      c.delete(Deployment, "web", {
        preconditions: { uid: "u", resourceVersion: "7" },
        propagationPolicy: "Foreground",
        gracePeriodSeconds: 0,
        dryRun,
      }),
    "DELETE /apis/apps/v1/namespaces/shop/deployments/web",
    {
      apiVersion: "v1",
      kind: "DeleteOptions",
      preconditions: { uid: "u", resourceVersion: "7" },
      propagationPolicy: "Foreground",
      gracePeriodSeconds: 0,
      dryRun: ["All"],
    },
    json,
  ],
  [
    "delete of a cluster kind",
    (c) => c.delete(Node, "n1", { propagationPolicy: "Orphan" }),
    "DELETE /api/v1/nodes/n1",
    { apiVersion: "v1", kind: "DeleteOptions", propagationPolicy: "Orphan" },
    json,
  ],
  [
    "delete of a collection",
    (c) => c.deleteCollection(Pod, { labelSelector: { matchLabels: { app: "web" } }, gracePeriodSeconds: 1, resourceVersion: "7" }),
    "DELETE /api/v1/namespaces/shop/pods?labelSelector=app%3Dweb&resourceVersion=7",
    { apiVersion: "v1", kind: "DeleteOptions", gracePeriodSeconds: 1 },
    json,
  ],
  ["delete of a collection of a cluster kind", (c) => c.deleteCollection(Node), "DELETE /api/v1/nodes"],
  ["status get", (c) => c.resource(Deployment).status.get("web"), "GET /apis/apps/v1/namespaces/shop/deployments/web/status"],
  [
    "status update",
    (c) => c.resource(Deployment).status.update(web),
    "PUT /apis/apps/v1/namespaces/shop/deployments/web/status",
    { ...typed, ...web },
    json,
  ],
  [
    "status patch",
    (c) => c.resource(Node).status.patch("n1", { type: "merge", body: { status: {} } }),
    "PATCH /api/v1/nodes/n1/status",
    { status: {} },
    "application/merge-patch+json",
  ],
  [
    "status apply",
    (c) => c.resource(Deployment).status.apply({ metadata: { name: "web" }, status: { replicas: 1 } }, { fieldManager: "me" }),
    "PATCH /apis/apps/v1/namespaces/shop/deployments/web/status?fieldManager=me",
    { ...typed, metadata: { name: "web" }, status: { replicas: 1 } },
    "application/apply-patch+yaml",
  ],
  [
    "scale get",
    (c) => c.resource(Deployment).scale.get("web", { namespace: "other" }),
    "GET /apis/apps/v1/namespaces/other/deployments/web/scale",
  ],
  [
    "scale update",
    (c) => c.resource(Deployment).scale.update({ metadata: { name: "web" }, spec: { replicas: 3 } }),
    "PUT /apis/apps/v1/namespaces/shop/deployments/web/scale",
    { apiVersion: "autoscaling/v1", kind: "Scale", metadata: { name: "web" }, spec: { replicas: 3 } },
    json,
  ],
  [
    "scale patch",
    (c) => c.resource(Deployment).scale.patch("web", { type: "merge", body: { spec: { replicas: 3 } } }),
    "PATCH /apis/apps/v1/namespaces/shop/deployments/web/scale",
    { spec: { replicas: 3 } },
    "application/merge-patch+json",
  ],
  [
    "eviction",
    (c) => c.resource(Pod).eviction.create("web-0"),
    "POST /api/v1/namespaces/shop/pods/web-0/eviction",
    { apiVersion: "policy/v1", kind: "Eviction", metadata: { name: "web-0" } },
    json,
  ],
  [
    "eviction with options",
    (c) => c.resource(Pod).eviction.create("web-0", { deleteOptions: { gracePeriodSeconds: 0 } }, { dryRun, namespace: "other" }),
    "POST /api/v1/namespaces/other/pods/web-0/eviction?dryRun=All",
    { apiVersion: "policy/v1", kind: "Eviction", deleteOptions: { gracePeriodSeconds: 0 }, metadata: { name: "web-0" } },
    json,
  ],
  [
    "binding",
    (c) => c.resource(Pod).binding.create("web-0", { target: { kind: "Node", name: "n1" } }),
    "POST /api/v1/namespaces/shop/pods/web-0/binding",
    { apiVersion: "v1", kind: "Binding", target: { kind: "Node", name: "n1" }, metadata: { name: "web-0" } },
    json,
  ],
  [
    "token",
    (c) => c.resource(ServiceAccount).token.create("default", { spec: { audiences: ["a"] } }),
    "POST /api/v1/namespaces/shop/serviceaccounts/default/token",
    { apiVersion: "authentication.k8s.io/v1", kind: "TokenRequest", spec: { audiences: ["a"] }, metadata: { name: "default" } },
    json,
  ],
  [
    "ephemeral containers",
    (c) =>
      c
        .resource(Pod)
        .ephemeralcontainers.patch("web-0", { type: "strategic", body: { spec: { ephemeralContainers: [{ name: "debug" }] } } }),
    "PATCH /api/v1/namespaces/shop/pods/web-0/ephemeralcontainers",
    { spec: { ephemeralContainers: [{ name: "debug" }] } },
    "application/strategic-merge-patch+json",
  ],
  ["resize", (c) => c.resource(Pod).resize.get("web-0"), "GET /api/v1/namespaces/shop/pods/web-0/resize"],
  [
    "finalize",
    (c) => c.resource(Namespace).finalize.update({ metadata: { name: "shop" }, spec: { finalizers: [] } }),
    "PUT /api/v1/namespaces/shop/finalize",
    { apiVersion: "v1", kind: "Namespace", metadata: { name: "shop" }, spec: { finalizers: [] } },
    json,
  ],
];

describe("requests of the client", () => {
  it.for(table)("%s", async ([, call, expected, body, contentType]) => {
    const { client, server } = anything();
    await call(client);
    const [request] = server.requests;
    expect(`${request?.method} ${request?.path}`).toBe(expected);
    expect(request?.body === "" ? undefined : JSON.parse(request?.body ?? "")).toEqual(body);
    expect(request?.headers).toEqual({ accept: json, ...(contentType === undefined ? {} : { "content-type": contentType }) });
    expect(server.requests).toHaveLength(1);
  });

  it("carry the client's field manager on writes, unless the call has its own", async () => {
    const { client, server } = set(() => jsonResponse({ metadata: {} }), { fieldManager: "shop-operator" });
    await client.apply(ConfigMap, { metadata: { name: "c" } });
    await client.update(ConfigMap, config, { fieldManager: "me" });
    await client.get(ConfigMap, "c");
    expect(server.requests.map(({ query }) => query.get("fieldManager")?.[0])).toEqual(["shop-operator", "me", undefined]);
  });

  it("use another namespace or field manager after `with`", async () => {
    const { client, server } = anything();
    await client.with({ namespace: "other", fieldManager: "me" }).apply(ConfigMap, { metadata: { name: "c" } });
    await client.get(ConfigMap, "c");
    expect(server.requests.map(({ path }) => path)).toEqual([
      "/api/v1/namespaces/other/configmaps/c?fieldManager=me",
      "/api/v1/namespaces/shop/configmaps/c",
    ]);
  });

  it("accept frozen objects and do not modify them", async () => {
    const { client, server } = anything();
    await client.update(
      ConfigMap,
      Object.freeze({
        metadata: Object.freeze({ name: "c", resourceVersion: "9007199254740993" }),
        data: Object.freeze(JSON.parse('{"__proto__":"x"}') as Record<string, string>),
      }),
    );
    expect(server.requests[0]?.body).toBe(
      '{"metadata":{"name":"c","resourceVersion":"9007199254740993"},"data":{"__proto__":"x"},"apiVersion":"v1","kind":"ConfigMap"}',
    );
  });
});

/** Names as an untyped program may pass them. */
const untyped = JSON.parse('{ "nothing": null, "object": { "metadata": {} } }') as Readonly<
  Record<"absent" | "nothing" | "object", string>
>;

describe("rejected before anything is sent", () => {
  it.each<readonly [string, (client: Client) => Promise<unknown>]>([
    [
      "apply configmaps/c in shop: server-side apply needs a field manager; pass `fieldManager` to the client or the call",
      (c) => c.apply(ConfigMap, { metadata: { name: "c" } }),
    ],
    [
      "apply configmaps/c in shop: metadata.managedFields is maintained by the server and cannot be applied; `only(object, fields)` omits it",
      (c) => c.apply(ConfigMap, { metadata: { name: "c", managedFields: [] as never } }, { fieldManager: "me" }),
    ],
    ["delete configmaps: the name is undefined; pass the name of one object", (c) => c.delete(ConfigMap, untyped.absent)],
    ["get configmaps: the name is an object; pass the name of one object", (c) => c.get(ConfigMap, untyped.nothing)],
    [
      "patch configmaps: the name is an object; pass the name of one object",
      (c) => c.patch(ConfigMap, untyped.object, { type: "merge", body: {} }),
    ],
    ["get pods: the name is undefined; pass the name of one object", async (c) => c.resource(Pod).status.get(untyped.absent)],
    ["get pods: the name is undefined; pass the name of one object", async (c) => c.resource(Pod).log.lines(untyped.absent).next()],
    ["create pods/eviction: the object has no name; set metadata.name", async (c) => c.resource(Pod).eviction.create(untyped.absent)],
    ["create configmaps: the object has no metadata; add metadata: { name }", (c) => c.create(ConfigMap, {} as ConfigMap)],
    ["update configmaps: the object has no name; set metadata.name", (c) => c.update(ConfigMap, { metadata: { generateName: "c-" } })],
    [
      'update configmaps/c: the object has namespace "a" and the options have "b"; omit one of them',
      (c) => c.update(ConfigMap, { metadata: { name: "c", namespace: "a" } }, { namespace: "b" }),
    ],
    [
      "create configmaps in shop: the object is a v1 Secret, but this is the client of v1 ConfigMap",
      (c) => c.create(anyConfigMap, { apiVersion: "v1", kind: "Secret", metadata: { name: "c" } }),
    ],
    [
      'get configmaps/c: the namespace is empty; omit it for the client\'s own, or use "*" for all of them',
      (c) => c.get(ConfigMap, "c", { namespace: "" }),
    ],
    ['get configmaps/c: one object is in one namespace; "*" is for lists and watches', (c) => c.get(ConfigMap, "c", { namespace: "*" })],
    ['get nodes/n1: this resource is not namespaced; omit the namespace "shop"', (c) => c.get(anyNode, "n1", { namespace: "shop" })],
    ["get configmaps/a/b in shop: invalid resource name \"a/b\": [may not contain '/']", (c) => c.get(ConfigMap, "a/b")],
    ["get configmaps: the name is empty; pass the name of one object", (c) => c.get(ConfigMap, "")],
  ])("%s", async (message, call) => {
    const { client, server } = anything();
    await expect(call(client)).rejects.toThrow(new TypeError(message));
    expect(server.requests).toEqual([]);
  });
});

describe("responses of the client", () => {
  it("are errors that name the operation", async () => {
    const { client } = set([
      statusResponse(newConflict({ group: "apps", resource: "deployments" }, "web", "the object has been modified")),
      statusResponse(newNotFound({ group: "", resource: "nodes" }, "n1")),
    ]);
    const conflict: unknown = await client.update(Deployment, web).catch((error: unknown) => error);
    expect(isConflict(conflict)).toBe(true);
    expect(conflict).toMatchObject({ attempt: "update deployments/web in shop" });
    const missing: unknown = await client
      .resource(Node)
      .status.get("n1")
      .catch((error: unknown) => error);
    expect(isNotFound(missing)).toBe(true);
    expect(missing).toMatchObject({ attempt: "get nodes/n1/status" });
  });

  it("have apiVersion and kind, also items of lists, and a list with null items is empty", async () => {
    const { client } = set([
      jsonResponse({
        kind: "DeploymentList",
        apiVersion: "apps/v1",
        metadata: { resourceVersion: "7" },
        items: [{ metadata: { name: "a" } }],
      }),
      jsonResponse({ kind: "DeploymentList", apiVersion: "apps/v1", metadata: {}, items: null }),
      jsonResponse({ metadata: { name: "web" } }),
    ]);
    expect(await client.list(Deployment)).toEqual({
      kind: "DeploymentList",
      apiVersion: "apps/v1",
      metadata: { resourceVersion: "7" },
      items: [{ ...typed, metadata: { name: "a" } }],
    });
    expect((await client.list(Deployment)).items).toEqual([]);
    expect(await client.get(Deployment, "web")).toEqual({ ...typed, metadata: { name: "web" } });
  });

  it("log warnings, or pass them to onWarning", async () => {
    const clock = new ManualClock();
    const log = recordingLog(clock);
    const warned = jsonResponse({ metadata: {} }, { headers: { warning: '299 - "unknown field \\"x\\""' } });
    const options = { transport: scriptedTransport([warned, warned]), clock, log, namespace: "shop" };
    await createClient(options).get(ConfigMap, "c");
    expect(log.entries.map(({ level, message }) => [level, message])).toEqual([["warn", 'Warning: unknown field "x"']]);
    const heard: string[] = [];
    await createClient({ ...options, onWarning: ({ text }) => heard.push(text) }).get(ConfigMap, "c");
    expect(heard).toEqual(['unknown field "x"']);
    expect(log.entries).toHaveLength(1);
  });
});

describe("types of the client", () => {
  const { client } = anything();
  it("are those of the kind", () => {
    expectTypeOf(client.get(Deployment, "web")).resolves.toEqualTypeOf<Deployment>();
    expectTypeOf(client.list(Pod)).resolves.toEqualTypeOf<KubeList<Pod>>();
    expectTypeOf(client.watch(Pod)).toEqualTypeOf<AsyncIterableIterator<WatchEvent<Pod>, void, undefined>>();
    expectTypeOf(client.resource(Deployment).scale.get("web")).resolves.toEqualTypeOf<Scale>();
    expectTypeOf(client.resource(Node).status.get("n1")).resolves.toEqualTypeOf<Node>();
  });

  it("have the subresources of the kind, and no others", () => {
    const configMaps = client.resource(ConfigMap);
    // @ts-expect-error -- config maps have no status
    expect(configMaps.status).toBeUndefined();
    // @ts-expect-error -- deployments cannot be evicted
    expect(client.resource(Deployment).eviction).toBeUndefined();
    // @ts-expect-error -- the finalizers of a namespace can only be written
    expect(client.resource(Namespace).finalize.get).toBeUndefined();
    // @ts-expect-error -- the subresources of an unknown kind are unknown
    expect(client.resource(anyDeployment).scale).toBeDefined();
  });

  it("reject invalid calls", () => {
    const never = (): unknown[] => [
      // @ts-expect-error -- nodes are not namespaced
      client.get(Node, "n1", { namespace: "shop" }),
      // @ts-expect-error -- nodes are not namespaced
      client.resource(Node).status.get("n1", { namespace: "shop" }),
      // @ts-expect-error -- a deployment has no data
      client.create(Deployment, { metadata: {}, data: {} }),
      // @ts-expect-error -- what is applied has a name
      client.apply(Deployment, { metadata: {} }),
      // @ts-expect-error -- managedFields are the server's
      client.apply(Deployment, { metadata: { name: "web", managedFields: [{}] } }),
      // @ts-expect-error -- replicas are a number
      client.patch(Deployment, "web", { type: "merge", body: { spec: { replicas: "3" } } }),
      // @ts-expect-error -- a JSON patch is a list
      client.patch(Deployment, "web", { type: "json", body: {} }),
      // @ts-expect-error -- in a merge patch items of lists are complete
      client.patch(Pod, "web", { type: "merge", body: { spec: { containers: [{ image: "x" }] } } }),
      // @ts-expect-error -- a binding has a target
      client.resource(Pod).binding.create("web-0"),
      // @ts-expect-error -- not a policy
      client.delete(Pod, "web", { propagationPolicy: "orphan" }),
      // @ts-expect-error -- force is for apply
      client.update(Deployment, web, { force: true }),
    ];
    const fine = (): unknown[] => [
      client.patch(Pod, "web", { type: "strategic", body: { spec: { containers: [{ image: "x" }] } } }),
      client.apply(Pod, { metadata: { name: "web" }, spec: { containers: [{ name: "c", image: "x" }] } }),
      client.get(anyNode, "n1", { namespace: "shop" }),
    ];
    expect([never, fine]).toHaveLength(2);
  });
});
