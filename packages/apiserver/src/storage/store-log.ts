/**
 * The retained writes of a memory store, and their followers. Followers read one shared log at their own pace: writes never wait
 * for them, and a follower that falls behind the oldest retained write gets a `CompactedError`.
 */
import { LogFollower } from "./log-follower.ts";
import type { SortedTree } from "./sorted-tree.ts";
import { CompactedError } from "./store.ts";
import type { Revision, StoreBatch, StoreEvent, Stored, WatchOptions } from "./store.ts";

interface Moment {
  readonly event: StoreEvent;
  /** The state after the write. */
  readonly root: SortedTree<Stored> | undefined;
}

export interface StoreLogOptions {
  readonly historyLength: number;
  readonly root: SortedTree<Stored> | undefined;
  readonly revision: Revision;
}

/** Guarantees: `#moments` has no gap from `compacted` + 1 to the newest revision. */
export class StoreLog {
  readonly #historyLength: number;
  /** Entries before `#start` are compacted; they are removed in bulk. */
  #moments: Moment[] = [];
  #start = 0;
  #oldest: { readonly revision: Revision; readonly root: SortedTree<Stored> | undefined };
  /** Followers that have started to read. */
  readonly #followers = new Set<LogFollower>();
  /** Followers to notify, all in one microtask after the write. */
  #woken: LogFollower[] = [];
  /** Incremented by `restart` and `close`; followers of an earlier age are over. */
  #age = 0;

  constructor({ historyLength, root, revision }: StoreLogOptions) {
    this.#historyLength = historyLength;
    this.#oldest = { root, revision };
  }

  /** The oldest revision whose state is retained. */
  get compacted(): Revision {
    return this.#oldest.revision;
  }

  append(event: StoreEvent, root: SortedTree<Stored> | undefined): void {
    this.#moments.push({ event, root });
    if (this.#moments.length - this.#start > this.#historyLength) this.#forget(1);
    for (const follower of this.#followers) {
      if (event.key.startsWith(follower.prefix)) this.#wake(follower);
      // The follower is up to date and the event is not under its prefix.
      else if (follower.next === event.revision) follower.next++;
    }
  }

  rootAt(revision: Revision): SortedTree<Stored> | undefined {
    if (revision < this.compacted) throw new CompactedError(revision, this.compacted);
    return revision === this.compacted ? this.#oldest.root : this.#moments[this.#start + revision - this.compacted - 1]?.root;
  }

  compact(revision: Revision): void {
    this.#forget(revision - this.compacted);
    this.#wakeAll();
  }

  restart(root: SortedTree<Stored> | undefined, revision: Revision): void {
    this.#age++;
    this.#moments = [];
    this.#start = 0;
    this.#oldest = { root, revision };
    this.#wakeAll();
  }

  close(): void {
    this.#age++;
    this.#wakeAll();
  }

  watch(prefix: string, options: WatchOptions): LogFollower {
    const age = this.#age;
    return new LogFollower(
      {
        read: (follower) => this.#batch(follower),
        forget: (follower) => void this.#followers.delete(follower),
        isAtEnd: () => age !== this.#age,
      },
      prefix,
      options,
    );
  }

  /** Returns the unread events of a follower; undefined when there are none and it did not request progress. */
  #batch(follower: LogFollower): StoreBatch | undefined {
    this.#followers.add(follower);
    follower.isBehind = false;
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

  #wakeAll(): void {
    for (const follower of this.#followers) this.#wake(follower);
  }

  #wake(follower: LogFollower): void {
    // Already notified.
    if (follower.isBehind) return;
    follower.isBehind = true;
    if (this.#woken.push(follower) === 1) void Promise.resolve().then(() => this.#tellWoken());
  }

  #tellWoken(): void {
    const woken = this.#woken;
    this.#woken = [];
    for (const follower of woken) follower.wake();
  }
}
