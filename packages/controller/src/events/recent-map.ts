/**
 * A map that keeps what was used last: memory that is bounded whatever names the events come under.
 *
 *     event-aggregation-state, event-spam-state, event-series-state → RecentMap
 */

/** Guarantees: never more than `sizeMax` entries; iterates from the one that was set longest ago to the one that was set last. */
export class RecentMap<V> {
  readonly #entries = new Map<string, V>();
  readonly #sizeMax: number;

  constructor(sizeMax: number) {
    if (!Number.isInteger(sizeMax) || sizeMax < 1)
      throw new RangeError(`the number of entries to keep must be a whole number above 0, not ${sizeMax}`);
    this.#sizeMax = sizeMax;
  }

  get size(): number {
    return this.#entries.size;
  }

  get(key: string): V | undefined {
    return this.#entries.get(key);
  }

  /** Makes this the latest entry. Returns the oldest one if it had to make room. */
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

  /** From the oldest to the latest. Entries may be deleted on the way. */
  values(): IterableIterator<V> {
    return this.#entries.values();
  }
}
