/**
 * Keeps the newest items in bounded memory.
 *
 *     runs, own writes → Ring.push → the oldest is dropped
 */

/** Guarantees: at most `sizeMax` items; `push` takes constant time. */
export class Ring<T> {
  readonly #items: T[] = [];
  readonly #sizeMax: number;
  /** Index of the next item once the ring is full. */
  #next = 0;

  constructor(sizeMax: number) {
    if (!Number.isInteger(sizeMax) || sizeMax < 1)
      throw new RangeError(`the number of items to keep must be a whole number above 0, not ${sizeMax}`);
    this.#sizeMax = sizeMax;
  }

  get size(): number {
    return this.#items.length;
  }

  /** Adds an item; returns the oldest one if it was dropped. */
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

  /** Returns an item by age: 0 is the oldest. */
  at(index: number): T | undefined {
    const place = this.#next + index;
    return this.#items[place < this.#items.length ? place : place - this.#items.length];
  }

  /** Returns a copy, oldest first. */
  items(): T[] {
    return [...this.#items.slice(this.#next), ...this.#items.slice(0, this.#next)];
  }
}
