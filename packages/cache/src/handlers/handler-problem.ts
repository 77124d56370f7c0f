/** What went wrong in a handler, in one clause for the log. */

/** Names the usual mistake, changing an object of the cache, since a bare `TypeError` does not say whose object it was. */
export function handlerProblem(error: unknown): string {
  return isMutation(error)
    ? "a handler tried to change a frozen object: objects of the cache are looked at and not touched, use edit() or deepCopy()"
    : "a handler failed";
}

/** What engines say when strict code writes to a frozen object. */
function isMutation(error: unknown): boolean {
  return (
    error instanceof TypeError &&
    /read only property|read-only|readonly|not extensible|Cannot delete property|Cannot add property/.test(error.message)
  );
}
