/** A feed that a test fills by hand. */
import { feedIterator } from "../feed-iterator.ts";
import type { Feed } from "../feed.ts";

export class TestFeed<T> implements Feed<T> {
  /** What `take` returns next: functions that return a value or throw. */
  readonly ready: (() => T)[] = [];
  isDismissed = false;
  isOver = false;
  #endsAfterwards = false;
  #news: () => void = () => undefined;

  /** Adds values. */
  tell(...values: readonly T[]): void {
    for (const value of values) this.ready.push(() => value);
    this.#news();
  }

  /** Fails once everything is taken. */
  break(error: unknown): void {
    this.ready.push(() => {
      this.isOver = true;
      throw error;
    });
    this.#news();
  }

  /** Ends once everything is taken. */
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
