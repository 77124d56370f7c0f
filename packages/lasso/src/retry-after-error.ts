/** Error with which a handler requests another run of its key later, without a failure: nothing is logged or counted. */
import { errorBrand, findCause, formatDuration } from "@drover/machinery";

const brand = errorBrand<RetryAfterError>("RetryAfterError");

/** Thrown by a handler to run its key again after a delay. */
export class RetryAfterError extends Error {
  static {
    brand.mark(this);
  }

  override readonly name = "RetryAfterError";
  /** Delay in milliseconds. */
  readonly afterMs: number;

  /** Throws a RangeError for an invalid delay. */
  constructor(afterMs: number) {
    if (!(afterMs >= 0) || afterMs === Infinity)
      throw new RangeError(`RetryAfterError: ${afterMs} is not a valid delay; use zero or more milliseconds`);
    super(`retry in ${formatDuration(afterMs)}`);
    this.afterMs = afterMs;
  }
}

/** Reports whether an error is a `RetryAfterError`, of this or another copy of the package. */
export function isRetryAfterError(error: unknown): error is RetryAfterError {
  return brand.is(error);
}

/** Returns the `RetryAfterError` among an error and its causes. */
export function findRetryAfter(error: unknown): RetryAfterError | undefined {
  return findCause(error, isRetryAfterError);
}
