/** Some objects of a set could not be applied. */
import { isConflict } from "@drover/machinery";
import type { AppliedChange } from "./apply-set.ts";

/**
 * `errors` has one for each object that failed; the others were applied where the order allows. Nothing is pruned then.
 * `cause` is the gravest:
 * a conflict only when all of them are, so that `isConflict` says whether trying again is all that is needed.
 */
export class ApplySetError extends AggregateError {
  override readonly name = "ApplySetError";
  /** What was done all the same. */
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
