/** A run that took longer than its controller allows. */
import { findCause, formatDuration, errorBrand } from "@drover/machinery";

const brand = errorBrand<DeadlineError>("DeadlineError");

/** Abort reason of a run's signal and error of its retry when the deadline has passed. */
export class DeadlineError extends Error {
  static {
    brand.mark(this);
  }

  override readonly name = "DeadlineError";
  readonly problemCode = "DRV0407";
  readonly reason = "Deadline";
  readonly deadlineMs: number;

  constructor(about: { readonly controller: string; readonly key: string; readonly deadlineMs: number }) {
    super(`controller ${about.controller}: the reconcile of ${about.key} exceeded its deadline of ${formatDuration(about.deadlineMs)}`);
    this.deadlineMs = about.deadlineMs;
  }
}

/** Reports whether an error or one of its causes is a `DeadlineError`, of this or another copy of the package. */
export function isDeadline(error: unknown): boolean {
  return findCause(error, isDeadlineError) !== undefined;
}

/** Reports whether an error is a `DeadlineError`, of this or another copy of the package. */
export function isDeadlineError(error: unknown): error is DeadlineError {
  return brand.is(error);
}
