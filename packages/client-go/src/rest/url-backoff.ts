/**
 * client-go's `URLBackoff` for `RestRequest.backOff`: while the server is overloaded or failing, each attempt waits twice as long as the
 * previous one. client-go keeps one backoff per host; a client here has one host.
 *
 *     urlBackoff({ clock, initialMs, maxMs }) → RestRequest.backOff
 *
 * Share one between requests that should back off together. Without it, a request waits only as long as the server asks.
 */
import type { Clock } from "@drover/machinery";
import type { BackOffManager } from "./request-sender.ts";

/** Initial and maximum delay. */
export interface UrlBackoffOptions {
  readonly clock: Clock;
  /** Delay after the first failure, in milliseconds. @default 1000 */
  readonly initialMs?: number;
  /** Maximum delay in milliseconds. A failure after twice this time without failures counts as the first. @default 120000 */
  readonly maxMs?: number;
}

/**
 * Returns a backoff that status codes 429 and 500 or above double. Every other outcome resets it, including errors without a
 * response, which say nothing about the server's load.
 */
export function urlBackoff({ clock, initialMs = 1000, maxMs = 120_000 }: UrlBackoffOptions): BackOffManager {
  if (!(initialMs > 0) || !(maxMs >= initialMs))
    throw new RangeError(`initialMs must be above 0 and maxMs not below it, not ${initialMs} and ${maxMs}`);
  let waitMs = 0;
  let failedAt = 0;
  return {
    calculateBackoff: () => waitMs,
    updateBackoff: (_, outcome) => {
      const isOverloaded = "statusCode" in outcome && (outcome.statusCode === 429 || outcome.statusCode >= 500);
      const now = clock.monotonic();
      const isFirst = waitMs === 0 || now - failedAt > 2 * maxMs;
      waitMs = isOverloaded ? Math.min(isFirst ? initialMs : waitMs * 2, maxMs) : 0;
      if (isOverloaded) failedAt = now;
    },
  };
}
