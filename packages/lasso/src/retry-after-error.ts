/** How a handler asks for its key to come again later without having failed: nothing is logged, and no failure is counted. */
import { findCause, formatDuration } from "@drover/machinery";

export class RetryAfterError extends Error {
  override readonly name = "RetryAfterError";
  /** Milliseconds until the key is to run again. */
  readonly afterMs: number;

  /** Throws a RangeError for what is no time to wait. */
  constructor(afterMs: number) {
    if (!(afterMs >= 0) || afterMs === Infinity)
      throw new RangeError(`RetryAfterError: ${afterMs} is no time to wait; give zero or more milliseconds`);
    super(`to be tried again in ${formatDuration(afterMs)}`);
    this.afterMs = afterMs;
  }
}

/** The `RetryAfterError` that an error is, or was caused by. */
export function findRetryAfter(error: unknown): RetryAfterError | undefined {
  return findCause(error, (sought): sought is RetryAfterError => sought instanceof RetryAfterError);
}
