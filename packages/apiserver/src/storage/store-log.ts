/**
 * What happened to a memory store, as far back as is remembered, and whoever follows it. Followers read at their own pace from the one log:
 * a write never waits for them, and one that falls behind what is remembered is told so.
 */
import type { SortedTree } from "./sorted-tree.ts";
import { CompactedError } from "./store.ts";
import type { Revision, StoreEvent, Stored, WatchOptions } from "./store.ts";

interface Moment {
  readonly event: StoreEvent;
  /** The state after it. */
  readonly root: SortedTree<Stored> | undefined;
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
  readonly #waiting = new Set<() => void>();
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
    this.#wake();
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

  async *watch(prefix: string, { from, signal }: WatchOptions): AsyncGenerator<readonly StoreEvent[], void, undefined> {
    const age = this.#age;
    let next = from;
    while (!signal.aborted && age === this.#age) {
      if (next <= this.compacted) throw new CompactedError(next, this.compacted);
      const first = this.#start + next - this.compacted - 1;
      const batch: StoreEvent[] = [];
      for (let at = first; at < this.#moments.length; at++) {
        const { event } = this.#moments[at] as Moment;
        if (event.key.startsWith(prefix)) batch.push(event);
      }
      next = Math.max(next, this.compacted + 1 + this.#moments.length - this.#start);
      if (batch.length > 0) yield batch;
      else await this.#news(signal);
    }
    signal.throwIfAborted();
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
    for (const wake of this.#waiting) wake();
  }

  #news(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const wake = (): void => {
        this.#waiting.delete(wake);
        signal.removeEventListener("abort", wake);
        resolve();
      };
      this.#waiting.add(wake);
      signal.addEventListener("abort", wake, { once: true });
    });
  }
}
