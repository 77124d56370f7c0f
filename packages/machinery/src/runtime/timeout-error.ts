/** The one failure that waiting itself produces, and how to tell "we stopped waiting" from "it failed". */

/** Thrown, or given as the reason of a signal, when time ran out. */
export class TimeoutError extends Error {
  override readonly name = "TimeoutError";
  readonly reason = "Timeout";
}

/**
 * Whether an error says that somebody stopped waiting: time ran out or a signal was aborted. Knows our `TimeoutError` and what
 * `AbortSignal` and the host's own functions throw.
 */
export function isInterrupted(error: unknown): boolean {
  return error instanceof Error && (error.name === "TimeoutError" || error.name === "AbortError");
}
