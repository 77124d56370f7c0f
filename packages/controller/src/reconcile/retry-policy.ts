/**
 * How long a key that failed waits, and how often it is tried.
 *
 *     RetryPolicy → retryLimiter → the controller's queue
 */
import type { ObjectKey, Random } from "@drover/machinery";
import { itemExponentialFailureRateLimiter } from "@drover/workqueue";
import type { RateLimiter } from "@drover/workqueue";

/** How failed keys are tried again. */
export interface RetryPolicy {
  /** The first pause, which then doubles, in milliseconds. @default 5 */
  readonly baseMs?: number;
  /** The longest pause, in milliseconds. @default 1000000 */
  readonly capMs?: number;
  /**
   * By how much a pause may be longer than that, as a fraction of it, so that keys that failed together do not come
   * together. @default 0.2
   */
  readonly jitter?: number;
  /** How many retries a key gets; then it is parked until something happens to it. kube-controller-manager has 15. @default Infinity */
  readonly max?: number;
  /**
   * Says how long a key waits, instead of `baseMs`, `capMs` and `jitter`. One limiter serves one controller. @default
   * as these three say
   */
  readonly limiter?: RateLimiter<ObjectKey>;
}

/** The limiter of one controller. Two must not share one: keys of different kinds may be called the same. */
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
