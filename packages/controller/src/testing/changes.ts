/** Changes of small objects, for tests of predicates and handlers. */
import type { Added, Deleted, Updated } from "@drover/cache";
import { objectKeyOf } from "@drover/machinery";
import type { DeepReadonly, KubeObject } from "@drover/machinery";

/** Returns the change of an added object. */
export function added<T extends KubeObject>(object: DeepReadonly<T>, isInInitialList = false): Added<T> {
  return { type: "added", key: objectKeyOf(object), uid: object.metadata.uid ?? "", object, isInInitialList };
}

/** Returns the change of an updated object; a resync if nothing changed. */
export function updated<T extends KubeObject>(before: DeepReadonly<T>, object: DeepReadonly<T>): Updated<T> {
  return { type: "updated", key: objectKeyOf(object), uid: object.metadata.uid ?? "", object, before, isResync: before === object };
}

/** Returns the change of a deleted object. */
export function deleted<T extends KubeObject>(object: DeepReadonly<T>): Deleted<T> {
  return { type: "deleted", key: objectKeyOf(object), uid: object.metadata.uid ?? "", object, isFinalStateUnknown: false };
}
