/** Thrown by a reconcile when a retry cannot help until the spec changes. */
import { errorBrand } from "@drover/machinery";

const brand = errorBrand<TerminalError>("TerminalError");

/** Ends the attempts on a key until its spec changes. */
export class TerminalError extends Error {
  static {
    brand.mark(this);
  }

  override readonly name = "TerminalError";
}

/** Reports whether the error is a `TerminalError`, also one of another copy of this package. */
export function isTerminalError(error: unknown): error is TerminalError {
  return brand.is(error);
}

/**
 * Creates a `TerminalError`: `throw terminal("spec.image: no such registry")`. The key is not retried until its spec
 * changes, it is enqueued explicitly, or the program restarts.
 */
export function terminal(message: string, options?: ErrorOptions): TerminalError {
  return new TerminalError(message, options);
}
