/**
 * Predicates on what an update changed. They pass additions and deletions, and drop resyncs, as in controller-runtime. After a restore of
 * the server from a backup, equal generations and resource versions do not prove equal content, so such updates pass.
 *
 *     Predicate<T> → generationChanged, labelChanged, annotationChanged, resourceVersionChanged, onlyStatusChanged
 */
import type { Change } from "@drover/cache";
import { jsonEqual } from "@drover/machinery";
import type { DeepReadonly, KubeObject } from "@drover/machinery";

/**
 * Passes updates that changed `metadata.generation`, which the server increments when the spec changes and when a deletion starts. Drops
 * updates of labels, annotations, finalizers and status, and all updates of kinds for which the server keeps no generation (ConfigMaps,
 * Secrets, …).
 */
export function generationChanged(change: Change): boolean {
  if (change.type !== "updated" || change.isNewEpoch === true) return true;
  return change.object.metadata.generation !== change.before.metadata.generation;
}

/** Passes updates that changed the labels. Missing labels equal an empty set. */
export function labelChanged(change: Change): boolean {
  return change.type !== "updated" || !jsonEqual(change.object.metadata.labels ?? {}, change.before.metadata.labels ?? {});
}

/** Passes updates that changed the annotations. Missing annotations equal an empty set. */
export function annotationChanged(change: Change): boolean {
  return change.type !== "updated" || !jsonEqual(change.object.metadata.annotations ?? {}, change.before.metadata.annotations ?? {});
}

/** Passes updates with a new resource version: all except resyncs. */
export function resourceVersionChanged(change: Change): boolean {
  if (change.type !== "updated" || change.isNewEpoch === true) return true;
  return change.object.metadata.resourceVersion !== change.before.metadata.resourceVersion;
}

/**
 * Holds for updates that changed only the status or `managedFields`. Use `not(onlyStatusChanged)` in controllers that write status and need
 * updates of labels, annotations and finalizers, which `generationChanged` drops.
 *
 * Unlike the others it is false for additions, deletions and resyncs, so that its negation passes them. Compares whole objects;
 * `generationChanged` is cheaper where it suffices.
 */
export function onlyStatusChanged(change: Change): boolean {
  if (change.type !== "updated" || !resourceVersionChanged(change)) return false;
  return jsonEqual(withoutStatus(change.object), withoutStatus(change.before));
}

/**
 * Returns the object without everything a status write may change, including the generation: without a status subresource, a status write
 * increments it.
 */
function withoutStatus(object: DeepReadonly<KubeObject>): unknown {
  const { status: _status, metadata, ...rest } = object as DeepReadonly<KubeObject> & { readonly status?: unknown };
  const { resourceVersion: _version, managedFields: _fields, generation: _generation, ...meta } = metadata;
  return { ...rest, metadata: meta };
}
