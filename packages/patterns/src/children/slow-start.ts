/** Many writes of the same sort: one first, then two, four, eight at a time, so that a thousand that must fail fail once or twice. */

/** How it went. */
export interface SlowStartOutcome {
  readonly successes: number;
  /** What the first that failed was rejected with; absent when none failed. */
  readonly error?: unknown;
}

export interface SlowStartOptions {
  /** The size of the first batch. @default 1 */
  readonly initial?: number;
  readonly signal?: AbortSignal;
}

/**
 * Calls `work` with 0 … count-1, in batches that double, each batch at once. After a batch in which one failed there is no other. Never
 * rejects, but for the signal's reason between two batches.
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
