/** The limiters that client-go's controllers take when they name none. */
import type { Clock } from "@drover/machinery";
import { bucketRateLimiter } from "./bucket-rate-limiter.ts";
import { itemExponentialFailureRateLimiter, maxOfRateLimiter } from "./rate-limiter.ts";
import type { RateLimiter } from "./rate-limiter.ts";

/**
 * What client-go's controllers use: 5 ms doubling to 1,000 s for each key, and all keys together at most 10 retries a
 * second after a burst of 100.
 *
 * Know its price: when 1,000 keys fail together, the last waits 90 seconds for its first retry, because they share one bucket.
 * `createQueue` therefore takes the first half alone by default.
 */
export function defaultControllerRateLimiter<K>({ clock }: { readonly clock: Clock }): RateLimiter<K> {
  return maxOfRateLimiter<K>(itemExponentialFailureRateLimiter(5, 1_000_000), bucketRateLimiter(10, 100, { clock }));
}

/** 1 ms doubling to 1,000 s for each key. client-go's DefaultItemBasedRateLimiter. */
export function defaultItemBasedRateLimiter<K>(): RateLimiter<K> {
  return itemExponentialFailureRateLimiter(1, 1_000_000);
}
