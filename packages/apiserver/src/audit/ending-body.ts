/** A streamed body that reports its end. */
import { feedIterator } from "../feed/feed-iterator.ts";
import { isFeed } from "../feed/feed.ts";
import type { Feed } from "../feed/feed.ts";

type Piece = string | Uint8Array;

/** Returns the same body; calls `onEnd` once, when it has ended, failed, or the reader has left. */
export function endingBody(body: AsyncIterable<Piece>, onEnd: () => void): AsyncIterable<Piece> {
  let hasEnded = false;
  const end = (): void => {
    if (hasEnded) return;
    hasEnded = true;
    onEnd();
  };
  return isFeed(body) ? new EndingFeed(body, end) : endingIterable(body, end);
}

async function* endingIterable<T>(body: AsyncIterable<T>, onEnd: () => void): AsyncGenerator<T> {
  try {
    yield* body;
  } finally {
    onEnd();
  }
}

class EndingFeed<T> implements Feed<T> {
  readonly #feed: Feed<T>;
  readonly #onEnd: () => void;

  constructor(feed: Feed<T>, onEnd: () => void) {
    this.#feed = feed;
    this.#onEnd = onEnd;
  }

  get isOver(): boolean {
    return this.#feed.isOver;
  }

  take(): T | undefined {
    try {
      const value = this.#feed.take();
      if (value === undefined && this.#feed.isOver) this.#onEnd();
      return value;
    } catch (error) {
      this.#onEnd();
      throw error;
    }
  }

  onNews(callback: () => void): void {
    this.#feed.onNews(callback);
  }

  dismiss(): void {
    this.#feed.dismiss();
    this.#onEnd();
  }

  [Symbol.asyncIterator](): AsyncIterator<T, void> {
    return feedIterator(this);
  }
}
