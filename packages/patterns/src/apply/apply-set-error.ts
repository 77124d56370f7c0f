/** Thrown when some objects of a set could not be applied. */
import { errorBrand, isConflict } from "@drover/machinery";
import type { AppliedChange } from "./apply-set.ts";

const brand = errorBrand<ApplySetError>("ApplySetError");

/**
 * `errors` has one error per failed object; the others were applied where the order allows. Nothing was pruned. `cause`
 * is a conflict only if all errors are conflicts, so `isConflict` tells whether a retry is enough.
 */
export class ApplySetError extends AggregateError {
  static {
    brand.mark(this);
  }

  override readonly name = "ApplySetError";
  /** Changes that were made despite the errors. */
  readonly changes: readonly AppliedChange[];

  constructor(attempt: string, errors: readonly Error[], changes: readonly AppliedChange[]) {
    super(
      errors,
      `${attempt}: ${errors.length === 1 ? "one object" : `${errors.length} objects`} failed: ${errors.map(({ message }) => message).join("; ")}`,
    );
    this.cause = errors.find((error) => !isConflict(error)) ?? errors[0];
    this.changes = changes;
  }
}

/** Reports whether the error is an `ApplySetError`, also one of another copy of this package. */
export function isApplySetError(error: unknown): error is ApplySetError {
  return brand.is(error);
}
