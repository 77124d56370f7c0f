/**
 * Token bucket for `RestClient` and `RestRequest.throttle`.
 *
 *     tokenBucketRateLimiter({ qps, burst, clock }) → RestRequest.throttle, RestClientOptions.rateLimiter
 *
 * The transport wrapper `throttle` does the same for all requests of a transport; both use the same bucket implementation.
 */
import { sleep } from "@drover/machinery";
import type { Clock } from "@drover/machinery";
import { fullBucket, returnToken, takeToken } from "@drover/client";
import type { RateLimiter } from "./request-sender.ts";

/** Rate, burst and clock. */
export interface TokenBucketRateLimiterOptions {
  /** Tokens per second. */
  readonly qps: number;
  /** Capacity of the bucket; at least 1. */
  readonly burst: number;
  readonly clock: Clock;
}

/**
 * Returns a limiter with a full bucket. Waiting requests get tokens in order; an aborted wait returns its token. Throws a `RangeError` for
 * an invalid rate or burst.
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
