/**
 * Events that wait to be written, each once however often it was added: bounded, oldest first, with a delay after a failure.
 *
 *     put → take → done, or retry at a later time
 */

interface Waiting {
  readonly key: string;
  /** Number of attempts. */
  tries: number;
  notBeforeMs: number;
  isRunning: boolean;
  /** Whether it was added again while it was being written. */
  isAgain: boolean;
}

/** Guarantees: a key is taken by one writer at a time. `put` leaves at most `sizeMax` keys and never evicts one that is being written. */
export class EventOutboxState {
  readonly #sizeMax: number;
  readonly #entries = new Map<string, Waiting>();
  #running = 0;

  constructor(sizeMax: number) {
    if (!(sizeMax >= 1)) throw new RangeError(`events: queueMax must be at least 1, not ${sizeMax}`);
    this.#sizeMax = sizeMax;
  }

  /** Number of keys that wait or are being written. */
  get size(): number {
    return this.#entries.size;
  }

  /** Number of keys that are being written. */
  get running(): number {
    return this.#running;
  }

  /**
   * Adds a key. Returns the key evicted for it, if any: the one that has waited longest, which is this key if all others are being
   * written.
   */
  put(key: string): string | undefined {
    this.putAll([key]);
    if (this.#entries.size <= this.#sizeMax) return undefined;
    for (const { key: oldest, isRunning } of this.#entries.values()) {
      if (isRunning) continue;
      this.#entries.delete(oldest);
      return oldest;
    }
    return undefined;
  }

  /** Returns the keys that wait and are not being written. */
  waiting(): readonly string[] {
    return Array.from(this.#entries.values(), ({ key, isRunning }) => (isRunning ? undefined : key)).filter((key) => key !== undefined);
  }

  /** Removes a waiting key. Keys that are being written stay. */
  remove(key: string): void {
    if (this.#entries.get(key)?.isRunning === false) this.#entries.delete(key);
  }

  /** Adds keys regardless of the limit. */
  putAll(keys: Iterable<string>): void {
    for (const key of keys) {
      const known = this.#entries.get(key);
      if (known === undefined) this.#entries.set(key, { key, tries: 0, notBeforeMs: -Infinity, isRunning: false, isAgain: false });
      else if (known.isRunning) known.isAgain = true;
    }
  }

  /** Returns the oldest key that may be tried now. It counts as being written until `done` or `retry`. */
  take(nowMs: number): string | undefined {
    for (const entry of this.#entries.values()) {
      if (entry.isRunning || entry.notBeforeMs > nowMs) continue;
      entry.isRunning = true;
      entry.tries++;
      this.#running++;
      return entry.key;
    }
    return undefined;
  }

  /** Returns the number of attempts, including the current one. */
  tries(key: string): number {
    return this.#entries.get(key)?.tries ?? 0;
  }

  /** Removes a key that was written or given up. If it was added meanwhile, it waits again, behind the others. */
  done(key: string): void {
    const entry = this.#entries.get(key);
    if (entry?.isRunning !== true) return;
    this.#running--;
    this.#entries.delete(key);
    if (entry.isAgain) this.putAll([key]);
  }

  /** Returns a key whose write failed; it keeps its place but is not tried before `notBeforeMs`. */
  retry(key: string, notBeforeMs: number): void {
    const entry = this.#entries.get(key);
    if (entry?.isRunning !== true) return;
    this.#running--;
    entry.isRunning = false;
    entry.isAgain = false;
    entry.notBeforeMs = notBeforeMs;
  }

  /** Allows all waiting keys to be tried immediately. */
  hurry(): void {
    for (const entry of this.#entries.values()) entry.notBeforeMs = -Infinity;
  }

  /** Returns when the next key may be tried; Infinity if none waits. */
  nextAt(): number {
    let next = Infinity;
    for (const { isRunning, notBeforeMs } of this.#entries.values()) if (!isRunning) next = Math.min(next, notBeforeMs);
    return next;
  }
}
