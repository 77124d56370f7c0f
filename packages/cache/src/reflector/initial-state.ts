/**
 * The state that the initial events of a watch-list add up to.
 *
 *     ADDED in the order of keys → list · everything else → later → versions(): both, merged
 *
 * Servers send the objects sorted by key, so a key that comes after all others is new, which takes no hash and no table of all keys.
 */
import type { KubeObject, ObjectKey } from "@drover/machinery";
import type { ObjectVersion } from "../source/object-version.ts";

/** Guarantees: `versions` has the last version of each key that was not deleted after it, in whatever order the events came. */
export class InitialState<T extends KubeObject> {
  readonly #list: ObjectVersion<T>[] = [];
  /** Key of the last of the list, which is the greatest. */
  #last = "";
  /** Events that came out of order, and their successors; undefined for a deletion. They hold for keys of the list, too. */
  readonly #later = new Map<ObjectKey, ObjectVersion<T> | undefined>();

  set(version: ObjectVersion<T>): void {
    const { key } = version;
    if (key > this.#last && (this.#later.size === 0 || !this.#later.has(key))) {
      this.#list.push(version);
      this.#last = key;
    } else this.#later.set(key, version);
  }

  delete(key: ObjectKey): void {
    this.#later.set(key, undefined);
  }

  versions(): readonly ObjectVersion<T>[] {
    const later = this.#later;
    if (later.size === 0) return this.#list;
    const found: ObjectVersion<T>[] = [];
    for (const version of this.#list) {
      const { key } = version;
      const current = later.has(key) ? later.get(key) : version;
      later.delete(key);
      if (current !== undefined) found.push(current);
    }
    for (const version of later.values()) if (version !== undefined) found.push(version);
    return found;
  }
}
