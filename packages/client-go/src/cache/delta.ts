/** client-go's `Delta`: a change of one object and the state after it. */
import { DeletedFinalStateUnknown } from "./deleted-final-state-unknown.ts";

/**
 * Added, Updated, Deleted: a watch event. Replaced: an item of a list. Sync: a resync, without a change.
 */
export type DeltaType = "Added" | "Updated" | "Deleted" | "Replaced" | "Sync";

/** A change of one object. */
export interface Delta<T> {
  readonly type: DeltaType;
  /** State after the change; for Deleted the last state, or a tombstone if the watch missed the deletion. */
  readonly object: T | DeletedFinalStateUnknown<T>;
}

/** Changes of one object since it was last popped: oldest first, never empty in a queue. */
export type Deltas<T> = readonly Delta<T>[];

/** Returns the oldest delta; undefined if there is none. */
export function oldest<T>(deltas: Deltas<T>): Delta<T> | undefined {
  return deltas[0];
}

/** Returns the newest delta; undefined if there is none. */
export function newest<T>(deltas: Deltas<T>): Delta<T> | undefined {
  return deltas.at(-1);
}

/** Appends a delta. Merges two deletions in a row: keeps the one with the final state, or else the first. */
export function pushDelta<T>(deltas: Delta<T>[], delta: Delta<T>): void {
  const last = newest(deltas);
  if (delta.type !== "Deleted" || last?.type !== "Deleted") deltas.push(delta);
  else if (last.object instanceof DeletedFinalStateUnknown) deltas[deltas.length - 1] = delta;
}
