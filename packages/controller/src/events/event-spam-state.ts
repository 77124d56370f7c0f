/**
 * How many writes about one object one reporter gets: 25 at once, and then one every five minutes. Whatever is always unhealthy is told
 * about a few times and not for ever.
 *
 *     write wanted → EventSpamState.allows → yes, or not this time
 */
import { RecentMap } from "./recent-map.ts";

/** How much is allowed. */
export interface EventSpamOptions {
  /** How many at once. @default 25 */
  readonly burst?: number;
  /** Milliseconds until one more is allowed. @default 300,000, five minutes */
  readonly refillMs?: number;
  /** How many buckets are remembered; those used longest ago are full again when they are forgotten. @default 4096 */
  readonly entriesMax?: number;
}

interface Bucket {
  readonly tokens: number;
  readonly at: number;
}

/**
 * A bucket of tokens for each key. Guarantees: in any span of s milliseconds no more than burst + s / refillMs are
 * allowed, for as long as the key is remembered.
 */
export class EventSpamState {
  readonly #burst: number;
  readonly #refillMs: number;
  readonly #buckets: RecentMap<Bucket>;

  constructor({ burst = 25, refillMs = 300_000, entriesMax = 4096 }: EventSpamOptions = {}) {
    if (!(burst >= 1)) throw new RangeError(`events: burst must be at least 1, not ${burst}; for no limit use Infinity`);
    if (!(refillMs > 0)) throw new RangeError(`events: refillMs must be above 0, not ${refillMs}`);
    this.#burst = burst;
    this.#refillMs = refillMs;
    this.#buckets = new RecentMap(entriesMax);
  }

  /** Whether one more is allowed now, which uses it up. */
  allows(key: string, nowMs: number): boolean {
    const { tokens, at } = this.#buckets.get(key) ?? { tokens: this.#burst, at: nowMs };
    const there = Math.min(this.#burst, tokens + (nowMs - at) / this.#refillMs);
    const isAllowed = there >= 1;
    this.#buckets.set(key, { tokens: isAllowed ? there - 1 : there, at: nowMs });
    return isAllowed;
  }
}
