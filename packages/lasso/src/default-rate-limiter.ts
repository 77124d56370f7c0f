/** Default rate limiter of Lasso controllers. */
import type { ObjectKey } from "@drover/machinery";
import { itemExponentialFailureRateLimiter, itemFastSlowRateLimiter, maxOfRateLimiter } from "@drover/workqueue";
import type { RateLimiter } from "@drover/workqueue";

/** Creates the rate limiter of one kind. A factory instead of a limiter, so that two kinds never share failure counts. */
export type RateLimiterFactory = () => RateLimiter<ObjectKey>;

const minuteMs = 60_000;

/**
 * Returns a limiter with 5 ms doubling up to 30 s per key, and two minutes from the 31st failure. Keys are retried forever, and there is no
 * limit across keys.
 */
export function newDefaultRateLimiter(): RateLimiter<ObjectKey> {
  return maxOfRateLimiter<ObjectKey>(itemFastSlowRateLimiter(1, 2 * minuteMs, 30), itemExponentialFailureRateLimiter(5, minuteMs / 2));
}
