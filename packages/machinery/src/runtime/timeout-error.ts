/** Timeouts, and how to tell "we stopped waiting" from "it failed". */
import { errorBrand } from "../error-brand.ts";
import { errorName } from "../error-text.ts";

const brand = errorBrand<TimeoutError>("TimeoutError");

/** Thrown, or given as the reason of a signal, on a timeout. */
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
 * Whether an error means that a wait was interrupted: a timeout or an aborted signal. Recognizes `TimeoutError` and what
 * `AbortSignal` and host functions throw.
 */
export function isInterrupted(error: unknown): boolean {
  if (brand.is(error)) return true;
  const name = errorName(error);
  return name === "TimeoutError" || name === "AbortError";
}
