/**
 * Whoever wants to be told what happens to objects, in the form of the documents.
 *
 *     informer → ResourceEventHandler → usually a key into a work queue
 */
import type { DeepReadonly } from "@drover/machinery";
import type { DeletedFinalStateUnknown } from "./deleted-final-state-unknown.ts";
import { lastKnownState } from "./deleted-final-state-unknown.ts";

/** An object as handlers see it, or what is left of one whose deletion was missed. */
export type DeletedObject<T> = DeepReadonly<T> | DeletedFinalStateUnknown<DeepReadonly<T>>;

/**
 * Called one after the other, each when the one before has returned (or its promise has settled). Objects are the cache's own: look, do
 * not touch. What it throws is logged, and the next notification comes all the same.
 */
export interface ResourceEventHandler<T> {
  /** There is an object. `isInInitialList`: it was there when the informer, or this handler, began. */
  onAdd(object: DeepReadonly<T>, isInInitialList: boolean): void | Promise<void>;
  /** An object is different, or a resync is due: then both have the same resourceVersion. Several changes may have become one. */
  onUpdate(before: DeepReadonly<T>, object: DeepReadonly<T>): void | Promise<void>;
  /** An object is gone; the final state, or the last one known when the deletion was missed. */
  onDelete(object: DeletedObject<T>): void | Promise<void>;
}

/** A handler of which any part may be missing. */
export interface ResourceEventHandlerFuncs<T> {
  readonly addFunc?: (object: DeepReadonly<T>) => void | Promise<void>;
  readonly updateFunc?: (before: DeepReadonly<T>, object: DeepReadonly<T>) => void | Promise<void>;
  readonly deleteFunc?: (object: DeletedObject<T>) => void | Promise<void>;
}

/** The same, with additions told whether they were there at the beginning. */
export interface ResourceEventHandlerDetailedFuncs<T> extends Omit<ResourceEventHandlerFuncs<T>, "addFunc"> {
  readonly addFunc?: (object: DeepReadonly<T>, isInInitialList: boolean) => void | Promise<void>;
}

/** A handler from functions. */
export function resourceEventHandlerFuncs<T>({
  addFunc,
  updateFunc,
  deleteFunc,
}: ResourceEventHandlerDetailedFuncs<T>): ResourceEventHandler<T> {
  return {
    onAdd: (object, isInInitialList) => addFunc?.(object, isInInitialList),
    onUpdate: (before, object) => updateFunc?.(before, object),
    onDelete: (object) => deleteFunc?.(object),
  };
}

export interface FilteringOptions<T> {
  /** Which objects the handler is to know of. Sees the last known state of an object whose deletion was missed, too. */
  readonly filterFunc: (object: DeepReadonly<T>) => boolean;
  readonly handler: ResourceEventHandler<T>;
}

/**
 * A handler that knows only of objects a filter lets through. One that changes so that it is let through is an addition, one that
 * changes so that it is not any more is a deletion.
 */
export function filteringResourceEventHandler<T>({ filterFunc, handler }: FilteringOptions<T>): ResourceEventHandler<T> {
  return {
    onAdd: (object, isInInitialList) => (filterFunc(object) ? handler.onAdd(object, isInInitialList) : undefined),
    onUpdate: (before, object) => {
      const was = filterFunc(before);
      if (filterFunc(object)) return was ? handler.onUpdate(before, object) : handler.onAdd(object, false);
      return was ? handler.onDelete(before) : undefined;
    },
    onDelete: (object) => {
      const last = lastKnownState<DeepReadonly<T>>(object);
      return last !== undefined && filterFunc(last) ? handler.onDelete(object) : undefined;
    },
  };
}
