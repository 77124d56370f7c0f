/**
 * Token bucket shared by all keys: limits the total rate of retries, not the rate per key.
 *
 *     rate-limiter.ts → bucketRateLimiter → Clock
 */
import type { Clock } from "@drover/machinery";
import type { RateLimiter } from "./rate-limiter.ts";

/**
 * Allows `qps` retries per second after a burst of `burst`. When the bucket is empty, `when` reserves the next free token, however far
 * ahead. It does not distinguish keys: `forget` does nothing and `numRequeues` returns 0. client-go's BucketRateLimiter.
 *
 * Guarantees: in any interval of s seconds at most burst + s × qps delays end.
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
