import { createMetrics, prometheusText } from "@drover/machinery";
import { ManualClock } from "@drover/machinery/testing";
import { describe, expect, it } from "vitest";
import { MemoryStore } from "./memory-store.ts";
import { CompactedError, SpaceExceededError } from "./store.ts";
import type { StoreBatch } from "./store.ts";

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

describe("the history of MemoryStore", () => {
  it("forgets the oldest revisions when it exceeds its bytes (SEC1)", async () => {
    const metrics = createMetrics();
    const store = new MemoryStore({ clock: new ManualClock(), historyBytes: 100_000, metrics });
    const large = "x".repeat(10_000);
    let expected = 0;
    for (let n = 0; n < 600; n++) {
      const outcome = await store.put("/a", large, { expected });
      if (outcome.written) expected = outcome.revision;
    }
    // Each event holds the value before and after.
    expect(expected - (await store.compacted())).toBeLessThanOrEqual(5);
    expect(expected - (await store.compacted())).toBeGreaterThanOrEqual(4);
    await expect(store.get("/a", { revision: expected - 6 })).rejects.toBeInstanceOf(CompactedError);
    expect((await store.get("/a", { revision: expected - 1 })).stored?.modRevision).toBe(expected - 1);
    expect(prometheusText(metrics)).toContain('drover_budget_exceeded_total{budget="apiserver/store-history-bytes"}');
    store.close();
  });

  it("keeps the newest revision, however large it is", async () => {
    const store = new MemoryStore({ clock: new ManualClock(), historyBytes: 10 });
    const { signal } = new AbortController();
    const batches = store.watch("/", { from: 2, signal })[Symbol.asyncIterator]();
    const next = batches.next();
    await store.put("/a", "x".repeat(1000), { expected: 0 });
    expect(await next).toMatchObject({ value: { events: [{ key: "/a" }] } });
    store.close();
  });

  it("forgets revisions after five minutes, without writes and without a lasting timer (SEC1)", async () => {
    const clock = new ManualClock();
    const store = new MemoryStore({ clock });
    expect(clock.pending).toEqual([]);
    await store.put("/a", "1", { expected: 0 });
    await clock.advance(60_000);
    await store.put("/a", "2", { expected: 2 });
    await clock.advance(239_999);
    expect(await store.compacted()).toBe(1);
    await clock.advance(1);
    expect(await store.compacted()).toBe(2);
    await clock.advance(60_000);
    expect([await store.compacted(), clock.pending]).toEqual([3, []]);
    expect((await store.get("/a")).stored?.value).toBe("2");
  });

  it("keeps an idle watch that has read everything", async () => {
    const clock = new ManualClock();
    const store = new MemoryStore({ clock });
    const { signal } = new AbortController();
    const batches = store.watch("/p/", { from: 2, signal })[Symbol.asyncIterator]();
    const next = batches.next();
    await store.put("/q/a", "", { expected: 0 });
    await clock.advance(3_600_000);
    await store.put("/p/a", "", { expected: 0 });
    expect(await next).toMatchObject({ value: { revision: 3 } });
    store.close();
    expect(clock.pending).toEqual([]);
  });

  it("delivers at most 128 KiB and one event at once to a watcher, so that a slow one holds no more (SEC1, X33)", async () => {
    const store = new MemoryStore({ clock: new ManualClock() });
    const { signal } = new AbortController();
    for (let n = 0; n < 20; n++) await store.put(`/p/${n}`, "x".repeat(40_000), { expected: 0 });
    const batches = store.watch("/p/", { from: 2, signal })[Symbol.asyncIterator]();
    const read: StoreBatch[] = [];
    for (let count = 0; count < 20; count += read.at(-1)?.events.length ?? 0) read.push((await batches.next()).value as StoreBatch);
    expect(read.map(({ events }) => events.length)).toEqual([4, 4, 4, 4, 4]);
    expect(read.map(({ revision }) => revision)).toEqual([5, 9, 13, 17, 21]);
    store.close();
  });
});

describe("the quota of MemoryStore", () => {
  it("refuses writes that add data and accepts the others (SEC1)", async () => {
    const metrics = createMetrics();
    const store = new MemoryStore({ clock: new ManualClock(), quotaBytes: 1000, metrics });
    const value = "x".repeat(498);
    await store.put("/a", value, { expected: 0 });
    await store.put("/b", value, { expected: 0 });
    await expect(store.put("/c", "", { expected: 0 })).rejects.toBeInstanceOf(SpaceExceededError);
    await expect(store.put("/a", `${value}y`, { expected: 2 })).rejects.toThrow("etcdserver: mvcc: database space exceeded");
    expect(await store.put("/a", "x", { expected: 2 })).toMatchObject({ written: true, revision: 4 });
    expect(await store.delete("/b", 3)).toMatchObject({ written: true });
    const snapshot = store.snapshot();
    expect(await store.put("/c", "y".repeat(990), { expected: 0 })).toMatchObject({ written: true });
    store.restore(snapshot);
    expect(await store.put("/d", "y".repeat(990), { expected: 0 })).toMatchObject({ written: true });
    expect(prometheusText(metrics)).toContain('drover_budget_exceeded_total{budget="apiserver/store-data"} 2');
    store.close();
  });
});
