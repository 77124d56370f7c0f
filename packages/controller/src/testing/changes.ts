/** Changes of small objects, for tests of predicates and handlers. */
import type { Added, Deleted, Updated } from "@drover/cache";
import { objectKeyOf } from "@drover/machinery";
import type { DeepReadonly, KubeObject } from "@drover/machinery";

/** An object that came. */
export function added<T extends KubeObject>(object: DeepReadonly<T>, isInInitialList = false): Added<T> {
  return { type: "added", key: objectKeyOf(object), uid: object.metadata.uid ?? "", object, isInInitialList };
}

/** An object that changed; when nothing did, that is a resync. */
export function updated<T extends KubeObject>(before: DeepReadonly<T>, object: DeepReadonly<T>): Updated<T> {
  return { type: "updated", key: objectKeyOf(object), uid: object.metadata.uid ?? "", object, before, isResync: before === object };
}

/** An object that went. */
export function deleted<T extends KubeObject>(object: DeepReadonly<T>): Deleted<T> {
  return { type: "deleted", key: objectKeyOf(object), uid: object.metadata.uid ?? "", object, isFinalStateUnknown: false };
}
