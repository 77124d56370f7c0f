/**
 * Delays of retries: client-go's rate limiters under their names, in milliseconds.
 *
 *     queue.ts, rate-limiting-queue.ts → RateLimiter
 */
import { jittered } from "@drover/machinery";
import type { Random } from "@drover/machinery";

/** Computes the delay of retries per key. Do not share one between queues. */
export interface RateLimiter<K> {
  /** Returns the delay of the next retry in milliseconds, and counts a failure of the key. */
  when(key: K): number;
  /** Drops what is known about a key that succeeded or is no longer retried. */
  forget(key: K): void;
  /** Returns the number of calls of `when` for the key since the last `forget`. */
  numRequeues(key: K): number;
}

/** Options of `itemExponentialFailureRateLimiter`. */
export interface ItemExponentialFailureOptions {
  /**
   * Lengthens every delay, including the maximum, by a random amount of up to `factor` times itself, so that keys that failed together
   * are not retried together. @default no jitter, as in client-go
   */
  readonly jitter?: { readonly factor: number; readonly random: Random };
}

/** Returns a limiter that waits `baseDelayMs` × 2^failures, at most `maxDelayMs`. client-go's NewItemExponentialFailureRateLimiter. */
export function itemExponentialFailureRateLimiter<K>(
  baseDelayMs: number,
  maxDelayMs: number,
  { jitter }: ItemExponentialFailureOptions = {},
): RateLimiter<K> {
  checkDelay("itemExponentialFailureRateLimiter: baseDelayMs", baseDelayMs);
  checkDelay("itemExponentialFailureRateLimiter: maxDelayMs", maxDelayMs);
  return countingLimiter((failuresBefore) => {
    // Beyond 2^1000 the product would be Infinity, or NaN if the base is 0.
    const delay = Math.min(baseDelayMs * 2 ** Math.min(failuresBefore, 1000), maxDelayMs);
    return jitter === undefined ? delay : jittered(delay, jitter.factor, jitter.random);
  });
}

/** Returns a limiter that waits `fastDelayMs` for `maxFastAttempts` retries, then `slowDelayMs`. client-go's NewItemFastSlowRateLimiter. */
export function itemFastSlowRateLimiter<K>(fastDelayMs: number, slowDelayMs: number, maxFastAttempts: number): RateLimiter<K> {
  checkDelay("itemFastSlowRateLimiter: fastDelayMs", fastDelayMs);
  checkDelay("itemFastSlowRateLimiter: slowDelayMs", slowDelayMs);
  return countingLimiter((failuresBefore) => (failuresBefore < maxFastAttempts ? fastDelayMs : slowDelayMs));
}

/** Returns a limiter that waits for the longest delay of all `limiters`. client-go's NewMaxOfRateLimiter. */
export function maxOfRateLimiter<K>(...limiters: readonly RateLimiter<K>[]): RateLimiter<K> {
  return {
    // Every limiter must count the failure, so no short circuit.
    when: (key) => limiters.reduce((longest, limiter) => Math.max(longest, limiter.when(key)), 0),
    forget: (key) => {
      for (const limiter of limiters) limiter.forget(key);
    },
    numRequeues: (key) => limiters.reduce((most, limiter) => Math.max(most, limiter.numRequeues(key)), 0),
  };
}

/** Caps the delays of a limiter at `maxDelayMs`. client-go's NewWithMaxWaitRateLimiter. */
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
