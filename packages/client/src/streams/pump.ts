/**
 * Copies items from a source to a destination, one at a time, until the source ends or a signal aborts.
 */
import { abortable } from "@drover/machinery";

/**
 * Resolves to true when the source has ended and all items are written, to false when the signal aborted first. Rejects with
 * what the source or `write` throws. Calls the source's `return`, but does not wait for a source that is still producing.
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

// A generator's `return` waits for the current `next`, which may never resolve: a terminal without input.
function release(iterator: AsyncIterator<unknown>): void {
  void Promise.resolve(iterator.return?.()).catch(() => undefined);
}
