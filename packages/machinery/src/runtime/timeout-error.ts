/** The one failure that waiting itself produces, and how to tell "we stopped waiting" from "it failed". */
import { errorBrand } from "../error-brand.ts";

const brand = errorBrand<TimeoutError>("TimeoutError");

/** Thrown, or given as the reason of a signal, when time ran out. */
export class TimeoutError extends Error {
  static {
    brand.mark(this);
  }

  override readonly name = "TimeoutError";
  readonly reason = "Timeout";
}

/** Reports whether the error is a `TimeoutError`, also one of another copy of this package. */
export function isTimeoutError(error: unknown): error is TimeoutError {
  return brand.is(error);
}

/**
 * Reports whether an error says that the caller stopped waiting: a timeout, or an aborted signal. Recognises our `TimeoutError` and
 * what `AbortSignal` and the host's own functions throw.
 */
export function isInterrupted(error: unknown): boolean {
  return brand.is(error) || (error instanceof Error && (error.name === "TimeoutError" || error.name === "AbortError"));
}
