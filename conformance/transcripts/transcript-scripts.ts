/**
 * The requests to a real API server whose answers check every file in machinery/src/wire.
 *
 * Our own code writes paths and queries wherever it can; invalid ones are written by hand. `<rv of x>`, `<uid of x>`
 * and `<continue of x>` stand for values in the answer to step x.
 */
import {
  encodeDeleteOptions,
  encodeGetOptions,
  encodeJson,
  encodeListOptions,
  encodeWriteOptions,
  formatResourcePath,
  partialObjectMetadataAccept,
  partialObjectMetadataListAccept,
  patchContentType,
  tableAccept,
} from "@drover/machinery";
import type { ResourcePath } from "@drover/machinery";

export interface Step {
  readonly name: string;
  /** How the server classifies the request: "list", "watch" … */
  readonly verb: string;
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Makes the server forget all older versions first. */
  readonly compact?: boolean;
}

const namespace = "transcripts";
const configMaps: ResourcePath = { group: "", version: "v1", resource: "configmaps", namespace };
const widgets: ResourcePath = { group: "drover.test", version: "v1", resource: "widgets", namespace };
const widgetCrd: ResourcePath = { group: "apiextensions.k8s.io", version: "v1", resource: "customresourcedefinitions" };
const pods: ResourcePath = { group: "", version: "v1", resource: "pods", namespace };

const at = (path: ResourcePath, query = ""): string => `${formatResourcePath(path)}${query === "" ? "" : `?${query}`}`;
const json = { "content-type": "application/json" };
const get = (name: string, path: string, headers?: Step["headers"]): Step => ({
  name,
  verb: "get",
  method: "GET",
  path,
  ...(headers === undefined ? {} : { headers }),
});
const list = (name: string, path: string, headers?: Step["headers"]): Step => ({ ...get(name, path, headers), verb: "list" });
const watch = (name: string, path: string, headers?: Step["headers"]): Step => ({ ...get(name, path, headers), verb: "watch" });
const create = (name: string, path: string, body: unknown): Step => ({
  name,
  verb: "create",
  method: "POST",
  path,
  headers: json,
  body: typeof body === "string" ? body : encodeJson(body),
});
const update = (name: string, path: string, body: unknown): Step => ({ ...create(name, path, body), verb: "update", method: "PUT" });
const patch = (name: string, path: string, type: "json" | "merge" | "strategic" | "apply", body: unknown): Step => ({
  name,
  verb: "patch",
  method: "PATCH",
  path,
  headers: { "content-type": patchContentType(type) },
  body: encodeJson(body),
});
const remove = (name: string, path: string, body?: unknown): Step => ({
  name,
  verb: "delete",
  method: "DELETE",
  path,
  ...(body === undefined ? {} : { headers: json, body: encodeJson(body) }),
});
const removeAll = (name: string, path: string): Step => ({ ...remove(name, path), verb: "deletecollection" });
const configMap = (name: string, data: Readonly<Record<string, string>> = {}, metadata: object = {}): unknown => ({
  kind: "ConfigMap",
  apiVersion: "v1",
  metadata: { name, ...metadata },
  data,
});

const setUp: readonly Step[] = [create("namespace", "/api/v1/namespaces", { metadata: { name: namespace } })];

