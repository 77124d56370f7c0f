/** A call that came too late: the run whose client it was made with is over. */
import { findCause } from "@drover/machinery";

/** Nothing was sent. The key may be in the hands of its next run already, and two of them must not write. */
export class RunOverError extends Error {
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
 * Whether a run that is over is behind an error; looks through causes, and goes by the name, so that it also knows
 * those of another copy of this package.
 */
export function isRunOver(error: unknown): boolean {
  return findCause(error, isRunOverError) !== undefined;
}

function isRunOverError(error: unknown): error is RunOverError {
  return error instanceof Error && error.name === "RunOverError";
}
