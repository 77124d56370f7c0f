/**
 * What a handler returns for a change: the key to reconcile, its priority and the cause.
 *
 *     Change<T> → Handler<T> → Request: key, priority, cause → queue.addWith(key, { priority, cause })
 */
import type { Change } from "@drover/cache";
import type { KubeObject, ObjectKey } from "@drover/machinery";

/** A change to a cached object. Travels beside the key and is not part of it: two changes of one key give one run with two causes. */
export interface ChangeCause {
  readonly type: "change";
  /** How the key follows from the change: the object's own key, its owner's, or the result of a mapping function. */
  readonly via: "self" | "owner" | "mapped";
  /** The change itself. Its objects are parsed on first access, so an unread cause costs only the reference. */
  readonly change: Change;
}

/** One key to reconcile. `priority` and `cause` are options of the queue's `addWith`. */
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

/** Priority of objects in the first list and of resyncs, which are not urgent. controller-runtime's LowPriority. */
export const lowPriority = -100;

/** Returns one request per distinct key, in order of first occurrence. */
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

/** Objects of the first list and resyncs carry no news, so they yield to real changes. */
function priorityOf(change: Change): number {
  const isNoNews = change.type === "added" ? change.isInInitialList : change.type === "updated" && change.isResync;
  return isNoNews ? lowPriority : 0;
}
