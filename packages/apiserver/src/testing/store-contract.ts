/** The contract of `Store`, which every implementation has to pass. */
import { ManualClock } from "@drover/machinery/testing";
import fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import { CompactedError, FutureRevisionError } from "../storage/store.ts";
import type { Store, StoreEvent, Stored } from "../storage/store.ts";

export interface StoreContract {
  /** Returns an empty store at revision 1. */
  readonly open: (clock: ManualClock) => Store | Promise<Store>;
  /** Whether keys expire by the clock of the test; otherwise the store's own tests cover TTLs. @default true */
  readonly isOnManualClock?: boolean;
  /** For stores that take long to open. @default that of vitest */
  readonly timeoutMs?: number;
  /** Most random histories, each in a store of its own. @default as many as other properties */
  readonly historiesMax?: number;
}

/** Opens an empty store. */
type Fresh = () => Promise<{ readonly store: Store; readonly clock: ManualClock }>;

/** Declares the tests. Assumes that a write is delivered to watches before its promise resolves. */
export function storeContract(name: string, { open, isOnManualClock = true, timeoutMs, historiesMax = Infinity }: StoreContract): void {
  const suite = timeoutMs === undefined ? {} : { timeout: timeoutMs };
  describe(`Store contract: ${name}`, suite, () => {
    const opened: Store[] = [];
    const fresh: Fresh = async () => {
      const clock = new ManualClock();
      const store = await open(clock);
      opened.push(store);
      return { store, clock };
    };
    afterEach(() => {
      for (const store of opened.splice(0)) store.close();
    });

    declareReadsAndWrites(fresh);
    declareWatches(fresh);
    declareProgress(fresh);
    if (isOnManualClock) declareExpiry(fresh);
    declareModel(fresh, historiesMax);
  });
}

function declareReadsAndWrites(fresh: Fresh): void {
  it("starts at revision 1 and increments it with every write", async () => {
    const { store } = await fresh();
    expect(await store.revision()).toBe(1);
    expect(await store.put("/a", "1", { expected: 0 })).toMatchObject({ written: true, revision: 2 });
    expect(await store.put("/a", "2", { expected: 2 })).toMatchObject({
      written: true,
      revision: 3,
      result: { createRevision: 2, modRevision: 3 },
    });
    expect(await store.delete("/a", 3)).toMatchObject({ written: true, revision: 4, result: { value: "2" } });
    expect(await store.put("/a", "3", { expected: 0 })).toMatchObject({ written: true, result: { createRevision: 5 } });
  });
  it("writes only at the expected revision and returns the current value otherwise", async () => {
    const { store } = await fresh();
    await store.put("/a", "1", { expected: 0 });
    expect(await store.put("/a", "2", { expected: 0 })).toMatchObject({ written: false, found: { value: "1", modRevision: 2 } });
    expect(await store.put("/b", "2", { expected: 2 })).toEqual({ written: false, found: undefined });
    expect(await store.delete("/a", 7)).toMatchObject({ written: false, found: { value: "1" } });
    expect(await store.delete("/b", 0)).toEqual({ written: false, found: undefined });
    expect(await store.revision()).toBe(2);
  });
  it("lists a prefix in key order, in pages of one revision", async () => {
    const { store } = await fresh();
    for (const key of ["/p/b", "/p/a-b/x", "/p/a/x", "/q/a", "/p/c", "/o"]) await store.put(key, key, { expected: 0 });
    const page = await store.list("/p/", { limit: 2 });
    expect([page.items.map(({ key }) => key), page.remaining, page.revision]).toEqual([["/p/a-b/x", "/p/a/x"], 2, 7]);
    await store.put("/p/bb", "", { expected: 0 });
    const rest = await store.list("/p/", { after: "/p/a/x", revision: page.revision });
    expect([rest.items.map(({ key }) => key), rest.remaining]).toEqual([["/p/b", "/p/c"], 0]);
    expect((await store.list("/p/", { after: "/p/a/x" })).items).toHaveLength(3);
    expect((await store.list("/nothing/")).items).toEqual([]);
  });
  it("reads past revisions until they are compacted, and never future ones", async () => {
    const { store } = await fresh();
    for (const value of ["1", "2", "3"]) await store.put("/a", value, { expected: (await store.get("/a")).stored?.modRevision ?? 0 });
    expect((await store.get("/a", { revision: 2 })).stored?.value).toBe("1");
    await store.compact(3);
    await expect(store.get("/a", { revision: 2 })).rejects.toBeInstanceOf(CompactedError);
    await expect(store.compact(3)).rejects.toBeInstanceOf(CompactedError);
    expect([
      (await store.get("/a", { revision: 3 })).stored?.value,
      (await store.get("/a")).stored?.value,
      await store.compacted(),
    ]).toEqual(["2", "3", 3]);
    await expect(store.list("/", { revision: 9 })).rejects.toBeInstanceOf(FutureRevisionError);
    await expect(store.compact(9)).rejects.toBeInstanceOf(FutureRevisionError);
  });
}

