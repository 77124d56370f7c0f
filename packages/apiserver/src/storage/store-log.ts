/**
 * The retained writes of a memory store, and their followers. Followers read one shared log at their own pace: writes never wait
 * for them, and a follower that falls behind the oldest retained write gets a `CompactedError`.
 */
import { budget } from "@drover/machinery";
import type { Budget, Clock } from "@drover/machinery";
import { eventBytes } from "./event-bytes.ts";
import { FollowerGroups } from "./follower-groups.ts";
import { LogFollower } from "./log-follower.ts";
import type { SortedTree } from "./sorted-tree.ts";
import { CompactedError } from "./store.ts";
import type { Revision, StoreBatch, StoreEvent, Stored, WatchOptions } from "./store.ts";

/** Older revisions are compacted: reads and watches from there get a 410. */
export const historyRevisions: Budget = budget({
  name: "apiserver/store-history-revisions",
  limit: 10_000,
  unit: "items",
  atLimit: "The oldest revision is compacted; a read or watch from there gets a 410.",
  uncounted: "Normal operation: every busy server compacts its history.",
});
/** Keys and values, see `eventBytes`. */
export const historyBytes: Budget = budget({
  name: "apiserver/store-history-bytes",
  limit: 128 * 2 ** 20,
  unit: "bytes",
  atLimit: "The oldest eighth of the history is compacted; a read or watch from there gets a 410. At most a sixteenth of the heap on Node.",
});
/** kube-apiserver compacts etcd every five minutes. */
export const historyTime: Budget = budget({
  name: "apiserver/store-history-time",
  limit: 5 * 60_000,
  unit: "milliseconds",
  atLimit: "Older revisions are compacted; a read or watch from there gets a 410.",
  uncounted: "Normal operation: every server compacts its history.",
});
/** What one watcher holds between the log and its connection; the rest waits in the history, which is shared. */
const batchBytes = budget({
  name: "apiserver/watch-batch",
  limit: 128 * 1024,
  unit: "bytes",
  atLimit: "The watcher gets the rest after it has read these events, or a 410 when the rest is compacted by then.",
  uncounted: "Normal operation: the watcher reads on where the batch ended.",
});
/** With ten thousand watchers of a kind, telling all of them of one write takes longer than a request should wait. */
const tellMs = budget({
  name: "apiserver/watch-turn",
  limit: 10,
  unit: "milliseconds",
  atLimit: "The other watchers get a write in the next turn of the event loop, after the requests that wait.",
  uncounted: "It is reached in normal operation: nothing is lost, and each watcher keeps its order.",
});
/** The clock is read after this many watchers. */
const tellCount = 32;
/** The history ends at most this share of `historyMs` late, so that a timer does not fire for each write. */
const timerShare = 1 / 10;

interface Moment {
  readonly event: StoreEvent;
  /** On the monotonic clock. */
  readonly at: number;
  /** The state after the write. */
  readonly root: SortedTree<Stored> | undefined;
}

interface SharedBatch {
  readonly prefix: string;
  readonly from: Revision;
  readonly batch: StoreBatch;
  /** Whether nothing is left to read after it. */
  readonly isWhole: boolean;
}

export interface StoreLogOptions {
  readonly clock: Clock;
  readonly historyLength: number;
  readonly historyBytes: number;
  readonly historyMs: number;
  /** Called when the history is compacted because of its size. */
  readonly onFull: (budget: Budget) => void;
  readonly root: SortedTree<Stored> | undefined;
  readonly revision: Revision;
}

/**
 * Guarantees: `#moments` has every write after `compacted`, in order; its keys and values never exceed `historyBytes` for longer than
 * the call that appends. There is no timer while there is no history. Revisions may be missing, and several writes may share one, as in
 * an etcd with other users; a follower gets the writes of one revision together.
 */
export class StoreLog {
  readonly #options: Omit<StoreLogOptions, "root" | "revision">;
  /** Entries before `#start` are compacted and undefined; they are removed in bulk. */
  #moments: (Moment | undefined)[] = [];
  #start = 0;
  #oldest: { readonly revision: Revision; readonly root: SortedTree<Stored> | undefined };
  #newest: Revision;
  /** Followers that have started to read. */
  readonly #followers = new FollowerGroups();
  /** Followers to notify, from the microtask after the write on. */
  #woken: LogFollower[] = [];
  /** Those of an earlier write that are notified in a later turn; the new ones wait for them. */
  #isTelling = false;
  /** What the last follower got: those of its prefix after it, which have read as far, get the same. */
  #shared: SharedBatch | undefined;
  /** The sum of `eventBytes` over the moments from `#start` on. */
  #bytes = 0;
  #cancelTimer: (() => void) | undefined;
  /** Incremented by `restart` and `close`; followers of an earlier age are over. */
  #age = 0;
  /** The newest revision of a history that was lost. */
  #lost: Revision = 0;
  /** Followers of this age and earlier ones followed it. */
  #lostAge = -1;

