/** Anything that can be read in a loop as a feed: what a store that is not ours tells is asked for one by one. */
import { feedIterator } from "./feed-iterator.ts";
import type { Feed } from "./feed.ts";

/** Guarantees: asks for the next only when somebody wants it. */
export class PulledFeed<T> implements Feed<T> {
  readonly #iterator: AsyncIterator<T, unknown>;
  /** What came and was not taken, or why nothing can come. */
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
    // What it says to its dismissal is nobody's business any more.
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
