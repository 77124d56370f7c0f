/**
 * client-go's `watch.Interface`: events until the server closes or `stop` is called.
 *
 *     for await (const event of watcher) …        or        for await (const event of watcher.resultChan()) …
 */
import type { WatchEvent } from "@drover/machinery";

/** A watch is an async iterable of its events, so `for await` is `range w.ResultChan()`. It can be iterated once. */
export interface WatchInterface<T> extends AsyncIterableIterator<WatchEvent<T>, void, undefined> {
  /** Ends the watch: the iteration ends without an error, and the request is closed. Calling it again does nothing. */
  stop(): void;
  /** The events, as Go spells it. */
  resultChan(): AsyncIterable<WatchEvent<T>>;
}

/**
 * Starts a watch with a signal that `stop` aborts. `outer` aborts it too, and then its reason is thrown.
 */
export function watchInterface<T>(start: (signal: AbortSignal) => AsyncIterable<WatchEvent<T>>, outer?: AbortSignal): WatchInterface<T> {
  const stopping = new AbortController();
  const signal = outer === undefined ? stopping.signal : AbortSignal.any([outer, stopping.signal]);
  async function* events(): AsyncGenerator<WatchEvent<T>, void, undefined> {
    try {
      for await (const event of start(signal)) {
        if (stopping.signal.aborted) return;
        yield event;
      }
    } catch (error) {
      if (!stopping.signal.aborted) throw error;
    }
  }
  const iterated = events();
  const watcher: WatchInterface<T> = {
    stop: () => stopping.abort(),
    resultChan: () => watcher,
    next: () => iterated.next(),
    // A call of `next` that waits for the server would hold up the end.
    return: () => {
      stopping.abort();
      return iterated.return();
    },
    [Symbol.asyncIterator]: () => watcher,
  };
  return watcher;
}
