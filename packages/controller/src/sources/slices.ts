/** Goes through much without keeping others from their turn: after so many steps timers, probes and streams come first. */
import type { Clock } from "@drover/machinery";

/** How many steps are one slice. A step that asks for a key takes about a microsecond, so a slice is a millisecond or two. */
export const sliceLength = 1000;

/** Counts steps: undefined is "go on", a promise is "wait for it first, the others are having their turn". */
export function countSteps(clock: Clock): () => Promise<void> | undefined {
  let steps = 0;
  return () => {
    if (++steps % sliceLength !== 0) return undefined;
    return new Promise((resolve) => {
      clock.timer(0, resolve);
    });
  };
}

/**
 * Does the work for each of them, in slices, until the signal is aborted; what is left then is left out. Rejects with
 * what the work throws.
 */
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
