/** A memory store in front of another one, whose revisions have gaps and several writes at once, as in an etcd with other users. */
import { ManualClock } from "@drover/machinery/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { MemoryStore } from "./memory-store.ts";
import { CompactedError } from "./store.ts";
import type { Revision, StoreBatch, Stored } from "./store.ts";

interface Written {
  readonly revision: Revision;
  readonly key: string;
}

const at = (revision: Revision, key: string): Stored => ({ key, value: `${revision}`, createRevision: revision, modRevision: revision });

describe("MemoryStore with revisions of another store", () => {
  it("reads the state at every revision and delivers the writes of a revision together, for random gaps", async () => {
    const step = fc.record({ gap: fc.integer({ min: 1, max: 3 }), keys: fc.subarray(["/a/1", "/a/2", "/b/1"]) });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 15 }), fc.nat(15), fc.nat(40), async (steps, skipped, compacted) => {
        const store = new MemoryStore({ clock: new ManualClock() });
        const writes: Written[] = [];
        let revision = 1;
        for (const { gap, keys } of steps) {
          revision += gap;
          for (const key of keys) {
            store.apply(key, at(revision, key), revision);
            writes.push({ revision, key });
          }
          store.advance(revision);
        }
        const oldest = compacted > 1 && compacted <= revision ? compacted : 1;
        if (oldest > 1) await store.compact(oldest);
        expect(await store.compacted()).toBe(oldest);
        for (let asked = 1; asked <= revision; asked++) {
          const page = store.list("/", { revision: asked });
          if (asked < oldest) {
            await expect(page).rejects.toBeInstanceOf(CompactedError);
            continue;
          }
          const state = new Map(
            writes.filter((write) => write.revision <= asked).map((write) => [write.key, at(write.revision, write.key)]),
          );
          expect((await page).items).toEqual([...state.values()].toSorted((a, b) => (a.key < b.key ? -1 : 1)));
        }
        const from = oldest + 1 + skipped;
        const watch = store.watch("/a/", { from, signal: new AbortController().signal });
        watch.requestProgress();
        if (from <= revision) {
          const value = (await watch[Symbol.asyncIterator]().next()).value as StoreBatch | undefined;
          expect(value?.events.map((event) => ({ revision: event.revision, key: event.key }))).toEqual(
            writes.filter((write) => write.revision >= from && write.key.startsWith("/a/")),
          );
          expect(value?.revision).toBe(revision);
        }
        store.close();
      }),
    );
  });
  it("never compacts or delivers a part of a revision because of its size", async () => {
    const store = new MemoryStore({ clock: new ManualClock(), historyLength: 3 });
    const large = "x".repeat(2 ** 19);
    for (const key of ["/1", "/2", "/3"]) store.apply(key, { ...at(5, key), value: large }, 5);
    const batches = store.watch("/", { from: 2, signal: new AbortController().signal })[Symbol.asyncIterator]();
    expect(((await batches.next()).value as StoreBatch | undefined)?.events).toHaveLength(3);
    store.apply("/4", at(9, "/4"), 9);
    expect([await store.compacted(), (await store.list("/", { revision: 5 })).items.length]).toEqual([5, 3]);
    store.close();
  });
});
