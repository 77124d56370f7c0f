/**
 * client-go's `watch.Interface`: events until the server closes or `stop` is called.
 *
 *     for await (const event of watcher) …        or        for await (const event of watcher.resultChan()) …
 */
import type { WatchEvent } from "@drover/machinery";

/** A watch as an async iterable of events: `for await` replaces `range w.ResultChan()`. Iterate it once. */
export interface WatchInterface<T> extends AsyncIterableIterator<WatchEvent<T>, void, undefined> {
  /** Ends the watch: the iteration ends without an error, and the request is closed. Calling it again does nothing. */
  stop(): void;
  /** Returns the events; the Go spelling. */
  resultChan(): AsyncIterable<WatchEvent<T>>;
}

/**
 * Returns a watch that sends its request when the first event is requested. If `outer` aborts, the iteration throws its
 * reason.
 */
export function watchInterface<T>(start: (signal: AbortSignal) => AsyncIterable<WatchEvent<T>>, outer?: AbortSignal): WatchInterface<T> {
  const stopping = new AbortController();
  const signal = outer === undefined ? stopping.signal : AbortSignal.any([outer, stopping.signal]);
  const over: IteratorResult<WatchEvent<T>, void> = { done: true, value: undefined };
  let events: AsyncIterator<WatchEvent<T>> | undefined;
  let isStopped = false;
  let isWaiting = false;
  const stop = (): void => {
    if (isStopped) return;
    isStopped = true;
    // While the iteration waits for the server, only an abort ends it; otherwise the stream can be closed normally.
    if (isWaiting) stopping.abort();
    else events?.return?.().then(undefined, () => undefined);
  };
  const watcher: WatchInterface<T> = {
    stop,
    resultChan: () => watcher,
    next: async () => {
      if (isStopped) return over;
      events ??= start(signal)[Symbol.asyncIterator]();
      isWaiting = true;
      try {
        const next = await events.next();
        return isStopped || next.done === true ? over : next;
      } catch (error) {
        if (isStopped) return over;
        throw error;
      } finally {
        isWaiting = false;
      }
    },
    return: () => {
      stop();
      return Promise.resolve(over);
    },
    [Symbol.asyncIterator]: () => watcher,
  };
  return watcher;
}
