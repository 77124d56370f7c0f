/**
 * What comes by itself, one thing after the other, and can be had without a promise: a thousand watchers of one write would feel each of
 * them a thousand times.
 *
 *     StoreLog → Feed<StoreBatch> → WatchLines: Feed<string> → pourBody → socket
 *
 * Whoever reads asks at its own pace, and is called when asking is worth it. Nothing is pushed at anybody: what is not taken stays where
 * it came from.
 */

/** Can be read once, by one reader: either with `take`, or in a loop. */
export interface Feed<T> extends AsyncIterable<T> {
  /** The next; undefined when there is none at the moment, or never again. Throws, once, why it broke off. */
  take(): T | undefined;
  /** Whether nothing will come any more. */
  readonly isOver: boolean;
  /**
   * Whom to call when there may be something to take where there was nothing, or it is over; there is one such reader. Never calls from
   * within `take`. Assumes: the callback does not throw.
   */
  onNews(callback: () => void): void;
  /** Says that nobody reads any more; it is over then. */
  dismiss(): void;
}

/** Whether it can be read without promises. */
export const isFeed = <T>(source: AsyncIterable<T>): source is Feed<T> => "onNews" in source && "take" in source;
