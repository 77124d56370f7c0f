/**
 * Predicates about what an update changed. Additions and deletions always go on, and an update that changed nothing, a resync, does not:
 * each is defined as in controller-runtime.
 *
 *     Predicate<T> → generationChanged, labelChanged, annotationChanged, resourceVersionChanged, onlyStatusChanged
 */
import type { Change } from "@drover/cache";
import { jsonEqual } from "@drover/machinery";
import type { DeepReadonly, KubeObject } from "@drover/machinery";

/**
 * An update changed `metadata.generation`, which the server counts up with the spec and when a deletion begins. Changes of labels,
 * annotations, finalizers and status do not count, and neither does anything in kinds of which the server keeps no generation
 * (ConfigMaps, Secrets, …): their updates never go on.
 */
export function generationChanged(change: Change): boolean {
  return change.type !== "updated" || change.object.metadata.generation !== change.before.metadata.generation;
}

/** An update changed the labels. No labels and an empty set of them are the same. */
export function labelChanged(change: Change): boolean {
  return change.type !== "updated" || !jsonEqual(change.object.metadata.labels ?? {}, change.before.metadata.labels ?? {});
}

/** An update changed the annotations. No annotations and an empty set of them are the same. */
export function annotationChanged(change: Change): boolean {
  return change.type !== "updated" || !jsonEqual(change.object.metadata.annotations ?? {}, change.before.metadata.annotations ?? {});
}

/** An update is a new version: anything but a resync. */
export function resourceVersionChanged(change: Change): boolean {
  return change.type !== "updated" || change.object.metadata.resourceVersion !== change.before.metadata.resourceVersion;
}

/**
 * An update changed the status, or who owns which fields, and nothing else. `not(onlyStatusChanged)` is for controllers that write the
 * status and do not want to hear of it, and yet want to hear of labels, annotations and finalizers, which `generationChanged` would hide.
 *
 * Unlike the others this one does not hold for additions, deletions and resyncs, so that its opposite lets them through. Compares the
 * whole object: where generations are enough they are cheaper.
 */
export function onlyStatusChanged(change: Change): boolean {
  if (change.type !== "updated" || !resourceVersionChanged(change)) return false;
  return jsonEqual(withoutStatus(change.object), withoutStatus(change.before));
}

/**
 * What is left when all that a write of the status may change is taken away. The generation goes with it: kinds without
 * a status subresource count it up.
 */
function withoutStatus(object: DeepReadonly<KubeObject>): unknown {
  const { status: _status, metadata, ...rest } = object as DeepReadonly<KubeObject> & { readonly status?: unknown };
  const { resourceVersion: _version, managedFields: _fields, generation: _generation, ...meta } = metadata;
  return { ...rest, metadata: meta };
}
