/**
 * A map that keeps the most recently set entries, so that memory is bounded for any number of keys.
 *
 *     event-aggregation-state, event-spam-state, event-series-state → RecentMap
 */

/** Guarantees: at most `sizeMax` entries; iterates from the least to the most recently set one. */
export class RecentMap<V> {
  readonly #entries = new Map<string, V>();
  readonly #sizeMax: number;

  constructor(sizeMax: number) {
    if (!Number.isInteger(sizeMax) || sizeMax < 1) throw new RangeError(`entriesMax must be a whole number above 0, not ${sizeMax}`);
    this.#sizeMax = sizeMax;
  }

  get size(): number {
    return this.#entries.size;
  }

  get(key: string): V | undefined {
    return this.#entries.get(key);
  }

  /** Sets the most recent entry. Returns the evicted one if there was no room. */
  set(key: string, value: V): V | undefined {
    this.#entries.delete(key);
    this.#entries.set(key, value);
    if (this.#entries.size <= this.#sizeMax) return undefined;
    for (const [oldest, evicted] of this.#entries) {
      this.#entries.delete(oldest);
      return evicted;
    }
    return undefined;
  }

  delete(key: string): void {
    this.#entries.delete(key);
  }

  /** Returns the values from the least to the most recently set. Entries may be deleted during iteration. */
  values(): IterableIterator<V> {
    return this.#entries.values();
  }
}
