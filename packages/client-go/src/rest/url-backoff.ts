/**
 * The back-off for a request's `backOff`: while the server is overloaded or failing, each attempt at it waits twice as long as the one
 * before. client-go's `URLBackoff`, which keeps one back-off per host; a client here has one host.
 *
 *     urlBackoff({ clock, initialMs, maxMs }) → RestRequest.backOff
 *
 * Share one among all requests that are to hold back together. Without it a request waits only as long as the server asks for.
 */
import type { Clock } from "@drover/machinery";
import type { BackOffManager } from "./request-sender.ts";

/** How long to wait, at first and at most. */
export interface UrlBackoffOptions {
  readonly clock: Clock;
  /** The wait after the first failure. @default 1000 */
  readonly initialMs?: number;
  /** The longest wait. A failure that comes after twice as long without any counts as the first. @default 120000 */
  readonly maxMs?: number;
}

/**
 * Answers of 429, and of 500 and above, double the wait; every other outcome ends it, an error included: of that the
 * server knows nothing.
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
