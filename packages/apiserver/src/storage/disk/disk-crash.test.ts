/** Crashes and failures of the disk at every call, on a model of what is durable. */
import { ManualClock, testRuntime } from "@drover/machinery/testing";
import { describe, expect, it } from "vitest";
import { ModelDisk } from "../../testing/model-disk.ts";
import type { CallFate, Survival } from "../../testing/model-disk.ts";
import { SpaceExceededError, StoreUnavailableError } from "../store.ts";
import type { StoreEvent, WriteOutcome, Stored } from "../store.ts";
import { DiskStore } from "./disk-store.ts";

const isLong = process.env["DROVER_LONG"] === "1";

/** Small files, so that a few writes begin segments and checkpoints. */
const openStore = (disk: ModelDisk, clock: ManualClock): Promise<DiskStore> =>
  DiskStore.open({
    disk,
    clock,
    log: testRuntime().log,
    newStoreId: () => "0123456789abcdef0123456789abcdef",
    segmentBytes: 420,
    checkpointBytes: 500,
    historyLength: 5,
  });

interface Ledger {
  /** Confirmed writes by revision: "key=value", or "key" for a deletion. */
  readonly confirmed: Map<number, string>;
  readonly refused: { readonly text: string; readonly error: unknown }[];
}

/** Writes alone and in groups, deletions, conflicts, and one checkpoint more than the size asks for. */
async function work(store: DiskStore, ledger: Ledger): Promise<void> {
  const revisions = new Map<string, number>();
  const note = async (text: string, key: string, write: Promise<WriteOutcome<Stored>>): Promise<void> => {
    try {
      const outcome = await write;
      if (!outcome.written) return;
      ledger.confirmed.set(outcome.revision, text);
      revisions.set(key, text === key ? 0 : outcome.revision);
    } catch (error) {
      ledger.refused.push({ text, error });
    }
  };
  const put = (key: string, value: string): Promise<void> =>
    note(`${key}=${value}`, key, store.put(key, value, { expected: revisions.get(key) ?? 0 }));
  await put("/a", "1");
  await Promise.all([put("/b", "2é"), put("/c", "3".repeat(90)), put("/a", "4")]);
  await put("/b", "5");
  await note("/c", "/c", store.delete("/c", revisions.get("/c") ?? 0));
  await Promise.all([put("/c", "6"), put("/d", "\ud800 7"), put("/d", "conflict")]);
  await put("/a", "8".repeat(60));
  await Promise.all([note("/b", "/b", store.delete("/b", revisions.get("/b") ?? 0)), put("/e", "9")]);
  await store.checkpoint();
  await put("/e", "10");
  await put("/b", "11");
  await put("/a", "12");
  await store.end();
}

const stateOf = (writes: ReadonlyMap<number, string>, revision: number): string[] => {
  const state = new Map<string, string>();
  for (const [at, text] of [...writes].toSorted(([a], [b]) => a - b)) {
    const [key = "", value] = text.split("=");
    if (at > revision) continue;
    if (value === undefined) state.delete(key);
    else state.set(key, text);
  }
  return [...state.values()].toSorted();
};

const found = async (store: DiskStore): Promise<string[]> => (await store.list("/")).items.map(({ key, value }) => `${key}=${value}`);

async function eventsOf(store: DiskStore): Promise<readonly StoreEvent[]> {
  const stop = new AbortController();
  for await (const { events } of store.watch("/", { from: (await store.compacted()) + 1, signal: stop.signal })) return events;
  return [];
}

async function reference(): Promise<{ readonly writes: ReadonlyMap<number, string>; readonly calls: number }> {
  const [disk, clock] = [new ModelDisk(), new ManualClock()];
  const ledger: Ledger = { confirmed: new Map(), refused: [] };
  await work(await openStore(disk, clock), ledger);
  return { writes: ledger.confirmed, calls: disk.calls.length };
}

/** All ways in which up to two unsynced changes survive a crash, or five in the long mode, and a sample for more. */
function survivalsOf(count: number): readonly (readonly Survival[])[] {
  const all: readonly Survival[] = ["lost", "kept", "first half", "second half"];
  if (count > (isLong ? 5 : 2)) {
    const uniform = all.map((survival) => Array.from({ length: count }, () => survival));
    const single = Array.from({ length: count }, (_, one) =>
      all
        .slice(0, 2)
        .map((survival) =>
          Array.from({ length: count }, (_unused, at): Survival => (at === one ? survival : survival === "lost" ? "kept" : "lost")),
        ),
    );
    return [...uniform, ...single.flat()];
  }
  let ways: readonly (readonly Survival[])[] = [[]];
  for (let at = 0; at < count; at++)
    ways = ways.flatMap((way) => (count > 3 ? all.slice(0, 3) : all).map((survival) => [...way, survival]));
  return ways;
}

