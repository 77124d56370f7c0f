/** A call made with the client of a run that has ended. */
import { findCause, errorBrand } from "@drover/machinery";

const brand = errorBrand<RunOverError>("RunOverError");

/** The request was not sent: the next run of the key may already be in progress, and two runs must not write. */
export class RunOverError extends Error {
  static {
    brand.mark(this);
  }

  override readonly name = "RunOverError";
  readonly problemCode = "DRV0412";
  readonly reason = "RunOver";

  /** @param cause - why the run ended before its reconcile: its deadline, or the end of the process */
  constructor(about: { readonly run: string; readonly controller: string }, cause: unknown) {
    super(`request not sent: run ${about.run} of controller ${about.controller} has ended`, cause === undefined ? undefined : { cause });
  }
}

/** Reports whether an error or one of its causes is a `RunOverError`, of this or another copy of the package. */
export function isRunOver(error: unknown): boolean {
  return findCause(error, isRunOverError) !== undefined;
}

/** Reports whether an error is a `RunOverError`, of this or another copy of the package. */
export function isRunOverError(error: unknown): error is RunOverError {
  return brand.is(error);
}
