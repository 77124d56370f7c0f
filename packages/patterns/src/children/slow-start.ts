/** Runs many similar writes in batches of 1, 2, 4, 8 …, so that if all would fail, only a few are tried. */

/** Result of a slow start. */
export interface SlowStartOutcome {
  readonly successes: number;
  /** The first error; absent if none failed. */
  readonly error?: unknown;
}

/** Options of `slowStart`. */
export interface SlowStartOptions {
  /** Size of the first batch. @default 1 */
  readonly initial?: number;
  readonly signal?: AbortSignal;
}

/**
 * Calls `work` with 0 … count-1 in doubling batches, each batch concurrently, and stops after a batch with a failure.
 * Rejects only with the signal's reason, between batches.
 */
export async function slowStart(
  count: number,
  work: (index: number) => Promise<unknown>,
  { initial = 1, signal }: SlowStartOptions = {},
): Promise<SlowStartOutcome> {
  let done = 0;
  let successes = 0;
  for (let size = Math.min(initial, count); size > 0; size = Math.min(size * 2, count - done)) {
    signal?.throwIfAborted();
    const from = done;
    const results = await Promise.allSettled(Array.from({ length: size }, (_, index) => work(from + index)));
    done += size;
    successes += results.filter(({ status }) => status === "fulfilled").length;
    const failed = results.find((result) => result.status === "rejected");
    if (failed !== undefined) return { successes, error: failed.reason };
  }
  return { successes };
}
