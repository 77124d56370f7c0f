/** The `scale` subresource: replicas of any kind as a Scale object. */
import {
  applyPatch,
  builtInMergeType,
  emptyObjectOf,
  formatLabelSelector,
  getOwn,
  isJsonObject,
  newInternalError,
  parentManagedFields,
  recordUpdate,
  scaleManagedFields,
  setOwn,
} from "@drover/machinery";
import type { ApplyScope, JsonObject, JsonValue, PathElement, ReplicasPaths, Schema } from "@drover/machinery";
import { apiVersionOf, deepCopy } from "@drover/machinery";
import { schemaFor } from "@drover/api/schemas";
import { metaOf } from "../registry/meta-of.ts";
import type { Registry } from "../registry/registry.ts";
import type { Resource, ScalePaths } from "../registry/resource.ts";
import { StatusError } from "../status-error.ts";
import { jsonOf } from "../typed-object.ts";

export const scaleKind = { group: "autoscaling", version: "v1", kind: "Scale" } as const;
export const scaleSchema: Schema = schemaFor(scaleKind) ?? {};

/** Returns the Scale of an object. Throws a 500 when a custom object lacks its replicas field, unless `isLenient`. */
export function scaleOf(
  { scale, isCustom }: Resource,
  object: JsonObject,
  { isLenient = false }: { readonly isLenient?: boolean } = {},
): JsonObject {
  const paths = scale as ScalePaths;
  const replicas = read(object, paths.specReplicas);
  if (replicas === undefined && isCustom && !isLenient)
    throw new StatusError(newInternalError(`the spec replicas field ".${paths.specReplicas.join(".")}" does not exist`));
  const selector = paths.selector === undefined ? "" : selectorText(read(object, paths.selector));
  const { name, namespace, uid, resourceVersion, creationTimestamp } = metaOf(object);
  const metadata = jsonOf({ name, namespace, uid, resourceVersion, creationTimestamp });
  for (const [key, value] of Object.entries(metadata)) if (value === undefined) delete metadata[key];
  return {
    kind: "Scale",
    apiVersion: "autoscaling/v1",
    metadata,
    spec: replicas === undefined || replicas === 0 ? {} : { replicas },
    status: { replicas: read(object, paths.statusReplicas) ?? 0, ...(selector === "" ? {} : { selector }) },
  };
}

/** Returns a copy of the object with the replicas of a Scale. */
export function withReplicas({ scale }: Resource, object: JsonObject, scaled: JsonObject): JsonObject {
  const changed = deepCopy(object);
  const { specReplicas } = scale as ScalePaths;
  const spec = scaled["spec"];
  write(changed, specReplicas, (isJsonObject(spec) ? getOwn(spec, "replicas") : undefined) ?? 0);
  const { resourceVersion, uid } = metaOf(scaled);
  if (resourceVersion === undefined) delete metaOf(changed).resourceVersion;
  else metaOf(changed).resourceVersion = resourceVersion;
  if (uid !== undefined) metaOf(changed).uid = uid;
  return changed;
}

function read(object: JsonObject, path: readonly string[]): JsonValue | undefined {
  let value: JsonValue | undefined = object;
  for (const name of path) value = isJsonObject(value) ? getOwn(value, name) : undefined;
  return value ?? undefined;
}

function write(object: JsonObject, path: readonly string[], value: JsonValue): void {
  let place = object;
  for (const name of path.slice(0, -1)) {
    const next = getOwn(place, name);
    if (isJsonObject(next)) place = next;
    else setOwn<JsonValue>(place, name, (place = {}));
  }
  const last = path.at(-1);
  if (last !== undefined) setOwn<JsonValue>(place, last, value);
}

function selectorText(value: JsonValue | undefined): string {
  if (typeof value === "string") return value;
  if (!isJsonObject(value)) return "";
  // A ReplicationController has plain labels where other kinds have a label selector.
  const selector = "matchLabels" in value || "matchExpressions" in value ? value : { matchLabels: value };
  return formatLabelSelector(selector);
}

/** Returns the path of the replicas field in each served version, as managed fields write it. */
function replicasPaths(resource: Resource, registry: Registry): ReplicasPaths {
  const { group, plural } = resource.kind;
  const versions = registry.resources.filter(({ kind }) => kind.group === group && kind.plural === plural);
  return new Map(
    versions.map(({ kind, scale }) => [
      apiVersionOf(kind),
      scale === undefined ? null : scale.specReplicas.map((name): PathElement => `f:${name}`),
    ]),
  );
}

const scaleScope: ApplyScope = {
  apiVersion: "autoscaling/v1",
  kind: "Scale",
  subresource: "scale",
  emptyObject: emptyObjectOf(scaleSchema, "autoscaling/v1", "Scale"),
  typeOf: (apiVersion) => (apiVersion === "autoscaling/v1" ? builtInMergeType(scaleSchema) : undefined),
};

export interface ScaleWrite {
  readonly resource: Resource;
  readonly registry: Registry;
  /** The object before the change. */
  readonly current: JsonObject;
  readonly manager: string;
  readonly now: number;
  /** Called with the new Scale, which it may change, and the old one. */
  readonly admit: (scale: JsonObject, old: JsonObject) => Promise<void>;
}

/** Returns the object after an update of its Scale to `scaled`, with managed fields recorded. */
export async function recordScale(
  { resource, registry, current, manager, now, admit }: ScaleWrite,
  scaled: JsonObject,
): Promise<JsonObject> {
  const paths = replicasPaths(resource, registry);
  const entries = scaleManagedFields(managersOf(current), paths);
  const live = withEntries(scaleOf(resource, current, { isLenient: true }), entries);
  const { object } = recordUpdate({ scope: scaleScope, live, object: scaled, manager, now });
  await admit(object, live);
  return withParentEntries(resource, current, object, paths);
}

/** Returns the object after applying a configuration to its Scale. Throws a conflict. */
export async function applyScale(
  { resource, registry, current, manager, now, admit }: ScaleWrite,
  config: JsonObject,
  force: boolean,
): Promise<JsonObject> {
  const paths = replicasPaths(resource, registry);
  const entries = scaleManagedFields(managersOf(current), paths);
  const live = withEntries(scaleOf(resource, current, { isLenient: true }), entries);
  const result = applyPatch({
    scope: scaleScope,
    live,
    config,
    manager,
    force,
    now,
  });
  if (result.kind === "refused") throw new StatusError(result.status);
  await admit(result.object, live);
  return withParentEntries(resource, current, result.object, paths);
}

const managersOf = (object: JsonObject): JsonValue | undefined => read(object, ["metadata", "managedFields"]);

function withEntries(scale: JsonObject, entries: JsonObject[] | undefined): JsonObject {
  return entries === undefined ? scale : { ...scale, metadata: { ...(scale["metadata"] as JsonObject), managedFields: entries } };
}

function withParentEntries(resource: Resource, current: JsonObject, scaled: JsonObject, paths: ReplicasPaths): JsonObject {
  const changed = withReplicas(resource, current, scaled);
  const meta = metaOf(changed);
  const entries = parentManagedFields(managersOf(changed), managersOf(scaled), apiVersionOf(resource.kind), paths);
  if (entries === undefined) delete meta.managedFields;
  else meta.managedFields = entries;
  return changed;
}
