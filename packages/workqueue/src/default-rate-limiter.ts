/** client-go's default rate limiters. */
import type { Clock } from "@drover/machinery";
import { bucketRateLimiter } from "./bucket-rate-limiter.ts";
import { itemExponentialFailureRateLimiter, maxOfRateLimiter } from "./rate-limiter.ts";
import type { RateLimiter } from "./rate-limiter.ts";

/**
 * Returns the default limiter of client-go's controllers: 5 ms per key, doubling to 1,000 s, and across all keys at most 10 retries
 * per second after a burst of 100.
 *
 * All keys share the bucket, so if 1,000 keys fail at once, the last waits 90 seconds for its first retry. `createQueue` therefore uses
 * only the limit per key by default.
 */
export function defaultControllerRateLimiter<K>({ clock }: { readonly clock: Clock }): RateLimiter<K> {
  return maxOfRateLimiter<K>(itemExponentialFailureRateLimiter(5, 1_000_000), bucketRateLimiter(10, 100, { clock }));
}

/** Returns a limiter of 1 ms per key, doubling to 1,000 s. client-go's DefaultItemBasedRateLimiter. */
export function defaultItemBasedRateLimiter<K>(): RateLimiter<K> {
  return itemExponentialFailureRateLimiter(1, 1_000_000);
}
