/** The error that is none: how a handler of a chain says that it has nothing to do for now, and that the key need not come again. */
import { findCause } from "@drover/machinery";

/** Thrown by a handler: not counted, not logged, and no reason to run the key again. Also counts as the `cause` of another error. */
export const ErrIgnore: Error = new Error("ignore handler error");

/** Whether an error is `ErrIgnore`, or was caused by it. Lasso's `errors.Is(err, ErrIgnore)`. */
export function isIgnored(error: unknown): boolean {
  return findCause(error, (sought): sought is Error => sought === ErrIgnore) !== undefined;
}
