/** One reader of a store's log, who reads at its own pace: what `StoreLog` hands to whoever watches. */
import { feedIterator } from "../feed/feed-iterator.ts";
import type { Feed } from "../feed/feed.ts";
import type { Revision, StoreBatch, StoreWatch, WatchOptions } from "./store.ts";

/** The log, to those who follow it. */
export interface FollowedLog {
  /**
   * What the follower has not been told yet; undefined when that is nothing: it hears when there is something. Throws a
   * `CompactedError`.
   */
  readonly read: (follower: LogFollower) => StoreBatch | undefined;
  /** The follower wants to hear nothing any more. */
  readonly forget: (follower: LogFollower) => void;
  /** Whether this log is at its end, and perhaps another has begun. */
  readonly isAtEnd: () => boolean;
}

/** Guarantees what `Store.watch` does. `next`, `wantsProgress` and `isBehind` belong to the log. */
export class LogFollower implements StoreWatch, Feed<StoreBatch> {
  readonly prefix: string;
  /** The first write it has not been told of. */
  next: Revision;
  wantsProgress = false;
  /** There may be something it has not come for. */
  isBehind = true;
  readonly #log: FollowedLog;
  readonly #signal: AbortSignal;
  readonly #onAbort: () => void;
  #isOver = false;
  #news: () => void = () => undefined;

  constructor(log: FollowedLog, prefix: string, { from, signal }: WatchOptions) {
    this.prefix = prefix;
    this.next = from;
    this.#log = log;
    this.#signal = signal;
    this.#onAbort = (): void => {
      this.isBehind = true;
      // The reader may never come to hear why.
      log.forget(this);
      this.wake();
    };
    signal.addEventListener("abort", this.#onAbort, { once: true });
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  take(): StoreBatch | undefined {
    if (!this.isBehind || this.#isOver) return undefined;
    try {
      this.#signal.throwIfAborted();
      if (!this.#log.isAtEnd()) return this.#log.read(this);
    } catch (error) {
      this.dismiss();
      throw error;
    }
    this.dismiss();
    return undefined;
  }

  onNews(callback: () => void): void {
    this.#news = callback;
  }

  dismiss(): void {
    this.#isOver = true;
    this.#log.forget(this);
    this.#signal.removeEventListener("abort", this.#onAbort);
  }

  requestProgress(): void {
    this.wantsProgress = true;
    this.isBehind = true;
    this.wake();
  }

  /** Tells the reader that there is something to take, unless it has gone. */
  wake(): void {
    if (!this.#isOver) this.#news();
  }

  [Symbol.asyncIterator](): AsyncIterator<StoreBatch, void> {
    return feedIterator(this);
  }
}
