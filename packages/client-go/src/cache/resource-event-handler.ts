/**
 * client-go's `ResourceEventHandler`: receives additions, updates and deletions.
 *
 *     informer → ResourceEventHandler → usually a key into a work queue
 */
import type { DeepReadonly } from "@drover/machinery";
import type { DeletedFinalStateUnknown } from "./deleted-final-state-unknown.ts";
import { lastKnownState } from "./deleted-final-state-unknown.ts";

/** A deleted object, or the tombstone of one whose deletion the watch missed. */
export type DeletedObject<T> = DeepReadonly<T> | DeletedFinalStateUnknown<DeepReadonly<T>>;

/**
 * Receives notifications one at a time: the next call follows when the previous one has returned or its promise has settled. Objects
 * belong to the cache: do not modify them. Errors are logged, and notifications continue.
 */
export interface ResourceEventHandler<T> {
  /** An object exists. `isInInitialList`: it existed when the informer, or this handler, started. */
  onAdd(object: DeepReadonly<T>, isInInitialList: boolean): void | Promise<void>;
  /** An object changed, or a resync is due: then both have the same resourceVersion. Several changes may be merged. */
  onUpdate(before: DeepReadonly<T>, object: DeepReadonly<T>): void | Promise<void>;
  /** An object was deleted: its final state, or a tombstone with the last known state if the watch missed the deletion. */
  onDelete(object: DeletedObject<T>): void | Promise<void>;
}

/** Functions of a handler; all are optional. */
export interface ResourceEventHandlerFuncs<T> {
  readonly addFunc?: (object: DeepReadonly<T>) => void | Promise<void>;
  readonly updateFunc?: (before: DeepReadonly<T>, object: DeepReadonly<T>) => void | Promise<void>;
  readonly deleteFunc?: (object: DeletedObject<T>) => void | Promise<void>;
}

/** The same, with `isInInitialList` for additions. */
export interface ResourceEventHandlerDetailedFuncs<T> extends Omit<ResourceEventHandlerFuncs<T>, "addFunc"> {
  readonly addFunc?: (object: DeepReadonly<T>, isInInitialList: boolean) => void | Promise<void>;
}

/** Returns a handler from functions. */
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

/** Options of `filteringResourceEventHandler`. */
export interface FilteringOptions<T> {
  /** Selects the objects that the handler receives. For a tombstone, it is called with the last known state. */
  readonly filterFunc: (object: DeepReadonly<T>) => boolean;
  readonly handler: ResourceEventHandler<T>;
}

/**
 * Returns a handler that receives only objects that pass a filter. An update after which an object passes is an addition; one after
 * which it no longer passes is a deletion.
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