function declareWatches(fresh: Fresh): void {
  it("delivers every write from a revision on, in order, with the previous value", async () => {
    const { store, clock } = await fresh();
    const stop = new AbortController();
    await store.put("/p/a", "1", { expected: 0 });
    const seen: string[] = [];
    const watching = (async (): Promise<void> => {
      for await (const batch of store.watch("/p/", { from: 2, signal: stop.signal })) {
        for (const { revision, current, previous } of batch.events)
          seen.push(`${revision}: ${previous === undefined ? "-" : text(previous)} → ${current === undefined ? "-" : text(current)}`);
      }
    })();
    await clock.settle();
    await store.put("/p/a", "2", { expected: 2 });
    await store.put("/q", "", { expected: 0 });
    await store.delete("/p/a", 3);
    await clock.settle();
    stop.abort(new Error("enough"));
    await expect(watching).rejects.toThrow("enough");
    expect(seen).toEqual(["2: - → /p/a=1 2/2", "3: /p/a=1 2/2 → /p/a=2 2/3", "5: /p/a=2 2/3 → -"]);
  });
  it("fails a watch with CompactedError when it starts too late or falls behind", async () => {
    const { store, clock } = await fresh();
    for (let n = 0; n < 3; n++) await store.put(`/${n}`, "", { expected: 0 });
    await store.compact(3);
    const { signal } = new AbortController();
    const first = async (from: number): Promise<readonly StoreEvent[] | undefined> => {
      for await (const { events } of store.watch("/", { from, signal })) return events;
      return undefined;
    };
    await expect(first(3)).rejects.toBeInstanceOf(CompactedError);
    expect((await first(4))?.length).toBe(1);
    const slow = store.watch("/", { from: 5, signal })[Symbol.asyncIterator]();
    await store.put("/x", "", { expected: 0 });
    await slow.next();
    await store.put("/y", "", { expected: 0 });
    await store.put("/z", "", { expected: 0 });
    await store.compact(7);
    await clock.settle();
    await expect(slow.next()).rejects.toBeInstanceOf(CompactedError);
  });
}

function declareProgress(fresh: Fresh): void {
  it("keeps an idle watch up to date while other prefixes change", async () => {
    const { store, clock } = await fresh();
    const { signal } = new AbortController();
    const batches = store.watch("/p/", { from: 2, signal })[Symbol.asyncIterator]();
    const next = batches.next();
    await clock.settle();
    for (let n = 0; n < 5; n++) await store.put(`/q/${n}`, "", { expected: 0 });
    await store.compact(6);
    await store.put("/p/a", "", { expected: 0 });
    expect(await next).toMatchObject({ value: { revision: 7, events: [{ revision: 7, key: "/p/a" }] } });
  });
  it("reports watch progress on request", async () => {
    const { store, clock } = await fresh();
    const { signal } = new AbortController();
    const watch = store.watch("/p/", { from: 2, signal });
    const batches = watch[Symbol.asyncIterator]();
    const next = batches.next();
    await clock.settle();
    await store.put("/q", "", { expected: 0 });
    watch.requestProgress();
    expect(await next).toMatchObject({ value: { revision: 2, events: [] } });
    watch.requestProgress();
    await store.put("/p/a", "", { expected: 0 });
    expect(await batches.next()).toMatchObject({ value: { revision: 3, events: [{ key: "/p/a" }] } });
    const future = store.watch("/p/", { from: 9, signal });
    future.requestProgress();
    const later = future[Symbol.asyncIterator]().next();
    for (let n = 0; n < 6; n++) await store.put(`/p/${n}`, "", { expected: 0 });
    expect(await later).toMatchObject({ value: { revision: 8, events: [] } });
  });
}

function declareExpiry(fresh: Fresh): void {
  it("deletes keys when their TTL expires, which each put restarts", async () => {
    const { store, clock } = await fresh();
    await store.put("/a", "1", { expected: 0, ttlMs: 1000 });
    await clock.advance(900);
    await store.put("/a", "2", { expected: 2, ttlMs: 1000 });
    await clock.advance(900);
    expect((await store.get("/a")).stored?.value).toBe("2");
    await clock.advance(100);
    expect([(await store.get("/a")).stored, await store.revision()]).toEqual([undefined, 4]);
    await store.put("/a", "3", { expected: 0, ttlMs: 1000 });
    await store.put("/a", "4", { expected: 5 });
    await clock.advance(10_000);
    expect((await store.get("/a")).stored?.value).toBe("4");
  });
}

function declareModel(fresh: Fresh, historiesMax: number): void {
  it("equals a model that keeps all states, for random histories", async () => {
    const write = fc.record({
      key: fc.constantFrom("/a/1", "/a/2", "/b/1"),
      value: fc.option(fc.stringMatching(/^[x-z]$/), { nil: undefined }),
      isExpected: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(write, { maxLength: 20 }), fc.nat(20), async (writes, at) => {
        const { store } = await fresh();
        const states = [new Map<string, Stored>(), new Map<string, Stored>()];
        for (const { key, value, isExpected } of writes) {
          const state = states.at(-1) ?? new Map<string, Stored>();
          const known = state.get(key);
          const expected = (known?.modRevision ?? 0) + (isExpected ? 0 : 1);
          const outcome = value === undefined ? await store.delete(key, expected) : await store.put(key, value, { expected });
          expect(outcome.written).toBe(isExpected && (value !== undefined || known !== undefined));
          if (!outcome.written) continue;
          const next = new Map(state);
          if (value === undefined) next.delete(key);
          else next.set(key, { key, value, createRevision: known?.createRevision ?? states.length, modRevision: states.length });
          states.push(next);
        }
        const revision = Math.min(states.length - 1, 1 + at);
        const sorted = [...(states[revision]?.values() ?? [])]
          .filter(({ key }) => key.startsWith("/a/"))
          .toSorted((a, b) => (a.key < b.key ? -1 : 1));
        expect((await store.list("/a/", { revision })).items).toEqual(sorted);
        expect(await store.revision()).toBe(states.length - 1);
      }),
      { numRuns: Math.min(historiesMax, Math.ceil((fc.readConfigureGlobal()?.numRuns ?? 100) / 10)) },
    );
  });
}

const text = ({ key, value, createRevision, modRevision }: Stored): string => `${key}=${value} ${createRevision}/${modRevision}`;
