/**
 * The newest of many, in a fixed amount of memory.
 *
 *     runs, own writes → Ring.push → the oldest falls out
 */

/** Guarantees: never more than `sizeMax` items; pushing costs the same however many there were. */
export class Ring<T> {
  readonly #items: T[] = [];
  readonly #sizeMax: number;
  /** Where the next one goes once it is full. */
  #next = 0;

  constructor(sizeMax: number) {
    if (!Number.isInteger(sizeMax) || sizeMax < 1)
      throw new RangeError(`how many items are kept must be a whole number above 0, not ${sizeMax}`);
    this.#sizeMax = sizeMax;
  }

  get size(): number {
    return this.#items.length;
  }

  /** Adds the newest; returns the oldest if it had to make room. */
  push(item: T): T | undefined {
    if (this.#items.length < this.#sizeMax) {
      this.#items.push(item);
      return undefined;
    }
    const oldest = this.#items[this.#next];
    this.#items[this.#next] = item;
    this.#next = this.#next + 1 === this.#sizeMax ? 0 : this.#next + 1;
    return oldest;
  }

  /** By age: 0 is the oldest. */
  at(index: number): T | undefined {
    const place = this.#next + index;
    return this.#items[place < this.#items.length ? place : place - this.#items.length];
  }

  /** A copy, the oldest first. */
  items(): T[] {
    return [...this.#items.slice(this.#next), ...this.#items.slice(0, this.#next)];
  }
}
