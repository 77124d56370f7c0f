/** Sentinel error with which a handler skips a key without a failure. */
import { findCause } from "@drover/machinery";

/** Thrown by a handler to skip a key: not counted, not logged, not retried. Also recognised as the `cause` of another error. */
export const ErrIgnore: Error = new Error("ignore handler error");

/** Reports whether an error or one of its causes is `ErrIgnore`. Lasso's `errors.Is(err, ErrIgnore)`. */
export function isIgnored(error: unknown): boolean {
  return findCause(error, (sought): sought is Error => sought === ErrIgnore) !== undefined;
}