/** One object: all verbs, all patches, all errors with a Status of their own. */
const objects: readonly Step[] = [
  create(
    "create",
    at(configMaps, encodeWriteOptions({ fieldManager: "drover", fieldValidation: "Strict" })),
    configMap("a", { text: "<b>&\u2028é𝒳", ["__proto__"]: "x", "10": "ten", "9": "nine" }),
  ),
  get("get", at({ ...configMaps, name: "a" }, encodeGetOptions({ resourceVersion: "0" }))),
  create("create again", at(configMaps), configMap("a")),
  create("create dry", at(configMaps, encodeWriteOptions({ dryRun: ["All"] })), configMap("dry")),
  get("get missing", at({ ...configMaps, name: "missing" })),
  get("get exported", at({ ...configMaps, name: "a" }, "export=true")),
  update("update", at({ ...configMaps, name: "a" }), configMap("a", { n: "1" }, { resourceVersion: "<rv of create>" })),
  update("update stale", at({ ...configMaps, name: "a" }), configMap("a", { n: "2" }, { resourceVersion: "<rv of create>" })),
  patch("patch json", at({ ...configMaps, name: "a" }), "json", [{ op: "add", path: "/data/j", value: "1" }]),
  patch("patch merge", at({ ...configMaps, name: "a" }), "merge", { data: { m: "1" } }),
  patch("patch strategic", at({ ...configMaps, name: "a" }), "strategic", { data: { s: "1" } }),
  patch(
    "patch apply",
    at({ ...configMaps, name: "a" }, encodeWriteOptions({ fieldManager: "applier", force: true })),
    "apply",
    configMap("a", { n: "3" }),
  ),
  patch("patch apply without manager", at({ ...configMaps, name: "a" }), "apply", configMap("a", { n: "3" })),
  patch(
    "patch apply with conflict",
    at({ ...configMaps, name: "a" }, encodeWriteOptions({ fieldManager: "other" })),
    "apply",
    configMap("a", { n: "4" }),
  ),
  patch("patch merge with force", at({ ...configMaps, name: "a" }, encodeWriteOptions({ force: true })), "merge", {}),
  create("create invalid", at(configMaps), configMap("Not A Name")),
  create("create without JSON", at(configMaps), '{"metadata":{"name":"a"} oops}'),
  create(
    "create with duplicates",
    at(configMaps, encodeWriteOptions({ fieldValidation: "Strict" })),
    '{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"dup"},"data":{"a":"1","a":"2"}}',
  ),
  create("create with wrong type", at(configMaps), '{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"bad"},"data":{"a":1}}'),
  create("create with options", at(configMaps, "dryRun=Some&fieldManager=a%0Ab&fieldValidation=Never"), configMap("x")),
  remove("delete with wrong uid", at({ ...configMaps, name: "a" }), { preconditions: { uid: "00000000-0000-0000-0000-00000000dead" } }),
  remove(
    "delete with wrong uid in the query",
    at({ ...configMaps, name: "a" }, encodeDeleteOptions({ preconditions: { uid: "00000000-0000-0000-0000-00000000dead" } })),
  ),
  remove("delete with options", at({ ...configMaps, name: "a" }, "propagationPolicy=Never&orphanDependents=true&dryRun=Some")),
  remove("delete with bad number", at({ ...configMaps, name: "a" }, "gracePeriodSeconds=abc")),
  remove("delete", at({ ...configMaps, name: "a" }, `${encodeDeleteOptions({ propagationPolicy: "Background" })}&uid=<uid of create>`)),
  remove("delete again", at({ ...configMaps, name: "a" }), { propagationPolicy: "Background" }),
];

const lists: readonly Step[] = [
  list("empty", at(configMaps)),
  ...["a", "b", "c"].map((name) => create(`create ${name}`, at(configMaps), configMap(name, {}, { labels: { letter: name } }))),
  list("all", at(configMaps)),
  list("page 1", at(configMaps, encodeListOptions({ limit: 2 }))),
  list("page 2", at(configMaps, `${encodeListOptions({ limit: 2 })}&continue=<continue of page 1>`)),
  list("by label", at(configMaps, encodeListOptions({ labelSelector: "letter in (a,c)", limit: 500 }))),
  list("by name", at(configMaps, encodeListOptions({ fieldSelector: "metadata.name=b" }))),
  list("not older than", at(configMaps, `${encodeListOptions({ resourceVersionMatch: "NotOlderThan" })}&resourceVersion=<rv of create c>`)),
  list("exactly", at(configMaps, `${encodeListOptions({ resourceVersionMatch: "Exact" })}&resourceVersion=<rv of create a>`)),
  ...[
    "limit=abc",
    "timeoutSeconds=x",
    "resourceVersionMatch=Exact",
    "resourceVersionMatch=Exact&resourceVersion=0",
    "resourceVersionMatch=Some&resourceVersion=5",
    "sendInitialEvents=true",
    "labelSelector=%3D%3D",
    "fieldSelector=spec.nodeName%3Dx",
    "continue=abc",
    "resourceVersion=abc",
  ].map((query) => list(`bad ${query}`, at(configMaps, query))),
  list("future", at(configMaps, "resourceVersion=99999999&resourceVersionMatch=Exact")),
  removeAll("delete collection", at(configMaps, encodeListOptions({ labelSelector: "letter=a" }))),
  removeAll("delete collection with bad options", at(configMaps, "limit=1&resourceVersionMatch=Exact")),
];

const watches: readonly Step[] = [
  create("create", at(configMaps), configMap("w", { text: "<é>" })),
  update("update", at({ ...configMaps, name: "w" }), configMap("w", { text: "2" })),
  remove("delete", at({ ...configMaps, name: "w" })),
  create("create other", at(configMaps), configMap("o")),
  watch("since a version", at(configMaps, `${encodeListOptions({ watch: true, timeoutSeconds: 1 })}&resourceVersion=<rv of create>`)),
  watch(
    "present state",
    at(
      configMaps,
      encodeListOptions({
        watch: true,
        timeoutSeconds: 1,
        allowWatchBookmarks: true,
        sendInitialEvents: true,
        resourceVersionMatch: "NotOlderThan",
      }),
    ),
  ),
  watch("from the beginning", at(configMaps, encodeListOptions({ watch: true, timeoutSeconds: 1 }))),
  watch("one object", at(configMaps, encodeListOptions({ watch: true, timeoutSeconds: 1, fieldSelector: "metadata.name=o" }))),
  watch("the old way", `/api/v1/watch/namespaces/${namespace}/configmaps?timeoutSeconds=1`),
  watch("metadata", at(configMaps, encodeListOptions({ watch: true, timeoutSeconds: 1 })), { accept: partialObjectMetadataAccept }),
  watch("table", at(configMaps, encodeListOptions({ watch: true, timeoutSeconds: 1 })), { accept: tableAccept }),
  ...["watch=1&sendInitialEvents=true", "watch=1&resourceVersionMatch=Exact", "watch=1&resourceVersion=abc", "watch=true&limit=x"].map(
    (query) => watch(`bad ${query}`, at(configMaps, query)),
  ),
];

