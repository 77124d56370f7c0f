/**
 * What stands in the place of an object whose deletion was not seen: it was gone from a list. The state it carries is the last one known,
 * and there may have been later ones.
 */

export class DeletedFinalStateUnknown<T> {
  readonly key: string;
  /** The last state known; undefined when none was. */
  readonly obj: T | undefined;

  constructor(key: string, obj: T | undefined) {
    this.key = key;
    this.obj = obj;
  }
}

/** The object itself, whether its deletion was seen or not; undefined when nothing is known of it but its key. */
export function lastKnownState<T>(object: T | DeletedFinalStateUnknown<T>): T | undefined {
  return object instanceof DeletedFinalStateUnknown ? object.obj : object;
}
