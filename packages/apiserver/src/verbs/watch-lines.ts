/**
 * The lines of one watch, each made when it is asked for: first what is there, then what the store tells.
 *
 *     StoreLog → Feed<StoreBatch> → WatchLines → listener, or a loop in the same process
 */
import { feedIterator } from "../feed/feed-iterator.ts";
import type { Feed } from "../feed/feed.ts";
import type { WatchFrame } from "../registry/watch-frames.ts";
import type { StoreBatch } from "../storage/store.ts";

/** Where the frames of a watch come from. */
export interface WatchSource {
  /** What is told before anything else. */
  readonly initial: Iterable<WatchFrame>;
  readonly batches: Feed<StoreBatch>;
  /** What a batch is to this watcher. */
  readonly framesOf: (batch: StoreBatch) => readonly WatchFrame[];
}

export interface WatchLinesOptions<T> {
  /** Called when somebody asks for the first line, however late that is. */
  readonly begin: () => Promise<WatchSource>;
  readonly print: (frame: WatchFrame) => T;
  /** The last frame of a watch that cannot go on; undefined when it just ends. Throws what is no answer to anybody. */
  readonly lastFrame: (error: unknown) => WatchFrame | undefined;
  /** Called once, when a watch that has begun is over. */
  readonly release: () => void;
}

/** Guarantees: no line is lost, doubled or out of order, whoever reads and however slowly. */
export class WatchLines<T> implements Feed<T> {
  readonly #options: WatchLinesOptions<T>;
  #state: "new" | "begun" | "over" = "new";
  #source: WatchSource | undefined;
  /** Why there is no source. */
  #failure: { readonly error: unknown } | undefined;
  #initial: Iterator<WatchFrame, unknown> | undefined;
  /** What is left of a batch, from `#at` on. */
  #frames: readonly WatchFrame[] = [];
  #at = 0;
  #news: () => void = () => undefined;

  constructor(options: WatchLinesOptions<T>) {
    this.#options = options;
  }

  get isOver(): boolean {
    return this.#state === "over";
  }

  take(): T | undefined {
    if (this.#state === "new") void this.#begin();
    if (this.#state === "over") return undefined;
    try {
      const frame = this.#frame();
      return frame === undefined ? undefined : this.#options.print(frame);
    } catch (error) {
      this.dismiss();
      const last = this.#options.lastFrame(error);
      return last === undefined ? undefined : this.#options.print(last);
    }
  }

  onNews(callback: () => void): void {
    this.#news = callback;
  }

  dismiss(): void {
    const hasBegun = this.#state === "begun";
    this.#state = "over";
    this.#source?.batches.dismiss();
    if (hasBegun) this.#options.release();
  }

  [Symbol.asyncIterator](): AsyncIterator<T, void> {
    return feedIterator(this);
  }

  async #begin(): Promise<void> {
    this.#state = "begun";
    try {
      const source = await this.#options.begin();
      source.batches.onNews(() => this.#news());
      this.#initial = source.initial[Symbol.iterator]();
      this.#source = source;
    } catch (error) {
      this.#failure = { error };
    }
    // Nobody may be there any more.
    if (this.isOver) this.dismiss();
    else this.#news();
  }

  /** The next; undefined when there is nothing to tell at the moment, or it is over. */
  #frame(): WatchFrame | undefined {
    const source = this.#source;
    if (this.#failure !== undefined) throw this.#failure.error;
    if (source === undefined) return undefined;
    if (this.#initial !== undefined) {
      const next = this.#initial.next();
      if (next.done !== true) return next.value;
      this.#initial = undefined;
    }
    while (this.#at === this.#frames.length) {
      const batch = source.batches.take();
      if (batch === undefined) {
        if (source.batches.isOver) this.dismiss();
        return undefined;
      }
      this.#frames = source.framesOf(batch);
      this.#at = 0;
    }
    return this.#frames[this.#at++];
  }
}
