/**
 * The limiter for `RestClient` and for a request's `throttle`: so many requests a second, and some at once after a pause.
 *
 *     tokenBucketRateLimiter({ qps, burst, clock }) → RestRequest.throttle, RestClientOptions.rateLimiter
 *
 * For everything that goes through a transport, `throttle` of the transport does the same; both count with the same bucket.
 */
import { sleep } from "@drover/machinery";
import type { Clock } from "@drover/machinery";
import { fullBucket, returnToken, takeToken } from "@drover/client";
import type { RateLimiter } from "./request-sender.ts";

/** A rate, and the clock it is measured by. */
export interface TokenBucketRateLimiterOptions {
  /** Turns a second, in the long run. */
  readonly qps: number;
  /** How many turns may be taken at once after a pause; at least 1. */
  readonly burst: number;
  readonly clock: Clock;
}

/**
 * A limiter that begins with a full bucket. Turns are handed out in the order in which they are asked for; one that was waited for in vain
 * goes back. Throws a `RangeError` for a rate that means nothing.
 */
export function tokenBucketRateLimiter({ qps, burst, clock }: TokenBucketRateLimiterOptions): RateLimiter {
  let bucket = fullBucket(qps, burst, clock.monotonic());
  const wait: RateLimiter["wait"] = async ({ signal } = {}) => {
    signal?.throwIfAborted();
    const [waitMs, after] = takeToken(bucket, clock.monotonic());
    bucket = after;
    if (waitMs === 0) return;
    try {
      await sleep(clock, waitMs, signal === undefined ? {} : { signal });
    } catch (error) {
      bucket = returnToken(bucket);
      throw error;
    }
  };
  return {
    tryAccept: () => {
      const [waitMs, after] = takeToken(bucket, clock.monotonic());
      if (waitMs > 0) return false;
      bucket = after;
      return true;
    },
    accept: () => wait(),
    wait,
    stop: () => undefined,
    qps: () => qps,
  };
}
