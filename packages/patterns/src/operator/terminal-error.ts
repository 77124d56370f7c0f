/** "There is no point in trying again": what a reconcile throws when only a changed spec can help. */
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
 * `throw terminal("spec.image: no such registry")`: not tried again until the spec changes, somebody enqueues the key,
 * or the program starts anew.
 */
export function terminal(message: string, options?: ErrorOptions): TerminalError {
  return new TerminalError(message, options);
}
