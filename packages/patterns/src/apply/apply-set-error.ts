/** Thrown when some objects of a set could not be applied. */
import { isConflict } from "@drover/machinery";
import type { AppliedChange } from "./apply-set.ts";

/**
 * `errors` has one error per failed object; the others were applied where the order allows. Nothing was pruned. `cause`
 * is a conflict only if all errors are conflicts, so `isConflict` tells whether a retry is enough.
 */
export class ApplySetError extends AggregateError {
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
