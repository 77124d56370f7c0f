/** Timeouts, and how to tell "we stopped waiting" from "it failed". */

/** Thrown, or given as the reason of a signal, on a timeout. */
export class TimeoutError extends Error {
  override readonly name = "TimeoutError";
  readonly reason = "Timeout";
}

/**
 * Whether an error means that a wait was interrupted: a timeout or an aborted signal. Recognizes `TimeoutError` and what
 * `AbortSignal` and host functions throw.
 */
export function isInterrupted(error: unknown): boolean {
  return error instanceof Error && (error.name === "TimeoutError" || error.name === "AbortError");
}
