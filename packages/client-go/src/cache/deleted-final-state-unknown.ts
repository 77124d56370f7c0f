/**
 * Tombstone of an object whose deletion the watch missed: it was absent from a list. It carries the last known state of the object, which
 * may be stale.
 */

/** Tombstone of an object whose deletion the watch missed. */
export class DeletedFinalStateUnknown<T> {
  readonly key: string;
  /** Last known state; undefined if none is known. */
  readonly obj: T | undefined;

  constructor(key: string, obj: T | undefined) {
    this.key = key;
    this.obj = obj;
  }
}

/** Returns the object, also from a tombstone; undefined if only its key is known. */
export function lastKnownState<T>(object: T | DeletedFinalStateUnknown<T>): T | undefined {
  return object instanceof DeletedFinalStateUnknown ? object.obj : object;
}