  constructor({ root, revision, ...options }: StoreLogOptions) {
    this.#options = options;
    this.#oldest = { root, revision };
    this.#newest = revision;
  }

  /** The oldest revision whose state is retained. */
  get compacted(): Revision {
    return this.#oldest.revision;
  }

  append(event: StoreEvent, root: SortedTree<Stored> | undefined): void {
    const at = this.#options.clock.monotonic();
    this.#moments.push({ event, root, at });
    this.#newest = event.revision;
    this.#bytes += eventBytes(event);
    this.#trim(at);
    this.#shared = undefined;
    for (const group of this.#followers.of(event.key)) {
      for (const follower of group) {
        // Nothing under its prefix was written since it read everything.
        if (follower.isCurrent) follower.next = Math.max(follower.next, event.revision);
        follower.isCurrent = false;
        this.#wake(follower);
      }
    }
  }

  /** There were no writes up to this revision since the newest one. */
  advance(revision: Revision): void {
    this.#newest = Math.max(this.#newest, revision);
    this.#shared = undefined;
  }

  /** Whether a revision that is not reached yet can only be of a history that was lost. */
  isLost(revision: Revision): boolean {
    return revision > this.#newest && revision <= this.#lost;
  }

  rootAt(revision: Revision): SortedTree<Stored> | undefined {
    if (revision < this.compacted) throw new CompactedError(revision, this.compacted);
    const at = this.#firstAt(revision + 1) - 1;
    return at < this.#start ? this.#oldest.root : this.#moments[at]?.root;
  }

  compact(revision: Revision): void {
    const root = this.rootAt(revision);
    this.#forget(this.#firstAt(revision + 1) - this.#start);
    this.#oldest = { revision, root };
    this.#wakeAll();
  }

  /** Returns the index of the first write at this revision or later. */
  #firstAt(revision: Revision): number {
    const end = this.#moments.length;
    // Without gaps, as in a store that only this server writes to.
    const guess = this.#start + revision - this.compacted - 1;
    if (guess === end && this.#newest === revision - 1) return end;
    if (guess >= this.#start && this.#moments[guess]?.event.revision === revision && this.#isFirst(guess)) return guess;
    let [low, high] = [this.#start, end];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#moments[middle] as Moment).event.revision < revision) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Whether the write at an index is the first of its revision. */
  #isFirst(at: number): boolean {
    return this.#moments[at - 1]?.event.revision !== this.#moments[at]?.event.revision;
  }

  /**
   * Begins anew. `isLost` means that the writes after this revision so far never happened: followers get a `CompactedError`, because what
   * they know may be wrong.
   */
  restart(root: SortedTree<Stored> | undefined, revision: Revision, { isLost = false }: { readonly isLost?: boolean } = {}): void {
    if (isLost) {
      this.#lost = Math.max(this.#lost, this.#newest);
      this.#lostAge = this.#age;
    }
    this.#age++;
    this.#stopTimer();
    this.#moments = [];
    this.#bytes = 0;
    this.#start = 0;
    this.#shared = undefined;
    this.#oldest = { root, revision };
    this.#newest = revision;
    this.#wakeAll();
  }

  close(): void {
    this.#age++;
    this.#stopTimer();
    this.#wakeAll();
  }

  watch(prefix: string, options: WatchOptions): LogFollower {
    const age = this.#age;
    return new LogFollower(
      {
        read: (follower) => this.#batch(follower),
        forget: (follower) => {
          if (follower.isFollowing) this.#followers.delete(follower);
          follower.isFollowing = false;
        },
        isAtEnd: (follower) => {
          if (age <= this.#lostAge) throw new CompactedError(follower.next, this.compacted);
          return age !== this.#age;
        },
      },
      prefix,
      options,
    );
  }

  /** Returns the unread events of a follower; undefined when there are none and it did not request progress. */
  #batch(follower: LogFollower): StoreBatch | undefined {
    if (!follower.isFollowing) this.#followers.add(follower);
    follower.isFollowing = true;
    follower.isBehind = false;
    const newest = this.#newest;
    if (follower.isCurrent) follower.next = Math.max(follower.next, newest + 1);
    if (follower.next <= this.compacted || this.isLost(follower.next - 1)) throw new CompactedError(follower.next, this.compacted);
    const from = follower.next;
    const shared = this.#shared;
    if (shared?.from === from && shared.prefix === follower.prefix)
      return shared.isWhole ? this.#whole(follower, shared.batch) : this.#part(follower, shared.batch);
    const events: StoreEvent[] = [];
    let bytes = 0;
    let at = this.#firstAt(follower.next);
    for (; at < this.#moments.length && (bytes < batchBytes.limit || !this.#isFirst(at)); at++) {
      const { event } = this.#moments[at] as Moment;
      if (!event.key.startsWith(follower.prefix)) continue;
      events.push(event);
      bytes += eventBytes(event);
    }
    const isWhole = at >= this.#moments.length;
    const batch = { events, revision: isWhole ? newest : (events.at(-1)?.revision ?? from - 1) };
    if (events.length > 0) this.#shared = { prefix: follower.prefix, from, batch, isWhole };
    return isWhole ? this.#whole(follower, batch) : this.#part(follower, batch);
  }

  /** The follower has read everything with this batch. */
  #whole(follower: LogFollower, batch: StoreBatch): StoreBatch | undefined {
    follower.next = Math.max(follower.next, batch.revision + 1);
    follower.isCurrent = true;
    if (batch.events.length === 0 && !(follower.wantsProgress && batch.revision >= follower.next - 1)) return undefined;
    follower.wantsProgress = false;
    return batch;
  }

  /** The follower reads the rest by itself; the log does not wake it for that. */
  #part(follower: LogFollower, batch: StoreBatch): StoreBatch {
    follower.next = batch.revision + 1;
    follower.isBehind = true;
    return batch;
  }

