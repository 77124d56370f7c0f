/**
 * Limits the writes of one reporter about one object: 25 at once, then one every five minutes. An object that is always unhealthy gets a
 * few events instead of an endless number.
 *
 *     write wanted → EventSpamState.allows → yes, or not this time
 */
import { RecentMap } from "./recent-map.ts";

/** The limit per reporter and object. */
export interface EventSpamOptions {
  /** Number of writes at once. @default 25 */
  readonly burst?: number;
  /** Milliseconds until one more write is allowed. @default 300,000, five minutes */
  readonly refillMs?: number;
  /** Number of buckets to remember; the least recently used one is forgotten, and starts full when used again. @default 4096 */
  readonly entriesMax?: number;
}

interface Bucket {
  readonly tokens: number;
  readonly at: number;
}

/**
 * A token bucket per key. Guarantees: in any s milliseconds at most burst + s / refillMs writes are allowed while the key is remembered.
 */
export class EventSpamState {
  readonly #burst: number;
  readonly #refillMs: number;
  readonly #buckets: RecentMap<Bucket>;

  constructor({ burst = 25, refillMs = 300_000, entriesMax = 4096 }: EventSpamOptions = {}) {
    if (!(burst >= 1)) throw new RangeError(`events: burst must be at least 1, not ${burst}; use Infinity for no limit`);
    if (!(refillMs > 0)) throw new RangeError(`events: refillMs must be above 0, not ${refillMs}`);
    this.#burst = burst;
    this.#refillMs = refillMs;
    this.#buckets = new RecentMap(entriesMax);
  }

  /** Reports whether one more write is allowed now, and takes a token if so. */
  allows(key: string, nowMs: number): boolean {
    const { tokens, at } = this.#buckets.get(key) ?? { tokens: this.#burst, at: nowMs };
    const there = Math.min(this.#burst, tokens + (nowMs - at) / this.#refillMs);
    const isAllowed = there >= 1;
    this.#buckets.set(key, { tokens: isAllowed ? there - 1 : there, at: nowMs });
    return isAllowed;
  }
}
