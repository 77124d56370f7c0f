import { ManualClock } from "@drover/machinery/testing";
import { describe, expect, it } from "vitest";
import { MemoryStore } from "./memory-store.ts";
import { CompactedError } from "./store.ts";

describe("MemoryStore", () => {
  it("compacts revisions beyond historyLength", async () => {
    const store = new MemoryStore({ clock: new ManualClock(), historyLength: 3 });
    for (let n = 0; n < 10; n++) await store.put(`/${n}`, "", { expected: 0 });
    expect(await store.compacted()).toBe(8);
    await expect(store.list("/", { revision: 7 })).rejects.toBeInstanceOf(CompactedError);
    expect((await store.list("/", { revision: 8 })).items).toHaveLength(7);
  });
  it("restores a snapshot including TTLs, and ends watches", async () => {
    const clock = new ManualClock();
    const store = new MemoryStore({ clock });
    await store.put("/a", "1", { expected: 0, ttlMs: 1000 });
    const snapshot = store.snapshot();
    const { signal } = new AbortController();
    const ended = (async (): Promise<string> => {
      const batches = store.watch("/", { from: 3, signal })[Symbol.asyncIterator]();
      while ((await batches.next()).done !== true);
      return "ended";
    })();
    await store.delete("/a", 2);
    await store.put("/b", "2", { expected: 0 });
    store.restore(snapshot);
    expect(await ended).toBe("ended");
    expect([(await store.list("/")).items.map(({ key }) => key), await store.revision()]).toEqual([["/a"], 2]);
    await clock.advance(1000);
    expect((await store.list("/")).items).toEqual([]);
  });
  it("takes and restores a snapshot of ten thousand objects without copying", async () => {
    const store = new MemoryStore({ clock: new ManualClock() });
    for (let n = 0; n < 10_000; n++) await store.put(`/pods/${n}`, "x", { expected: 0 });
    const snapshot = store.snapshot();
    await store.delete("/pods/7", 9);
    store.restore(snapshot);
    expect((await store.list("/pods/", { limit: 1 })).remaining).toBe(9999);
  });
});
