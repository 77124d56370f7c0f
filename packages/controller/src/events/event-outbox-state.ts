/**
 * The events that wait to be written, each once however often it was put in: bounded, oldest first, with a pause after a failure.
 *
 *     put → take → done, or retry at a later time
 */

interface Waiting {
  readonly key: string;
  /** How often it was tried. */
  tries: number;
  notBeforeMs: number;
  isRunning: boolean;
  /** It was put in again while it was being written. */
  isAgain: boolean;
}

/**
 * Guarantees: a key is taken by one at a time; `put` leaves no more than `sizeMax` keys, those that are being written
 * included, and throws none of those out.
 */
export class EventOutboxState {
  readonly #sizeMax: number;
  readonly #entries = new Map<string, Waiting>();
  #running = 0;

  constructor(sizeMax: number) {
    if (!(sizeMax >= 1)) throw new RangeError(`events: queueMax must be at least 1, not ${sizeMax}`);
    this.#sizeMax = sizeMax;
  }

  /** Those that wait and those that are being written. */
  get size(): number {
    return this.#entries.size;
  }

  /** How many are being written. */
  get running(): number {
    return this.#running;
  }

  /**
   * Puts a key in. Gives the key that was thrown out for it: the one that has waited longest, which is this one if all
   * others are being written.
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

  /** Puts keys in whether there is room or not: for the last ones, of which no more will come. */
  putAll(keys: Iterable<string>): void {
    for (const key of keys) {
      const known = this.#entries.get(key);
      if (known === undefined) this.#entries.set(key, { key, tries: 0, notBeforeMs: -Infinity, isRunning: false, isAgain: false });
      else if (known.isRunning) known.isAgain = true;
    }
  }

  /** The key that has waited longest among those that may be tried now. It is being written from now on, until `done` or `retry`. */
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

  /** How often the key was tried, the attempt under way included. */
  tries(key: string): number {
    return this.#entries.get(key)?.tries ?? 0;
  }

  /** It has been written, or given up. If it was put in meanwhile it waits again, behind the others. */
  done(key: string): void {
    const entry = this.#entries.get(key);
    if (entry?.isRunning !== true) return;
    this.#running--;
    this.#entries.delete(key);
    if (entry.isAgain) this.putAll([key]);
  }

  /** It could not be written; it keeps its place but is not tried before that time. */
  retry(key: string, notBeforeMs: number): void {
    const entry = this.#entries.get(key);
    if (entry?.isRunning !== true) return;
    this.#running--;
    entry.isRunning = false;
    entry.isAgain = false;
    entry.notBeforeMs = notBeforeMs;
  }

  /** All that wait may be tried at once: there is no later time. */
  hurry(): void {
    for (const entry of this.#entries.values()) entry.notBeforeMs = -Infinity;
  }

  /** When the next key may be tried; Infinity when none waits. */
  nextAt(): number {
    let next = Infinity;
    for (const { isRunning, notBeforeMs } of this.#entries.values()) if (!isRunning) next = Math.min(next, notBeforeMs);
    return next;
  }
}
