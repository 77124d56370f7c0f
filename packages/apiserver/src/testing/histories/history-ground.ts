/**
 * The store below a series of histories: in memory, on disk or on etcd, and how each history gets the same beginning.
 *
 *     HistoryServer → LedgerStore → HistoryGround → MemoryStore, DiskStore, EtcdStore
 */
import { assert } from "@drover/machinery";
import type { Clock } from "@drover/machinery";
import { MemoryStore } from "../../storage/memory-store.ts";
import type { Store, Stored } from "../../storage/store.ts";
import { historyKinds } from "./history-kind.ts";

export interface HistoryGround {
  readonly store: Store;
  /** Remembers the current objects. The returned function restores them; on some grounds, at a newer revision. */
  readonly mark: () => Promise<() => Promise<void>>;
  /** Whether calls are answered by sockets or files, and not within microtasks. */
  readonly isDistant: boolean;
  /** Whether the store can read revisions that its `compacted()` no longer has. */
  readonly keepsLonger: boolean;
}

export interface GroundOptions {
  readonly clock: Clock;
  /** Number of revisions in memory. */
  readonly historyLength?: number;
}

export type OpenGround = (options: GroundOptions) => HistoryGround | Promise<HistoryGround>;

export const memoryGround = (options: GroundOptions): HistoryGround => {
  const store = new MemoryStore(options);
  return {
    store,
    mark: () => {
      const beginning = store.snapshot();
      const reset = (): Promise<void> => {
        store.restore(beginning);
        return Promise.resolve();
      };
      return Promise.resolve(reset);
    },
    isDistant: false,
    keepsLonger: false,
  };
};

/** A ground that deletes what a history has created, and compacts its revisions. */
export const distantGround = (store: Store, { keepsLonger }: Pick<HistoryGround, "keepsLonger">): HistoryGround => ({
  store,
  mark: async () => {
    const kept = new Set((await objectsIn(store)).map(({ key }) => key));
    return async () => {
      for (const { key, modRevision } of await objectsIn(store)) {
        if (kept.has(key)) continue;
        const { written } = await store.delete(key, modRevision);
        assert(written, `${key} was written after the end of a history`);
      }
      const revision = await store.revision();
      if (revision > (await store.compacted())) await store.compact(revision);
    };
  },
  isDistant: true,
  keepsLonger,
});

/** Returns the objects of the kinds in histories. */
export async function objectsIn(store: Store): Promise<readonly Stored[]> {
  const lists = await Promise.all(Object.values(historyKinds).map(({ storagePrefix }) => store.list(storagePrefix)));
  return lists.flatMap(({ items }) => items);
}
