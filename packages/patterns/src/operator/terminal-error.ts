/** "There is no point in trying again": what a reconcile throws when only a changed spec can help. */

/** Ends the attempts on a key until its spec changes. */
export class TerminalError extends Error {
  override readonly name = "TerminalError";
}

/**
 * `throw terminal("spec.image: no such registry")`: not tried again until the spec changes, somebody enqueues the key,
 * or the program starts anew.
 */
export function terminal(message: string, options?: ErrorOptions): TerminalError {
  return new TerminalError(message, options);
}
