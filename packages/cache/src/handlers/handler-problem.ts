/** Describes an error of a handler for the log. */
import { errorText, isInstanceOf } from "@drover/machinery";

/** Explains the usual mistake, modifying a cached object, because the plain `TypeError` does not mention the cache. */
export function handlerProblem(error: unknown): string {
  return isMutation(error)
    ? "handler tried to modify a frozen object: cached objects are read-only, use edit() or deepCopy()"
    : "handler failed";
}

/** Messages of JavaScript engines when strict code writes to a frozen object. */
function isMutation(error: unknown): boolean {
  return (
    isInstanceOf(error, TypeError) &&
    /read only property|read-only|readonly|not extensible|Cannot delete property|Cannot add property/.test(errorText(error))
  );
}
