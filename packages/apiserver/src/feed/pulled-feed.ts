/** Adapts any async iterable to a feed, such as the watch of a store that is not ours. */
import { feedIterator } from "./feed-iterator.ts";
import type { Feed } from "./feed.ts";

/** Guarantees: requests the next value only when the reader wants it. */
export class PulledFeed<T> implements Feed<T> {
  readonly #iterator: AsyncIterator<T, unknown>;
  /** The value that arrived and was not taken, or the failure. */
  #arrived: (() => T | undefined) | undefined;
  #isAsked = false;
  #isOver = false;
  #news: () => void = () => undefined;

  constructor(source: AsyncIterable<T>) {
    this.#iterator = source[Symbol.asyncIterator]();
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  take(): T | undefined {
    if (this.#isOver) return undefined;
    const arrived = this.#arrived;
    this.#arrived = undefined;
    if (arrived !== undefined) return arrived();
    if (!this.#isAsked) void this.#ask();
    return undefined;
  }

  onNews(callback: () => void): void {
    this.#news = callback;
  }

  dismiss(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#news = () => undefined;
    // Errors of `return` after dismissal do not matter.
    this.#iterator.return?.().catch(() => undefined);
  }

  [Symbol.asyncIterator](): AsyncIterator<T, void> {
    return feedIterator(this);
  }

  async #ask(): Promise<void> {
    this.#isAsked = true;
    try {
      const next = await this.#iterator.next();
      if (next.done === true) this.#isOver = true;
      else this.#arrived = (): T => next.value;
    } catch (error) {
      this.#arrived = (): never => {
        this.#isOver = true;
        throw error;
      };
    }
    this.#isAsked = false;
    this.#news();
  }
}
