/** The objects of probes, as small as a server accepts them. */
import type { JsonObject, JsonValue } from "@drover/machinery";
import { applyMergePatch, isJsonObject } from "@drover/machinery";
import type { Answer } from "./exchange.ts";
import { objectOf, textAt, valueAt } from "./exchange.ts";
import type { ProbeSession } from "./session.ts";

export const configMap = (name: string, extra: JsonObject = {}): JsonObject => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  ...extra,
  metadata: metadata(name, extra),
});

const metadata = (name: string, { metadata: more }: JsonObject): JsonObject => ({ name, ...(isJsonObject(more) ? more : {}) });

export const container = (extra: JsonObject = {}): JsonObject => ({ name: "c", image: "example.com/c:1", ...extra });

export const pod = (name: string, spec: JsonObject = {}, meta: JsonObject = {}): JsonObject => ({
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name, ...meta },
  spec: { containers: [container()], ...spec },
});

/** The selector and the pods of a workload. */
export const workload = (spec: JsonObject = {}): JsonObject => ({
  selector: { matchLabels: { app: "web" } },
  template: podTemplate(),
  ...spec,
});

export const podTemplate = (spec: JsonObject = {}): JsonObject => ({
  metadata: { labels: { app: "web" } },
  spec: { containers: [container()], ...spec },
});

export const deployment = (name: string, spec: JsonObject = {}, meta: JsonObject = {}): JsonObject => ({
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: { name, ...meta },
  spec: workload(spec),
});

export const service = (name: string, spec: JsonObject = {}): JsonObject => ({
  apiVersion: "v1",
  kind: "Service",
  metadata: { name },
  spec: { ports: [{ port: 80 }], ...spec },
});

/** The object of an answer, changed; null removes a member. */
export const changed = (answer: Answer, change: JsonValue): JsonValue => applyMergePatch(objectOf(answer), change);

/** A structural schema with these properties in its spec, and a free status. */
export const schema = (spec: JsonObject, more: JsonObject = {}): JsonObject => ({
  openAPIV3Schema: {
    type: "object",
    properties: {
      spec: { type: "object", properties: spec },
      status: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
      ...more,
    },
  },
});

/** The fields that most probes of custom kinds need. */
export const widgetSpec: JsonObject = {
  size: { type: "integer", minimum: 0, maximum: 10, default: 3 },
  mode: { type: "string", enum: ["a", "b"] },
  name: { type: "string", maxLength: 5 },
  replicas: { type: "integer" },
  tags: { type: "array", items: { type: "string" }, "x-kubernetes-list-type": "set" },
  parts: {
    type: "array",
    items: { type: "object", properties: { key: { type: "string" }, value: { type: "string" } }, required: ["key"] },
    "x-kubernetes-list-type": "map",
    "x-kubernetes-list-map-keys": ["key"],
  },
  free: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
};

/** A definition of the kind Widget in the probe's group, with one version by default. */
export function widgetDefinition(
  { group }: ProbeSession,
  {
    version = {},
    versions,
    spec = {},
    names = {},
  }: {
    readonly version?: JsonObject;
    readonly versions?: JsonObject[];
    readonly spec?: JsonObject;
    readonly names?: JsonObject;
  } = {},
): JsonObject {
  const one = { name: "v1", served: true, storage: true, schema: schema(widgetSpec), ...version };
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `widgets.${group}` },
    spec: { group, scope: "Namespaced", names: { plural: "widgets", kind: "Widget", ...names }, versions: versions ?? [one], ...spec },
  };
}

export const definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

/** Defines a kind, unrecorded, waits until its first version is served, and returns the path of its collection in the probe's namespace. */
export async function define(session: ProbeSession, definition: JsonObject): Promise<string> {
  await session.quietly("POST", definitions, definition);
  return established(session, definition);
}

/** Waits until a kind is served. */
export async function established(session: ProbeSession, definition: JsonObject): Promise<string> {
  const body = { body: definition };
  const [name, plural, scope, version] = [
    ["metadata", "name"],
    ["spec", "names", "plural"],
    ["spec", "scope"],
    ["spec", "versions", "0", "name"],
  ].map((path) => textAt(body, ...path));
  await session.settle({ path: `${definitions}/${name}` }, (answer) => hasCondition(answer, "Established"));
  const resource = `${session.group}/${version}/${plural}`;
  const path = scope === "Cluster" ? session.all(resource) : session.in(resource);
  await session.settle({ path }, ({ status }) => status === 200);
  return path;
}

/** Whether an object's status has this condition with status True. */
export function hasCondition(answer: Answer, type: string): boolean {
  const conditions = valueAt(answer, "status", "conditions");
  return (
    Array.isArray(conditions) &&
    conditions.some((condition) => isJsonObject(condition) && condition["type"] === type && condition["status"] === "True")
  );
}

/** A Widget of the probe's group. */
export const widget = ({ group }: ProbeSession, name: string, extra: JsonObject = {}): JsonObject => ({
  apiVersion: `${group}/v1`,
  kind: "Widget",
  ...extra,
  metadata: metadata(name, extra),
});

/** The value of an Accept header for tables. */
export const asTable = "application/json;as=Table;v=v1;g=meta.k8s.io";
export const asPartial = "application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io";
export const asPartialList = "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io";
