/**
 * The lines of one watch, each rendered when it is read: first the initial objects, then the writes of the store.
 *
 *     StoreLog → Feed<StoreBatch> → WatchLines → listener, or a loop in the same process
 */
import { feedIterator } from "../feed/feed-iterator.ts";
import type { Feed } from "../feed/feed.ts";
import type { WatchFrame } from "../registry/watch-frames.ts";
import { eventBytes } from "../storage/event-bytes.ts";
import type { StoreBatch } from "../storage/store.ts";

/** Where the frames of a watch come from. */
export interface WatchSource {
  /** Frames sent before any write. */
  readonly initial: Iterable<WatchFrame>;
  readonly batches: Feed<StoreBatch>;
  /** Returns the frames of a batch for this watcher. */
  readonly framesOf: (batch: StoreBatch) => readonly WatchFrame[];
  /** Whether the last batch has been read, so that the watch ends after its frames. @default never */
  readonly isComplete?: () => boolean;
}

export interface WatchLinesOptions<T> {
  /** Called when the first line is requested, however late that is. */
  readonly begin: () => Promise<WatchSource>;
  readonly print: (frame: WatchFrame) => T;
  /** Returns the last frame of a watch that failed; undefined when it simply ends. Rethrows errors that have no frame. */
  readonly lastFrame: (error: unknown) => WatchFrame | undefined;
  /** Called once, when a started watch is over. */
  readonly release: () => void;
}

/** Guarantees: no line is lost, duplicated or reordered, however slow the reader. */
export class WatchLines<T> implements Feed<T> {
  readonly #options: WatchLinesOptions<T>;
  #state: "new" | "begun" | "over" = "new";
  #source: WatchSource | undefined;
  /** Why `begin` failed. */
  #failure: { readonly error: unknown } | undefined;
  #initial: Iterator<WatchFrame, unknown> | undefined;
  /** The current batch; `#at` is the next frame. */
  #frames: readonly WatchFrame[] = [];
  #batch: StoreBatch | undefined;
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

  heldBytes(): number {
    const left = this.#frames.length - this.#at;
    if (left === 0 || this.#batch === undefined) return 0;
    return (this.#batch.events.reduce((sum, event) => sum + eventBytes(event), 0) * left) / this.#frames.length;
  }

  dismiss(): void {
    const hasBegun = this.#state === "begun";
    this.#state = "over";
    this.#frames = [];
    this.#at = 0;
    this.#batch = undefined;
    this.#initial = undefined;
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
    // The reader may have left while `begin` ran.
    if (this.isOver) this.dismiss();
    else this.#news();
  }

  /** Returns the next frame; undefined if none is available yet or the watch has ended. */
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
      if (source.isComplete?.() === true) {
        this.dismiss();
        return undefined;
      }
      const batch = source.batches.take();
      if (batch === undefined) {
        if (source.batches.isOver) this.dismiss();
        return undefined;
      }
      this.#frames = source.framesOf(batch);
      this.#batch = batch;
      this.#at = 0;
    }
    return this.#frames[this.#at++];
  }
}
