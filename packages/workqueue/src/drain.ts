/** Waits until a queue that is shutting down has no work left. */
import { deadline, isTimeoutError, TimeoutError } from "@drover/machinery";
import type { Clock } from "@drover/machinery";
import type { Waiters } from "./waiters.ts";

/** Options of `shutDownWithDrain`. */
export interface DrainOptions {
  /** Stops waiting when aborted; the promise rejects with the signal's reason and the queue stays shut down. @default no signal */
  readonly signal?: AbortSignal;
  /** Stops waiting after this many milliseconds and rejects with a `TimeoutError` that names what is left. @default no timeout */
  readonly timeoutMs?: number;
}

/** Resolves when `waiters` resolve. On timeout it rejects with a `TimeoutError` that contains the text of `whatIsLeft`. */
export async function waitForDrain(
  waiters: Waiters<void>,
  clock: Clock,
  { signal, timeoutMs = Infinity }: DrainOptions,
  whatIsLeft: () => string,
): Promise<void> {
  signal?.throwIfAborted();
  const limit = deadline(clock, timeoutMs, signal === undefined ? {} : { signal });
  try {
    await waiters.wait(limit.signal);
  } catch (error) {
    throw isTimeoutError(error) && signal?.aborted !== true
      ? new TimeoutError(`not drained after ${timeoutMs} ms: ${whatIsLeft()}`)
      : error;
  } finally {
    limit.release();
  }
}
