/**
 * An ordered set of keys for an owner that knows which keys it has added: an array, which takes a fifth of the memory of a `Set`, and
 * needs no hash.
 *
 *     add: at the end · delete: remembered · read, or more deleted than present: copied without them
 */

/** Deleted keys up to this number are not worth a copy. */
const slack = 32;

/**
 * Assumes: a key is added only while it is absent, and deleted only while it is present. Guarantees: keys are returned in the order in
 * which they were added; memory is proportional to the number of keys.
 */
export class KeyList implements Iterable<string> {
  #keys: string[];
  /** For each deleted key, the position before which it counts as absent; a key that was added again comes after it. */
  readonly #absentBefore = new Map<string, number>();
  #deleted = 0;

  constructor(...keys: readonly string[]) {
    this.#keys = [...keys];
  }

  get size(): number {
    return this.#keys.length - this.#deleted;
  }

  /** Places in use, those of deleted keys included. */
  get slots(): number {
    return this.#keys.length;
  }

  add(key: string): void {
    this.#keys.push(key);
  }

  delete(key: string): void {
    this.#absentBefore.set(key, this.#keys.length);
    this.#deleted++;
    if (this.#deleted > this.size + slack) this.#compact();
  }

  /** The keys at the time of the call, and those added meanwhile. */
  [Symbol.iterator](): IterableIterator<string> {
    if (this.#deleted > 0) this.#compact();
    return this.#keys[Symbol.iterator]();
  }

  #compact(): void {
    this.#keys = this.#keys.filter((key, place) => place >= (this.#absentBefore.get(key) ?? 0));
    this.#absentBefore.clear();
    this.#deleted = 0;
  }
}
