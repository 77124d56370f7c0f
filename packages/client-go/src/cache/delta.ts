/** What happened to one object, and to which state it led: verb and payload. */
import { DeletedFinalStateUnknown } from "./deleted-final-state-unknown.ts";

/**
 * Added, Updated, Deleted: a watch said so. Replaced: it was in a list. Sync: nothing happened, but a resync was due.
 */
export type DeltaType = "Added" | "Updated" | "Deleted" | "Replaced" | "Sync";

export interface Delta<T> {
  readonly type: DeltaType;
  /** The state after the change; for Deleted the last one before it, or that and the doubt about it. */
  readonly object: T | DeletedFinalStateUnknown<T>;
}

/** What happened to one object since it was last handed out: oldest first, never empty in a queue. */
export type Deltas<T> = readonly Delta<T>[];

/** The first thing that happened; undefined when nothing did. */
export function oldest<T>(deltas: Deltas<T>): Delta<T> | undefined {
  return deltas[0];
}

/** The last thing that happened; undefined when nothing did. */
export function newest<T>(deltas: Deltas<T>): Delta<T> | undefined {
  return deltas.at(-1);
}

/** Adds one thing more. Of two deletions in a row one is kept: the one that knows the final state, or the first. */
export function pushDelta<T>(deltas: Delta<T>[], delta: Delta<T>): void {
  const last = newest(deltas);
  if (delta.type !== "Deleted" || last?.type !== "Deleted") deltas.push(delta);
  else if (last.object instanceof DeletedFinalStateUnknown) deltas[deltas.length - 1] = delta;
}
