/** Assertions for bugs in Drover itself. User mistakes and server failures have their own errors. */

/** A bug in Drover; callers cannot fix it and should not catch it. */
export class AssertionError extends Error {
  override readonly name = "AssertionError";

  constructor(message: string) {
    super(`this is a bug in drover: ${message}`);
  }
}

/** Throws an {@link AssertionError} unless the condition holds. */
export function assert(condition: unknown, message: string): asserts condition {
  if (!condition) throw new AssertionError(message);
}
