/** For what cannot be unless this code is wrong. Mistakes of users and failures of servers have errors of their own. */

/** A promise inside drover was broken; nobody outside can fix it, so nobody should catch it. */
export class AssertionError extends Error {
  override readonly name = "AssertionError";

  constructor(message: string) {
    super(`this is a bug in drover: ${message}`);
  }
}

/** Stops with an {@link AssertionError} unless the condition holds. */
export function assert(condition: unknown, message: string): asserts condition {
  if (!condition) throw new AssertionError(message);
}
