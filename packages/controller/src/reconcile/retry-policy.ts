/**
 * Backoff and maximum number of retries of a failed key.
 *
 *     RetryPolicy → retryLimiter → the controller's queue
 */
import type { ObjectKey, Random } from "@drover/machinery";
import { itemExponentialFailureRateLimiter } from "@drover/workqueue";
import type { RateLimiter } from "@drover/workqueue";

/** How failed keys are retried. */
export interface RetryPolicy {
  /** First delay in milliseconds; doubles with each retry. @default 5 */
  readonly baseMs?: number;
  /** Maximum delay in milliseconds. @default 1000000 */
  readonly capMs?: number;
  /** Maximum random extension of a delay, as a fraction, so that keys that failed together are not retried together. @default 0.2 */
  readonly jitter?: number;
  /** Number of retries before a key is parked until its next event. kube-controller-manager uses 15. @default Infinity */
  readonly max?: number;
  /** Rate limiter instead of `baseMs`, `capMs` and `jitter`; must not be shared between controllers. @default built from those three */
  readonly limiter?: RateLimiter<ObjectKey>;
}

/** Returns the rate limiter of one controller. Controllers must not share one: keys of different kinds may be equal. */
export function retryLimiter(
  { baseMs = 5, capMs = 1_000_000, jitter = 0.2, limiter }: RetryPolicy,
  random: Random,
): RateLimiter<ObjectKey> {
  if (limiter !== undefined) return limiter;
  for (const [field, value] of Object.entries({ baseMs, capMs, jitter })) {
    if (!(value >= 0) || value === Infinity)
      throw new RangeError(`createController: retry.${field} must be a finite number, zero or more, not ${value}`);
  }
  return itemExponentialFailureRateLimiter(baseMs, capMs, jitter === 0 ? {} : { jitter: { factor: jitter, random } });
}
