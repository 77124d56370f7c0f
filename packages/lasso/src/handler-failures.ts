/** Joins the errors of a chain of handlers: one error stays alone, several are joined. */
import { isConflict } from "@drover/machinery";
import { errorMessage } from "@drover/controller";

/** Returns an error that names the handler: "handler count: no such thing". */
export function handlerFailure(name: string, error: unknown): Error {
  return new Error(`handler ${name}: ${errorMessage(error)}`, { cause: error });
}

/**
 * Returns one error for all failures. The cause of a joined error is the first failure that is not a conflict, so it counts as a conflict
 * only if all failures are.
 */
export function joinedFailure([first, ...others]: readonly [Error, ...Error[]]): Error {
  if (others.length === 0) return first;
  const all = [first, ...others];
  return new AggregateError(all, all.map(({ message }) => message).join(", "), { cause: all.find((error) => !isConflict(error)) ?? first });
}
