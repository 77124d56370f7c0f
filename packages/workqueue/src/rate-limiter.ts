/**
 * How long a key that failed waits before it is tried again: the limiters of client-go under their names, in milliseconds.
 *
 *     queue.ts, rate-limiting-queue.ts → RateLimiter
 */
import { jittered } from "@drover/machinery";
import type { Random } from "@drover/machinery";

/** Decides about retries, key by key. Each queue needs one of its own. */
export interface RateLimiter<K> {
  /** How many milliseconds this key waits now. Asking counts as one more failure of the key. */
  when(key: K): number;
  /** The key is no longer retried, whether it succeeded or was given up: nothing about it is remembered. */
  forget(key: K): void;
  /** How often `when` was asked for this key since it was last forgotten. */
  numRequeues(key: K): number;
}

export interface ItemExponentialFailureOptions {
  /**
   * Lengthens every delay, the longest included, by a random part of up to `factor` times itself, so that what failed
   * together is not retried together. @default not at all, as client-go
   */
  readonly jitter?: { readonly factor: number; readonly random: Random };
}

/** Waits `baseDelayMs` × 2^failures, at most `maxDelayMs`. client-go's NewItemExponentialFailureRateLimiter. */
export function itemExponentialFailureRateLimiter<K>(
  baseDelayMs: number,
  maxDelayMs: number,
  { jitter }: ItemExponentialFailureOptions = {},
): RateLimiter<K> {
  checkDelay("itemExponentialFailureRateLimiter: baseDelayMs", baseDelayMs);
  checkDelay("itemExponentialFailureRateLimiter: maxDelayMs", maxDelayMs);
  return countingLimiter((failuresBefore) => {
    // Beyond 2^1000 the product would be infinite, or not a number when the base is 0.
    const delay = Math.min(baseDelayMs * 2 ** Math.min(failuresBefore, 1000), maxDelayMs);
    return jitter === undefined ? delay : jittered(delay, jitter.factor, jitter.random);
  });
}

/** Waits `fastDelayMs` the first `maxFastAttempts` times, `slowDelayMs` from then on. client-go's NewItemFastSlowRateLimiter. */
export function itemFastSlowRateLimiter<K>(fastDelayMs: number, slowDelayMs: number, maxFastAttempts: number): RateLimiter<K> {
  checkDelay("itemFastSlowRateLimiter: fastDelayMs", fastDelayMs);
  checkDelay("itemFastSlowRateLimiter: slowDelayMs", slowDelayMs);
  return countingLimiter((failuresBefore) => (failuresBefore < maxFastAttempts ? fastDelayMs : slowDelayMs));
}

/** Asks every limiter and takes the longest delay. client-go's NewMaxOfRateLimiter. */
export function maxOfRateLimiter<K>(...limiters: readonly RateLimiter<K>[]): RateLimiter<K> {
  return {
    // Every limiter must hear of it, so no short cut.
    when: (key) => limiters.reduce((longest, limiter) => Math.max(longest, limiter.when(key)), 0),
    forget: (key) => {
      for (const limiter of limiters) limiter.forget(key);
    },
    numRequeues: (key) => limiters.reduce((most, limiter) => Math.max(most, limiter.numRequeues(key)), 0),
  };
}

/** As the limiter says, but never longer than `maxDelayMs`. client-go's NewWithMaxWaitRateLimiter. */
export function withMaxWaitRateLimiter<K>(limiter: RateLimiter<K>, maxDelayMs: number): RateLimiter<K> {
  checkDelay("withMaxWaitRateLimiter: maxDelayMs", maxDelayMs);
  return {
    when: (key) => Math.min(limiter.when(key), maxDelayMs),
    forget: (key) => limiter.forget(key),
    numRequeues: (key) => limiter.numRequeues(key),
  };
}

function countingLimiter<K>(delayAfter: (failuresBefore: number) => number): RateLimiter<K> {
  const failures = new Map<K, number>();
  return {
    when: (key) => {
      const before = failures.get(key) ?? 0;
      failures.set(key, before + 1);
      return delayAfter(before);
    },
    forget: (key) => void failures.delete(key),
    numRequeues: (key) => failures.get(key) ?? 0,
  };
}

function checkDelay(what: string, delayMs: number): void {
  if (!(delayMs >= 0) || delayMs === Infinity)
    throw new RangeError(`${what} must be a finite number of milliseconds, zero or more, not ${delayMs}`);
}