const customResources: readonly Step[] = [
  create("define", at(widgetCrd), {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: "widgets.drover.test" },
    spec: {
      group: "drover.test",
      scope: "Namespaced",
      names: { plural: "widgets", singular: "widget", kind: "Widget", listKind: "WidgetList" },
      versions: [
        {
          name: "v1",
          served: true,
          storage: true,
          schema: {
            openAPIV3Schema: { type: "object", properties: { spec: { type: "object", "x-kubernetes-preserve-unknown-fields": true } } },
          },
        },
      ],
    },
  }),
  // The path appears some moments after the definition; the recorder retries until it does.
  list("wait", at(widgets)),
  create(
    "create",
    at(widgets),
    '{"apiVersion":"drover.test/v1","kind":"Widget","metadata":{"name":"w"},"spec":{"big":9007199254740993,"max":9223372036854775807,"beyond":12345678901234567890,"one":1.0,"thousand":1e3,"zero":-0,"half":1.50,"exp":1e21,"__proto__":{"a":1},"":2,"a.b":"<>&","embedded":{"metadata":{"managedFields":[{"manager":"]}"}],"name":"x"}}}}',
  ),
  create("create with overflow", at(widgets), '{"apiVersion":"drover.test/v1","kind":"Widget","metadata":{"name":"o"},"spec":{"n":1e400}}'),
  create("create second", at(widgets), { apiVersion: "drover.test/v1", kind: "Widget", metadata: { name: "x" }, spec: {} }),
  get("get", at({ ...widgets, name: "w" })),
  list("list", at(widgets)),
  list("page", at(widgets, encodeListOptions({ limit: 1 }))),
  {
    ...list("expired page", at(widgets, `limit=1&continue=${base64Url('{"v":"meta.k8s.io/v1","rv":1,"start":"a\\u0000"}')}`)),
    compact: true,
  },
  watch("watch", at(widgets, encodeListOptions({ watch: true, timeoutSeconds: 1, allowWatchBookmarks: true }))),
  watch("watch from long ago", at(widgets, encodeListOptions({ watch: true, timeoutSeconds: 1, resourceVersion: "1" }))),
  get("metadata", at({ ...widgets, name: "w" }), { accept: partialObjectMetadataAccept }),
  list("table", at(widgets), { accept: tableAccept }),
  get("missing", at({ ...widgets, name: "none" })),
];

const representations: readonly Step[] = [
  create("create", at(pods), { metadata: { name: "p" }, spec: { containers: [{ name: "c", image: "i" }] } }),
  list("table", at(pods), { accept: tableAccept }),
  get("table of one", at({ ...pods, name: "p" }, "includeObject=None"), { accept: tableAccept }),
  get("table with bad rows", at({ ...pods, name: "p" }, "includeObject=Some"), { accept: tableAccept }),
  get("metadata", at({ ...pods, name: "p" }), { accept: partialObjectMetadataAccept }),
  list("metadata list", at(pods), { accept: partialObjectMetadataListAccept }),
  list("metadata for a list", at(pods), { accept: partialObjectMetadataAccept }),
  list("unknown conversion", at(pods), { accept: "application/json;as=Teapot;g=meta.k8s.io;v=v1" }),
  list("unknown type", at(pods), { accept: "text/html" }),
  { ...create("unknown body", at(pods), {}), headers: { "content-type": "text/html" } },
  list("unknown resource", "/api/v1/teapots"),
  { ...list("wrong method", at(pods)), method: "OPTIONS", verb: "" },
  remove("delete at once", at({ ...pods, name: "p" }, encodeDeleteOptions({ gracePeriodSeconds: 0 }))),
];

/** One recording each, in this order, against the same server. */
export const scripts: Readonly<Record<string, readonly Step[]>> = {
  "set-up": setUp,
  objects,
  lists,
  watches,
  "custom-resources": customResources,
  representations,
};

function base64Url(text: string): string {
  return Buffer.from(text).toString("base64url");
}
