/** What went wrong in a chain of handlers, as one error: bare when it is one, joined when there are several. */
import { isConflict } from "@drover/machinery";
import { errorMessage } from "@drover/controller";

/** One handler's failure, with its name: "handler count: no such thing". */
export function handlerFailure(name: string, error: unknown): Error {
  return new Error(`handler ${name}: ${errorMessage(error)}`, { cause: error });
}

/**
 * One error of one or several. The cause of a joined one is the first that is no conflict, so that it counts as a
 * conflict, which is nobody's
 * fault, only when all of them are.
 */
export function joinedFailure([first, ...others]: readonly [Error, ...Error[]]): Error {
  if (others.length === 0) return first;
  const all = [first, ...others];
  return new AggregateError(all, all.map(({ message }) => message).join(", "), { cause: all.find((error) => !isConflict(error)) ?? first });
}
