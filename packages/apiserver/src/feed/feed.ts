/**
 * A pull stream without promises: with a thousand watchers, each promise per write is paid a thousand times.
 *
 *     StoreLog → Feed<StoreBatch> → WatchLines: Feed<string> → pourBody → socket
 *
 * The reader takes values at its own pace and is notified when there is more. Values that are not taken stay at the source, so
 * nothing accumulates in between.
 */

/** For one reader, once: either through `take` or in a loop. */
export interface Feed<T> extends AsyncIterable<T> {
  /** Returns the next value; undefined if none is available yet or the feed has ended. Throws the reason of a failure once. */
  take(): T | undefined;
  /** Whether no value will follow. */
  readonly isOver: boolean;
  /**
   * Registers the one callback for when values may be available after `take` returned undefined, or the feed is over. Never
   * called from within `take`. Assumes that the callback does not throw.
   */
  onNews(callback: () => void): void;
  /** Returns the bytes that the feed keeps for this reader, about. @default none */
  heldBytes?(): number;
  /** Ends the feed: the reader is gone. */
  dismiss(): void;
}

/** Whether a source can be read without promises. */
export const isFeed = <T>(source: AsyncIterable<T>): source is Feed<T> => "onNews" in source && "take" in source;
