/** One reader of a store's log, at its own pace; `StoreLog.watch` returns it. */
import { feedIterator } from "../feed/feed-iterator.ts";
import type { Feed } from "../feed/feed.ts";
import type { Revision, StoreBatch, StoreWatch, WatchOptions } from "./store.ts";

/** The log as its followers see it. */
export interface FollowedLog {
  /** Returns the unread events; undefined when there are none, and the log wakes the follower later. Throws a `CompactedError`. */
  readonly read: (follower: LogFollower) => StoreBatch | undefined;
  /** Unregisters the follower. */
  readonly forget: (follower: LogFollower) => void;
  /** Whether the log was closed or restarted. Throws a `CompactedError` if the follower has read what is lost since. */
  readonly isAtEnd: (follower: LogFollower) => boolean;
}

/** Guarantees what `Store.watch` does. The log owns `next`, `wantsProgress` and the public fields that begin with "is", except `isOver`. */
export class LogFollower implements StoreWatch, Feed<StoreBatch> {
  readonly prefix: string;
  /** The first revision it has not read. */
  next: Revision;
  wantsProgress = false;
  /** Whether the log may have unread events. */
  isBehind = true;
  /** Whether the log wakes it for new events. */
  isFollowing = false;
  /** Whether it has read all events under its prefix; `next` may then be older. */
  isCurrent = false;
  readonly #log: FollowedLog;
  readonly #signal: AbortSignal;
  readonly #onAbort: () => void;
  #isAborted: boolean;
  #isOver = false;
  #news: () => void = () => undefined;

  constructor(log: FollowedLog, prefix: string, { from, signal }: WatchOptions) {
    this.prefix = prefix;
    this.next = from;
    this.#log = log;
    this.#signal = signal;
    this.#isAborted = signal.aborted;
    this.#onAbort = (): void => {
      this.#isAborted = true;
      this.isBehind = true;
      // The reader may never call `take` again.
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
      // Asking the signal each time costs more than the rest of this.
      if (this.#isAborted) this.#signal.throwIfAborted();
      if (!this.#log.isAtEnd(this)) return this.#log.read(this);
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

  /** Notifies the reader that there may be something to take. */
  wake(): void {
    if (!this.#isOver) this.#news();
  }

  [Symbol.asyncIterator](): AsyncIterator<StoreBatch, void> {
    return feedIterator(this);
  }
}