describe("DiskStore after a crash at every call to the disk", () => {
  it("has every confirmed write, no half one, and the history of watchers (G3, X34)", async () => {
    const { writes, calls } = await reference();
    expect(writes.size).toBeGreaterThan(12);
    let images = 0;
    for (let call = 0; call < calls; call++) {
      // Stopping after a call leaves the same disk as stopping before the next one, with fewer confirmed writes.
      for (const fate of isLong ? (["stop before", "stop after"] as const) : (["stop before"] as const)) {
        const [disk, clock] = [new ModelDisk(), new ManualClock()];
        disk.fate = ({ index }): CallFate => (index === call ? fate : "perform");
        const ledger: Ledger = { confirmed: new Map(), refused: [] };
        void openStore(disk, clock).then((store) => work(store, ledger));
        await disk.stopped;
        await clock.settle();
        expect(ledger.refused).toEqual([]);
        const newest = Math.max(1, ...ledger.confirmed.keys());
        for (const survivals of survivalsOf(disk.unsynced)) {
          images++;
          const after = disk.crashed(survivals);
          const store = await openStore(after, new ManualClock());
          const revision = await store.revision();
          const about = `call ${call}, ${fate}, ${survivals.join(", ")}`;
          expect(revision, about).toBeGreaterThanOrEqual(newest);
          expect(await found(store), about).toEqual(stateOf(writes, revision));
          const history = (await store.compacted()) < revision ? await eventsOf(store) : [];
          expect(
            history.map((event) => [event.revision, event.current === undefined ? event.key : `${event.key}=${event.current.value}`]),
            about,
          ).toEqual([...writes].filter(([at]) => at <= revision && at >= revision - history.length + 1));
          expect(await store.put("/later", "x", { expected: 0 })).toMatchObject({ written: true, revision: revision + 1 });
          await store.end();
          const again = await openStore(new ModelDisk(after.files()), new ManualClock());
          expect(await found(again), about).toEqual([...stateOf(writes, revision), "/later=x"].toSorted());
          await again.end();
        }
      }
    }
    expect(images).toBeGreaterThan(300);
  });
});

describe("DiskStore on a disk that fails", () => {
  it("refuses the writes for which there is no space, and saves later ones (G17)", async () => {
    const { calls } = await reference();
    for (let call = 4; call < calls; call++) {
      for (const isPartial of [false, true]) {
        const [disk, clock] = [new ModelDisk(), new ManualClock()];
        const ledger: Ledger = { confirmed: new Map(), refused: [] };
        const store = await openStore(disk, clock);
        // Only these calls need space.
        disk.fate = ({ index, what }): CallFate =>
          index === call && (what === "write" || what === "open") ? { code: "ENOSPC", isPartial } : "perform";
        await work(store, ledger);
        for (const { error } of ledger.refused) expect(error).toBeInstanceOf(SpaceExceededError);
        expect(store.problem()).toBeUndefined();
        const again = await openStore(disk.crashed([]), new ManualClock());
        expect(await found(again), `call ${call}`).toEqual(stateOf(ledger.confirmed, Infinity));
        expect(await again.revision()).toBe(Math.max(...ledger.confirmed.keys()));
        await again.end();
      }
    }
  });

  it("confirms no write after a failed sync, serves reads, and reports it (G17)", async () => {
    const { calls } = await reference();
    let broken = 0;
    for (let call = 4; call < calls; call++) {
      const [disk, clock] = [new ModelDisk(), new ManualClock()];
      const ledger: Ledger = { confirmed: new Map(), refused: [] };
      const store = await openStore(disk, clock);
      disk.fate = ({ index, what }): CallFate => (index === call && what === "sync" ? { code: "EIO" } : "perform");
      await work(store, ledger);
      for (const { error } of ledger.refused) expect(error).toBeInstanceOf(StoreUnavailableError);
      const state = stateOf(ledger.confirmed, Infinity);
      expect(await found(store)).toEqual(state);
      if (ledger.refused.length > 0) {
        broken++;
        expect(store.problem()).toContain("failed: EIO");
        expect(ledger.refused.at(-1)?.text).toBe("/a=12");
      }
      const again = await openStore(disk.crashed([]), new ManualClock());
      expect(await found(again), `call ${call}`).toEqual(state);
      await again.end();
    }
    expect(broken).toBeGreaterThan(8);
  });
});
