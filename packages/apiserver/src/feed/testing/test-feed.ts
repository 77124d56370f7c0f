/** A feed whose news are made by hand. */
import { feedIterator } from "../feed-iterator.ts";
import type { Feed } from "../feed.ts";

export class TestFeed<T> implements Feed<T> {
  /** What can be taken: values, or functions that throw. */
  readonly ready: (() => T)[] = [];
  isDismissed = false;
  isOver = false;
  #endsAfterwards = false;
  #news: () => void = () => undefined;

  /** There is more now. */
  tell(...values: readonly T[]): void {
    for (const value of values) this.ready.push(() => value);
    this.#news();
  }

  /** It breaks off once everything was taken. */
  break(error: unknown): void {
    this.ready.push(() => {
      this.isOver = true;
      throw error;
    });
    this.#news();
  }

  /** It ends once everything was taken. */
  end(): void {
    this.#endsAfterwards = true;
    this.#news();
  }

  take(): T | undefined {
    if (this.isOver) return undefined;
    const next = this.ready.shift();
    if (next !== undefined) return next();
    this.isOver = this.#endsAfterwards;
    return undefined;
  }

  onNews(callback: () => void): void {
    this.#news = callback;
  }

  dismiss(): void {
    this.isDismissed = true;
    this.isOver = true;
  }

  [Symbol.asyncIterator](): AsyncIterator<T, void> {
    return feedIterator(this);
  }
}
