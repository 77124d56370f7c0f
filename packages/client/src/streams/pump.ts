/** Moves what a source gives to where it goes, one piece at a time, until the source ends or a signal calls it off. */
import { abortable } from "@drover/machinery";

/**
 * Resolves to true when the source has ended and everything has been written, to false when the signal came first. Rejects with what the
 * source or `write` throws. The source is told that nobody reads on; one that is still busy producing is not waited for.
 */
export async function pump<T>(source: AsyncIterable<T>, write: (item: T) => Promise<void>, signal: AbortSignal): Promise<boolean> {
  const iterator = source[Symbol.asyncIterator]();
  let ended = false;
  try {
    for (;;) {
      const next = await abortable(Promise.resolve(iterator.next()), signal);
      if (next.done === true) return (ended = true);
      await write(next.value);
    }
  } catch (error) {
    if (signal.aborted) return false;
    throw error;
  } finally {
    if (!ended) release(iterator);
  }
}

// The iterator of a generator answers only after the value it is working on, which may never come: a terminal where nobody types.
function release(iterator: AsyncIterator<unknown>): void {
  void Promise.resolve(iterator.return?.()).catch(() => undefined);
}
