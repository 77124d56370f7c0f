/**
 * Managed fields of an object as its `scale` subresource shows them, and back. A Scale has one owned field, `spec.replicas`; which
 * field of the object it maps to depends on kind and version.
 *
 *     entries of the object → scaleManagedFields → recordUpdate or applyPatch on the Scale → parentManagedFields → entries of the object
 */
import type { JsonObject, JsonValue } from "../json/json-value.ts";
import { fieldSetOf, hasPath, isEmptyFieldSet, subtractFieldSet } from "./field-set.ts";
import { decodeManagedFields, encodeManagedFields } from "./managed-fields.ts";
import type { Manager } from "./managed-fields.ts";
import type { PathElement } from "./path-element.ts";

/** Path of the replicas by apiVersion; null for a version without the subresource. Managers of other versions are dropped. */
export type ReplicasPaths = ReadonlyMap<string, readonly PathElement[] | null>;

const scaleApiVersion = "autoscaling/v1";
const replicasInScale: readonly PathElement[] = ["f:spec", "f:replicas"];

/** Returns the entries of a Scale: one for every manager that owns the replicas. Throws for entries no server has written. */
export function scaleManagedFields(parentEntries: JsonValue | undefined, paths: ReplicasPaths): JsonObject[] | undefined {
  const scale = new Map<string, Manager>();
  for (const [identity, manager] of decodeManagedFields(parentEntries)) {
    const path = paths.get(manager.apiVersion) ?? null;
    if (path !== null && hasPath(manager.fields, path))
      scale.set(identity, { ...manager, apiVersion: scaleApiVersion, fields: fieldSetOf(replicasInScale) });
  }
  return encodeManagedFields(scale);
}

/**
 * Returns the entries of the object after those of its Scale became `scaleEntries`: who owns the replicas there owns them here, in
 * the version of the endpoint, and no one else does. Throws for entries no server has written.
 */
export function parentManagedFields(
  parentEntries: JsonValue | undefined,
  scaleEntries: JsonValue | undefined,
  apiVersion: string,
  paths: ReplicasPaths,
): JsonObject[] | undefined {
  const parents = decodeManagedFields(parentEntries);
  const scale = decodeManagedFields(scaleEntries);
  const result = new Map<string, Manager>();
  for (const [identity, manager] of parents) {
    const path = paths.get(manager.apiVersion);
    if (path === undefined) continue;
    if (path === null || !hasPath(manager.fields, path) || scale.delete(identity)) {
      result.set(identity, manager);
      continue;
    }
    const fields = subtractFieldSet(manager.fields, fieldSetOf(path));
    if (!isEmptyFieldSet(fields)) result.set(identity, { ...manager, fields });
  }
  const path = paths.get(apiVersion) ?? [];
  for (const [identity, manager] of scale) {
    if (!hasPath(manager.fields, replicasInScale)) continue;
    // The server takes the time from the managers of the object, where a new one has none.
    result.set(identity, { ...manager, apiVersion, time: parents.get(identity)?.time, fields: fieldSetOf(path) });
  }
  return encodeManagedFields(result);
}
