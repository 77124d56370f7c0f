/**
 * Managed fields of an object as its `scale` subresource shows them, and back. A Scale has one field anybody owns, `spec.replicas`; which
 * field of the object that is differs from kind to kind and from version to version.
 *
 *     entries of the object → scaleManagedFields → recordUpdate or applyPatch on the Scale → parentManagedFields → entries of the object
 */
import type { JsonObject, JsonValue } from "../json/json-value.ts";
import { fieldSetOf, hasPath, isEmptyFieldSet, subtractFieldSet } from "./field-set.ts";
import { decodeManagedFields, encodeManagedFields } from "./managed-fields.ts";
import type { Manager } from "./managed-fields.ts";
import type { PathElement } from "./path-element.ts";

/** Where the number of replicas is, by apiVersion; null for a version without the subresource. Managers of other versions are forgotten. */
export type ReplicasPaths = ReadonlyMap<string, readonly PathElement[] | null>;

const scaleApiVersion = "autoscaling/v1";
const replicasInScale: readonly PathElement[] = ["f:spec", "f:replicas"];

/** The entries of a Scale: one for every manager that owns the number of replicas. Throws for entries no server has written. */
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
 * The entries of the object after those of its Scale have become `scaleEntries`: who owns the number there owns it here, in the version
 * of the endpoint, and nobody else does. Throws for entries no server has written.
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
    // The server looks for the time among the managers of the object, where a new one has none.
    result.set(identity, { ...manager, apiVersion, time: parents.get(identity)?.time, fields: fieldSetOf(path) });
  }
  return encodeManagedFields(result);
}
