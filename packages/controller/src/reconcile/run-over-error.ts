/** A call that came too late: the run whose client it was made with is over. */
import { findCause, errorBrand } from "@drover/machinery";

const brand = errorBrand<RunOverError>("RunOverError");

/** Nothing was sent. The key may be in the hands of its next run already, and two of them must not write. */
export class RunOverError extends Error {
  static {
    brand.mark(this);
  }

  override readonly name = "RunOverError";
  readonly reason = "RunOver";

  /** @param cause - why it was over before its reconcile had ended: its deadline, or the end of the process */
  constructor(about: { readonly run: string; readonly controller: string }, cause: unknown) {
    super(
      `not sent, since run ${about.run} of controller ${about.controller} is over; its client writes no more`,
      cause === undefined ? undefined : { cause },
    );
  }
}

/**
 * Reports whether an error, or one of its causes, says that the run is over. Also recognises errors of another copy of this
 * package.
 */
export function isRunOver(error: unknown): boolean {
  return findCause(error, isRunOverError) !== undefined;
}

function isRunOverError(error: unknown): error is RunOverError {
  return brand.is(error);
}
