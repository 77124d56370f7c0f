/**
 * The changes of one key that one handler has yet to receive: at most a deletion and, after it, the current state.
 *
 *     Pending + StoreChange → withChange → Pending        undefined if nothing is pending
 *     Pending → nextChange → the change to deliver now, and the rest
 *     a change on which the handler failed + later changes → withFailed → Pending
 *
 * Assumes: changes of a key arrive in the order of the store: added, then updates, then deleted, then perhaps added again.
 */
import type { KubeObject } from "@drover/machinery";
import type { AddedChange, DeletedChange, StoreChange, UpdatedChange } from "../store/change.ts";

export interface Pending<T extends KubeObject> {
  /** Deletion of an object that the handler knows. Delivered first. */
  readonly gone: DeletedChange<T> | undefined;
  /** Current state, as the handler will receive it. */
  readonly now: AddedChange<T> | UpdatedChange<T> | undefined;
  /** The handler received `now` and failed. It may know the object, so a deletion must be delivered. */
  readonly isTried: boolean;
}

/** Returns what is pending after one more change of the key; undefined if nothing is left to deliver. */
export function withChange<T extends KubeObject>(pending: Pending<T> | undefined, change: StoreChange<T>): Pending<T> | undefined {
  if (change.type === "added") return { gone: pending?.gone, now: change, isTried: false };
  if (change.type === "updated") return { gone: pending?.gone, now: withUpdate(pending?.now, change), isTried: pending?.isTried ?? false };
  const isKnown = pending?.now === undefined || pending.now.type === "updated" || pending.isTried;
  const gone = isKnown ? change : pending.gone;
  return gone === undefined ? undefined : { gone, now: undefined, isTried: false };
}

/** Returns the change to deliver now, and what is pending after it. */
export function nextChange<T extends KubeObject>({
  gone,
  now,
  isTried,
}: Pending<T>): readonly [change: StoreChange<T> | undefined, rest: Pending<T> | undefined] {
  if (gone === undefined) return [now, undefined];
  return [gone, now === undefined ? undefined : { gone: undefined, now, isTried }];
}

/** Returns what is pending when `failed` must be delivered again and `pending` arrived after it was taken. */
export function withFailed<T extends KubeObject>(failed: StoreChange<T>, pending: Pending<T> | undefined): Pending<T> {
  if (failed.type === "deleted") return { gone: failed, now: pending?.now, isTried: pending?.isTried ?? false };
  if (pending === undefined) return { gone: undefined, now: failed, isTried: true };
  // A deletion of the failed object, perhaps followed by a new object, replaces the failed change.
  if (pending.gone !== undefined || pending.now?.type !== "updated") return pending;
  return { gone: undefined, now: withUpdate(failed, pending.now), isTried: true };
}

/** Reports whether an object of the initial list is still to be delivered. */
export function isInitial<T extends KubeObject>(pending: Pending<T> | undefined): boolean {
  return pending?.now?.type === "added" && pending.now.isInInitialList;
}

const withUpdate = <T extends KubeObject>(
  now: AddedChange<T> | UpdatedChange<T> | undefined,
  update: UpdatedChange<T>,
): AddedChange<T> | UpdatedChange<T> => (now === undefined ? update : update.mergedWith(now));
