/** Processes long lists in slices, so that timers, probes and streams run in between. */
import type { Clock } from "@drover/machinery";

/** Steps per slice. Requesting a key takes about a microsecond, so a slice takes one or two milliseconds. */
export const sliceLength = 1000;

/** Returns a step counter. It returns undefined to continue, or at the end of a slice a promise to await before the next step. */
export function countSteps(clock: Clock): () => Promise<void> | undefined {
  let steps = 0;
  return () => {
    if (++steps % sliceLength !== 0) return undefined;
    return new Promise((resolve) => {
      clock.timer(0, resolve);
    });
  };
}

/** Calls `work` for each item, in slices, until the signal aborts; skips the remaining items then. Rejects with an error of `work`. */
export async function eachInSlices<I>(
  items: Iterable<I>,
  work: (item: I) => void,
  { clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal },
): Promise<void> {
  const step = countSteps(clock);
  for (const item of items) {
    if (signal.aborted) return;
    work(item);
    const turn = step();
    if (turn !== undefined) await turn;
  }
}
