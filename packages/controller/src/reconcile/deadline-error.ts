/** The one failure that a deadline produces: a run took longer than its controller allows. */
import { findCause, formatDuration, errorBrand } from "@drover/machinery";

const brand = errorBrand<DeadlineError>("DeadlineError");

/** The reason of a run's signal, and the error of its retry, when its deadline has passed. */
export class DeadlineError extends Error {
  static {
    brand.mark(this);
  }

  override readonly name = "DeadlineError";
  readonly reason = "Deadline";
  readonly deadlineMs: number;

  constructor(about: { readonly controller: string; readonly key: string; readonly deadlineMs: number }) {
    super(
      `controller ${about.controller}: the reconcile of ${about.key} was given up after its deadline of ${formatDuration(about.deadlineMs)}`,
    );
    this.deadlineMs = about.deadlineMs;
  }
}

/**
 * Reports whether an error, or one of its causes, is the deadline of a run. Also recognises errors of another copy of this package.
 */
export function isDeadline(error: unknown): boolean {
  return findCause(error, isDeadlineError) !== undefined;
}

function isDeadlineError(error: unknown): error is DeadlineError {
  return brand.is(error);
}
