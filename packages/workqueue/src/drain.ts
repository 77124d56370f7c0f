/** Waiting until a queue that takes in nothing more has nothing left to do. */
import { deadline, TimeoutError } from "@drover/machinery";
import type { Clock } from "@drover/machinery";
import type { Waiters } from "./waiters.ts";

export interface DrainOptions {
  /** Gives up waiting; the promise then rejects with the signal's reason. The queue stays shut down. @default never */
  readonly signal?: AbortSignal;
  /** Gives up waiting after so many milliseconds, with a `TimeoutError` that says what is left. @default no limit */
  readonly timeoutMs?: number;
}

/** Resolves when `waiters` are told; `whatIsLeft` is asked only when time runs out. */
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
    throw error instanceof TimeoutError && signal?.aborted !== true
      ? new TimeoutError(`not drained after ${timeoutMs} ms: ${whatIsLeft()}`)
      : error;
  } finally {
    limit.release();
  }
}
