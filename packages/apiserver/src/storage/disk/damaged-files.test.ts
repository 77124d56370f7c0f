/** Files of a store that were changed by hand or by a failing disk. */
import { ManualClock, testRuntime } from "@drover/machinery/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ModelDisk } from "../../testing/model-disk.ts";
import { DataFolderError } from "./disk.ts";
import { DiskStore } from "./disk-store.ts";

const openStore = (files: ReadonlyMap<string, Buffer>, storeId = "0123456789abcdef0123456789abcdef"): Promise<DiskStore> =>
  DiskStore.open({
    disk: new ModelDisk(files),
    clock: new ManualClock(),
    log: testRuntime().log,
    newStoreId: () => storeId,
    segmentBytes: 600,
    historyLength: 100,
  });

/** A checkpoint, four segments and ten writes. */
async function sample(storeId?: string): Promise<Map<string, Buffer>> {
  const disk = new ModelDisk();
  const store = await DiskStore.open({
    disk,
    clock: new ManualClock(),
    log: testRuntime().log,
    newStoreId: () => storeId ?? "0123456789abcdef0123456789abcdef",
    segmentBytes: 600,
    historyLength: 100,
  });
  for (let n = 0; n < 10; n++) await store.put(`/${n}`, "x".repeat(100), { expected: 0 });
  await store.end();
  return disk.files();
}

const logs = (files: ReadonlyMap<string, Buffer>): string[] => [...files.keys()].filter((name) => name.endsWith(".log")).toSorted();

describe("DiskStore.open on damaged files", () => {
  it("opens what was closed in order", async () => {
    const files = await sample();
    expect(logs(files)).toHaveLength(4);
    expect((await (await openStore(files)).list("/")).items).toHaveLength(10);
  });

  it("never opens with fewer writes after a changed bit, and names file and byte (X34)", async () => {
    const files = await sample();
    const places = [...files].flatMap(([name, bytes]) => Array.from({ length: bytes.length }, (_, at) => [name, at] as const));
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...places), fc.nat(7), async ([name, at], bit) => {
        const changed = new Map(files);
        const bytes = Buffer.from(files.get(name) ?? "");
        bytes[at] = (bytes[at] ?? 0) ^ (1 << bit);
        changed.set(name, bytes);
        // The mark of an orderly end is the only part that the store can do without.
        const isEndMark = name === logs(files).at(-1) && at >= bytes.length - 32;
        const opened = await openStore(changed).then(
          (store) => store.revision(),
          (error: unknown) => error,
        );
        if (isEndMark) expect(opened).toBe(11);
        else {
          expect(opened).toBeInstanceOf(DataFolderError);
          expect((opened as DataFolderError).message).toMatch(new RegExp(`${name}.*(?:at byte \\d+|format)`));
        }
      }),
      { numRuns: 300 },
    );
  });

  it("cuts an interrupted last write at any byte, and continues from there", async () => {
    const files = await sample();
    const name = logs(files).at(-1) ?? "";
    const whole = files.get(name) ?? Buffer.alloc(0);
    for (let size = 64; size <= whole.length; size += 7) {
      const store = await openStore(new Map([...files, [name, whole.subarray(0, size)]]));
      const revision = await store.revision();
      expect((await store.list("/")).items).toHaveLength(revision - 1);
      expect(await store.put("/new", "", { expected: 0 })).toMatchObject({ written: true, revision: revision + 1 });
      await store.end();
    }
    const zeros = await openStore(new Map([...files, [name, Buffer.concat([whole, Buffer.alloc(5000)])]]));
    expect(await zeros.revision()).toBe(11);
  });

  it("refuses missing, swapped, foreign and renamed files", async () => {
    const files = await sample();
    const [first = "", second = "", third = "", last = ""] = logs(files);
    const checkpoint = [...files.keys()].find((name) => name.endsWith(".checkpoint")) ?? "";
    const [a, b] = [files.get(second) as Buffer, files.get(third) as Buffer];
    const without = (...names: string[]): Map<string, Buffer> => new Map([...files].filter(([name]) => !names.includes(name)));
    const foreign = await sample("ffffffffffffffffffffffffffffffff");
    const later = Buffer.from(files.get(checkpoint) as Buffer);
    later.writeUInt32LE(2, 8);
    later.writeUInt32LE(new ModelDisk().crc32(later.subarray(0, 60), 0), 60);
    const cases: readonly (readonly [Map<string, Buffer>, RegExp])[] = [
      [without(first), /the log segment .* is missing/],
      [without(second), new RegExp(`the log segment ${second} is missing`)],
      [without(last), new RegExp(`the log segment ${last} is missing`)],
      [without(checkpoint), /the checkpoint of the folder is missing/],
      [new Map([...files, [second, b], [third, a]]), /was renamed/],
      [new Map([...files, [last, foreign.get(last) as Buffer]]), /belongs to another store/],
      [new Map([...files, [last, Buffer.from("a text of another program")]]), /is not a file of a data folder/],
      [new Map([...files, [checkpoint, (files.get(checkpoint) as Buffer).subarray(0, 70)]]), /its end is missing/],
      [new Map([...files, [checkpoint, later]]), /has the format 2, this program reads 1/],
      [new Map([...files, [second, a.subarray(0, 300)]]), /is damaged at byte \d+: a checksum is wrong, and the log goes on in/],
    ];
    for (const [changed, message] of cases) await expect(openStore(changed)).rejects.toThrow(message);
    expect((await (await openStore(new Map([...files, ["notes.txt", Buffer.from("hello")]]))).list("/")).items).toHaveLength(10);
  });
});

describe("DiskStore across restarts", () => {
  it("keeps the deadlines of TTLs", async () => {
    const disk = new ModelDisk();
    const open = (clock: ManualClock): Promise<DiskStore> =>
      DiskStore.open({ disk, clock, log: testRuntime().log, newStoreId: () => "0123456789abcdef0123456789abcdef" });
    const first = new ManualClock();
    const store = await open(first);
    await store.put("/a", "1", { expected: 0, ttlMs: 10_000 });
    await store.put("/b", "1", { expected: 0, ttlMs: 60_000 });
    await first.advance(4000);
    await store.end();
    const second = new ManualClock({ nowMs: first.now() + 3000 });
    const again = await open(second);
    await second.advance(2999);
    expect((await again.list("/")).items).toHaveLength(2);
    await second.advance(1);
    expect([(await again.list("/")).items.map(({ key }) => key), await again.revision()]).toEqual([["/b"], 4]);
    await again.end();
    const late = await open(new ManualClock({ nowMs: first.now() + 3_600_000 }));
    expect(await late.revision()).toBe(4);
  });

  it("writes a checkpoint after ten minutes, which removes deleted data from the disk", async () => {
    const [disk, clock] = [new ModelDisk(), new ManualClock()];
    const store = await DiskStore.open({ disk, clock, log: testRuntime().log, newStoreId: () => "0123456789abcdef0123456789abcdef" });
    await store.put("/a", "a secret", { expected: 0 });
    await store.delete("/a", 2);
    await store.put("/b", "2", { expected: 0 });
    const holds = (): boolean => [...disk.files().values()].some((bytes) => bytes.includes("a secret"));
    expect(holds()).toBe(true);
    await clock.advance(600_000);
    await clock.settle();
    expect([holds(), [...disk.files().keys()]]).toEqual([false, ["0000000000000004.log", "0000000000000004.checkpoint"]]);
    expect(clock.pending).toEqual([]);
    await store.end();
  });
});
