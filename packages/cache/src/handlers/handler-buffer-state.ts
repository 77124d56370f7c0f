/**
 * What one handler is still to be told about one key: at most a deletion and, after it, what is there now.
 *
 *     Pending + Notice → withNotice → Pending        nothing pending is undefined
 *     Pending → nextNotice → the one to tell now, and the rest
 *     a notice that failed + what came meanwhile → withFailed → Pending
 *
 * Assumes that notices of a key come as a store makes them: added, then updates, then deleted, then perhaps added again.
 */
import type { KubeObject } from "@drover/machinery";
import type { AddedNotice, DeletedNotice, Notice, UpdatedNotice } from "../store/notice.ts";

export interface Pending<T extends KubeObject> {
  /** An object the handler knows of is gone. Told first. */
  readonly gone: DeletedNotice<T> | undefined;
  /** What is there now and how the handler is to hear of it. */
  readonly now: AddedNotice<T> | UpdatedNotice<T> | undefined;
  /** The handler was told of `now` and failed: it may have taken note, so its deletion must not pass in silence. */
  readonly isTried: boolean;
}

/** What is pending after one more notice of the key; undefined when there is nothing left to tell. */
export function withNotice<T extends KubeObject>(pending: Pending<T> | undefined, notice: Notice<T>): Pending<T> | undefined {
  if (notice.type === "added") return { gone: pending?.gone, now: notice, isTried: false };
  if (notice.type === "updated") return { gone: pending?.gone, now: withUpdate(pending?.now, notice), isTried: pending?.isTried ?? false };
  const isKnown = pending?.now === undefined || pending.now.type === "updated" || pending.isTried;
  const gone = isKnown ? notice : pending.gone;
  return gone === undefined ? undefined : { gone, now: undefined, isTried: false };
}

/** The notice to tell now, and what is pending after it. */
export function nextNotice<T extends KubeObject>({
  gone,
  now,
  isTried,
}: Pending<T>): readonly [notice: Notice<T> | undefined, rest: Pending<T> | undefined] {
  if (gone === undefined) return [now, undefined];
  return [gone, now === undefined ? undefined : { gone: undefined, now, isTried }];
}

/** What is pending when `failed` must be told again and `pending` came after it was taken. */
export function withFailed<T extends KubeObject>(failed: Notice<T>, pending: Pending<T> | undefined): Pending<T> {
  if (failed.type === "deleted") return { gone: failed, now: pending?.now, isTried: pending?.isTried ?? false };
  if (pending === undefined) return { gone: undefined, now: failed, isTried: true };
  // The deletion of what failed, perhaps followed by something new, says all there is to say.
  if (pending.gone !== undefined || pending.now?.type !== "updated") return pending;
  return { gone: undefined, now: withUpdate(failed, pending.now), isTried: true };
}

/** Whether an object of the initial list is still untold. */
export function isInitial<T extends KubeObject>(pending: Pending<T> | undefined): boolean {
  return pending?.now?.type === "added" && pending.now.isInInitialList;
}

function withUpdate<T extends KubeObject>(
  now: AddedNotice<T> | UpdatedNotice<T> | undefined,
  update: UpdatedNotice<T>,
): AddedNotice<T> | UpdatedNotice<T> {
  if (now === undefined) return update;
  if (now.type === "added") return { ...now, version: update.version };
  return { ...update, before: now.before, isResync: now.isResync && update.isResync };
}
