/**
 * One bucket of tokens for all keys: bounds retries altogether, not key by key.
 *
 *     rate-limiter.ts → bucketRateLimiter → Clock
 */
import type { Clock } from "@drover/machinery";
import type { RateLimiter } from "./rate-limiter.ts";

/**
 * At most `qps` keys a second after a burst of `burst`; who finds the bucket empty reserves the next free token, however far ahead.
 * It knows no keys: `forget` does nothing and `numRequeues` is 0. client-go's BucketRateLimiter.
 *
 * Guarantees: in any span of s seconds no more than burst + s × qps delays end.
 */
export function bucketRateLimiter<K>(qps: number, burst: number, { clock }: { readonly clock: Clock }): RateLimiter<K> {
  if (!(qps > 0))
    throw new RangeError(`bucketRateLimiter: qps must be above 0 (a rate of 0 would never retry), not ${qps}; for no limit use Infinity`);
  if (!(burst >= 1)) throw new RangeError(`bucketRateLimiter: burst must be at least 1, not ${burst}`);
  if (qps === Infinity) return { when: () => 0, forget: () => undefined, numRequeues: () => 0 };
  let tokens = burst;
  let updated = clock.monotonic();
  return {
    when: () => {
      const now = clock.monotonic();
      tokens = Math.min(burst, tokens + ((now - updated) * qps) / 1000) - 1;
      updated = now;
      return tokens >= 0 ? 0 : (-tokens * 1000) / qps;
    },
    forget: () => undefined,
    numRequeues: () => 0,
  };
}
