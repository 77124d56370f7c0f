/**
 * What a handler asks for: this key is to be reconciled, and that is why.
 *
 *     Change<T> → Handler<T> → Request: key, priority, cause → queue.addWith(key, { priority, cause })
 */
import type { Change } from "@drover/cache";
import type { KubeObject, ObjectKey } from "@drover/machinery";

/**
 * Something happened to an object in the cache. Rides beside the key and is no part of it: two changes of one key are
 * one run with two causes.
 */
export interface ChangeCause {
  readonly type: "change";
  /** How the key follows from the change: it is the object's own, its owner's, or the one a function made of it. */
  readonly via: "self" | "owner" | "mapped";
  /** The change itself. Its objects are read when somebody looks, so a cause that nobody asks about costs nothing but the reference. */
  readonly change: Change;
}

/** One key to be reconciled. `priority` and `cause` are what the queue's `addWith` takes. */
export interface Request {
  readonly key: ObjectKey;
  readonly priority: number;
  readonly cause: ChangeCause;
}

/**
 * Maps a change to the keys to reconcile. Must not enqueue or wait. It may update memory that the controller keeps itself (expectations, a
 * model of the cluster), and must then tolerate the same change twice.
 *
 * The handlers in this folder are pure and return each key once.
 */
export type Handler<T extends KubeObject = KubeObject> = (change: Change<T>) => readonly Request[];

/** The priority of what need not be hurried: objects that were there from the start, and resyncs. controller-runtime's LowPriority. */
export const lowPriority = -100;

/** The requests for these keys, each key once, in the order in which they come first. */
export function requestsFor<T extends KubeObject>(
  change: Change<T>,
  via: ChangeCause["via"],
  keys: Iterable<ObjectKey>,
): readonly Request[] {
  const priority = priorityOf(change);
  const cause: ChangeCause = { type: "change", via, change };
  const unique = Array.isArray(keys) && keys.length < 2 ? (keys as readonly ObjectKey[]) : [...new Set(keys)];
  return unique.map((key) => ({ key, priority, cause }));
}

/** Nobody waits for news that is none: the first list and resyncs give way to what really happened. */
function priorityOf(change: Change): number {
  const isNoNews = change.type === "added" ? change.isInInitialList : change.type === "updated" && change.isResync;
  return isNoNews ? lowPriority : 0;
}
