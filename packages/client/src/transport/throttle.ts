/**
 * A client-side rate limit. Optional, because the server has its own.
 */
import type { Clock, Log, Metrics } from "@drover/machinery";
import { definedOnly, restClientDurationBuckets, sleep } from "@drover/machinery";
import { attemptOf, isWatch } from "./request-nature.ts";
import { whileUnsent } from "./request-sent.ts";
import { fullBucket, returnToken, takeToken } from "./token-bucket-state.ts";
import type { TransportWrapper } from "./wrapper.ts";

export interface ThrottleOptions {
  readonly clock: Clock;
  readonly log: Log;
  /** Average requests per second. */
  readonly qps: number;
  /** How many requests may be sent at once after a pause. */
  readonly burst: number;
  /** Records the delay as `rest_client_rate_limiter_duration_seconds`. @default not recorded */
  readonly measure?: { readonly metrics: Metrics; readonly host: string };
}

/** Longer delays are logged. */
const longWaitMs = 1000;

/**
 * Allows `qps` requests per second and `burst` at once, in order; each retry counts again. Watches are not limited. To share
 * one limit, wrap with the same value.
 */
export function throttle({ clock, log, qps, burst, measure }: ThrottleOptions): TransportWrapper {
  let bucket = fullBucket(qps, burst, clock.monotonic());
  const waited = measure?.metrics.histogram({
    name: "rest_client_rate_limiter_duration_seconds",
    help: "Client side rate limiter latency in seconds, by verb and host.",
    labels: ["verb", "host"],
    buckets: restClientDurationBuckets,
  });
  return (next) => async (request) => {
    if (isWatch(request)) return next(request);
    request.signal?.throwIfAborted();
    const [waitMs, after] = takeToken(bucket, clock.monotonic());
    bucket = after;
    if (waitMs > longWaitMs)
      log.info("waiting because of this client's own rate limit, not the server's", {
        request: attemptOf(request),
        waitMs: Math.round(waitMs),
        qps,
        burst,
      });
    try {
      if (waitMs > 0) await whileUnsent(request, () => sleep(clock, waitMs, definedOnly({ signal: request.signal })));
    } catch (error) {
      bucket = returnToken(bucket);
      throw error;
    }
    waited?.observe(waitMs / 1000, { verb: request.method, host: measure?.host ?? "" });
    return next(request);
  };
}