  /** Compacts what exceeds the limits on number, bytes and age. The newest moment stays, unless it is too old. */
  #trim(now: number): void {
    const { historyLength, historyBytes: bytesMax, historyMs, onFull } = this.#options;
    const length = this.#moments.length - this.#start;
    let count = Math.max(0, length - historyLength);
    if (this.#bytes > bytesMax) {
      onFull(historyBytes);
      // In bulk, so that a full history is not counted and trimmed with every write.
      const target = (bytesMax * 7) / 8;
      for (let bytes = this.#bytes, at = this.#start; bytes > target && at < this.#moments.length - 1; at++) {
        bytes -= eventBytes((this.#moments[at] as Moment).event);
        count = Math.max(count, at - this.#start + 1);
      }
    }
    while (count < length && now - (this.#moments[this.#start + count] as Moment).at >= historyMs) count++;
    if (count > 0) this.#forget(count);
    const oldest = this.#moments[this.#start];
    if (oldest !== undefined && this.#cancelTimer === undefined)
      this.#startTimer(Math.max(oldest.at + historyMs - now, historyMs * timerShare));
  }

  /** For servers without writes; `append` does the same for the others. */
  #startTimer(delayMs: number): void {
    const { clock } = this.#options;
    this.#cancelTimer = clock.timer(delayMs, () => {
      this.#cancelTimer = undefined;
      this.#trim(clock.monotonic());
    });
  }

  #stopTimer(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
  }

  #forget(atLeast: number): void {
    let count = atLeast;
    while (this.#start + count < this.#moments.length && count > 0 && !this.#isFirst(this.#start + count)) count++;
    const last = count > 0 ? this.#moments[this.#start + count - 1] : undefined;
    if (last === undefined) return;
    for (let at = this.#start; at < this.#start + count; at++) {
      this.#bytes -= eventBytes((this.#moments[at] as Moment).event);
      this.#moments[at] = undefined;
    }
    this.#oldest = { revision: last.event.revision, root: last.root };
    this.#shared = undefined;
    this.#start += count;
    if (this.#start * 2 <= this.#moments.length) return;
    this.#moments = this.#moments.slice(this.#start);
    this.#start = 0;
    if (this.#moments.length === 0) this.#stopTimer();
  }

  #wakeAll(): void {
    for (const follower of this.#followers.all()) this.#wake(follower);
  }

  #wake(follower: LogFollower): void {
    // Already notified.
    if (follower.isBehind) return;
    follower.isBehind = true;
    if (this.#woken.push(follower) === 1 && !this.#isTelling) void Promise.resolve().then(() => this.#tellWoken());
  }

  #tellWoken(): void {
    const woken = this.#woken;
    this.#woken = [];
    this.#tell(woken, 0);
  }

  /** Notifies the followers from `at` on, for as long as a turn may take. */
  #tell(woken: readonly LogFollower[], from: number): void {
    const { clock } = this.#options;
    const end = woken.length > tellCount ? clock.monotonic() + tellMs.limit : Infinity;
    for (let at = from; at < woken.length;) {
      woken[at++]?.wake();
      if (at % tellCount !== 0 || at === woken.length || clock.monotonic() < end) continue;
      this.#isTelling = true;
      clock.timer(0, () => this.#tell(woken, at));
      return;
    }
    this.#isTelling = false;
    if (this.#woken.length > 0 && from > 0) this.#tellWoken();
  }
}
