/**
 * What happened to a memory store, as far back as is remembered, and whoever follows it. Followers read at their own pace from the one log:
 * a write never waits for them, and one that falls behind what is remembered is told so.
 */
import type { SortedTree } from "./sorted-tree.ts";
import { CompactedError } from "./store.ts";
import type { Revision, StoreBatch, StoreEvent, Stored, StoreWatch, WatchOptions } from "./store.ts";

interface Moment {
  readonly event: StoreEvent;
  /** The state after it. */
  readonly root: SortedTree<Stored> | undefined;
}

interface Follower {
  readonly prefix: string;
  /** The first write it has not been told of. */
  next: Revision;
  wantsProgress: boolean;
  /** Nobody reads it any more. */
  isOver: boolean;
  /** While it waits. */
  wake: (() => void) | undefined;
}

export interface StoreLogOptions {
  readonly historyLength: number;
  readonly root: SortedTree<Stored> | undefined;
  readonly revision: Revision;
}

/** Guarantees: moments are without a gap from `compacted` + 1 to the newest. */
export class StoreLog {
  readonly #historyLength: number;
  /** Those before `#start` are forgotten, but still here until a good many have gathered. */
  #moments: Moment[] = [];
  #start = 0;
  #oldest: { readonly revision: Revision; readonly root: SortedTree<Stored> | undefined };
  /** Those who have been told everything so far. */
  readonly #waiting = new Set<Follower>();
  /** Counts the times the log was begun anew; a follower of an earlier one is at its end. */
  #age = 0;

  constructor({ historyLength, root, revision }: StoreLogOptions) {
    this.#historyLength = historyLength;
    this.#oldest = { root, revision };
  }

  /** The oldest revision whose state is remembered. */
  get compacted(): Revision {
    return this.#oldest.revision;
  }

  append(event: StoreEvent, root: SortedTree<Stored> | undefined): void {
    this.#moments.push({ event, root });
    if (this.#moments.length - this.#start > this.#historyLength) this.#forget(1);
    for (const follower of this.#waiting) {
      if (event.key.startsWith(follower.prefix)) follower.wake?.();
      // It has seen all there was, and this is nothing for it.
      else if (follower.next === event.revision) follower.next++;
    }
  }

  rootAt(revision: Revision): SortedTree<Stored> | undefined {
    if (revision < this.compacted) throw new CompactedError(revision, this.compacted);
    return revision === this.compacted ? this.#oldest.root : this.#moments[this.#start + revision - this.compacted - 1]?.root;
  }

  compact(revision: Revision): void {
    this.#forget(revision - this.compacted);
    this.#wake();
  }

  restart(root: SortedTree<Stored> | undefined, revision: Revision): void {
    this.#age++;
    this.#moments = [];
    this.#start = 0;
    this.#oldest = { root, revision };
    this.#wake();
  }

  close(): void {
    this.#age++;
    this.#wake();
  }

  watch(prefix: string, { from, signal }: WatchOptions): StoreWatch {
    const follower: Follower = { prefix, next: from, wantsProgress: false, isOver: false, wake: undefined };
    const batches = this.#follow(follower, signal);
    return {
      [Symbol.asyncIterator]: () => batches,
      requestProgress: () => {
        follower.wantsProgress = true;
        follower.wake?.();
      },
    };
  }

  /** By hand: a thousand followers of one write would feel what a generator costs. */
  #follow(follower: Follower, signal: AbortSignal): AsyncIterator<StoreBatch, void> {
    const age = this.#age;
    const wake = (): void => follower.wake?.();
    const end = (): void => {
      follower.isOver = true;
      signal.removeEventListener("abort", wake);
    };
    signal.addEventListener("abort", wake, { once: true });
    const next = async (): Promise<IteratorResult<StoreBatch, void>> => {
      try {
        while (!follower.isOver && !signal.aborted && age === this.#age) {
          const batch = this.#batch(follower);
          if (batch !== undefined) return { done: false, value: batch };
          await this.#news(follower);
        }
        if (!follower.isOver) signal.throwIfAborted();
      } catch (error) {
        end();
        throw error;
      }
      end();
      return { done: true, value: undefined };
    };
    const leave = (): Promise<IteratorResult<StoreBatch, void>> => {
      end();
      wake();
      return Promise.resolve({ done: true, value: undefined });
    };
    return { next, return: leave };
  }

  /** What a follower has not been told yet; undefined when that is nothing and it did not ask. */
  #batch(follower: Follower): StoreBatch | undefined {
    if (follower.next <= this.compacted) throw new CompactedError(follower.next, this.compacted);
    const newest = this.compacted + this.#moments.length - this.#start;
    const events: StoreEvent[] = [];
    for (let at = this.#start + follower.next - this.compacted - 1; at < this.#moments.length; at++) {
      const { event } = this.#moments[at] as Moment;
      if (event.key.startsWith(follower.prefix)) events.push(event);
    }
    follower.next = Math.max(follower.next, newest + 1);
    if (events.length === 0 && !(follower.wantsProgress && newest >= follower.next - 1)) return undefined;
    follower.wantsProgress = false;
    return { events, revision: newest };
  }

  #forget(count: number): void {
    const last = this.#moments[this.#start + count - 1];
    if (last === undefined) return;
    this.#oldest = { revision: last.event.revision, root: last.root };
    this.#start += count;
    if (this.#start * 2 <= this.#moments.length) return;
    this.#moments = this.#moments.slice(this.#start);
    this.#start = 0;
  }

  #wake(): void {
    for (const follower of this.#waiting) follower.wake?.();
  }

  #news(follower: Follower): Promise<void> {
    return new Promise((resolve) => {
      follower.wake = (): void => {
        this.#waiting.delete(follower);
        follower.wake = undefined;
        resolve();
      };
      this.#waiting.add(follower);
    });
  }
}
