/** How long failed keys wait in a Lasso controller that was told nothing else. */
import type { ObjectKey } from "@drover/machinery";
import { itemExponentialFailureRateLimiter, itemFastSlowRateLimiter, maxOfRateLimiter } from "@drover/workqueue";
import type { RateLimiter } from "@drover/workqueue";

/** Makes the limiter of one kind. A factory and not a limiter, so that two kinds never count each other's failures. */
export type RateLimiterFactory = () => RateLimiter<ObjectKey>;

const minuteMs = 60_000;

/**
 * 5 ms doubling to 30 s for each key, and from the 31st failure on two minutes. Keys are never given up, and there is no limit for all keys
 * together.
 */
export function newDefaultRateLimiter(): RateLimiter<ObjectKey> {
  return maxOfRateLimiter<ObjectKey>(itemFastSlowRateLimiter(1, 2 * minuteMs, 30), itemExponentialFailureRateLimiter(5, minuteMs / 2));
}
