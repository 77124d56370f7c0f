import fc from "fast-check";
import type { Pod } from "@drover/api/core/v1";
import { statusResponse } from "@drover/client/testing";
import { newFailure, newResourceExpired, newTooLargeResourceVersion, objectKey } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { versionsFrom } from "../source/list-watcher.ts";
import { createInformer } from "../informer/informer.ts";
import { lateSource } from "../testing/reflector-rig.ts";
import type { ApiCall } from "../testing/scripted-api.ts";
import { rigSnapshot, snapshotRig } from "../testing/snapshot-rig.ts";
import type { SnapshotRig } from "../testing/snapshot-rig.ts";

/** A rig whose first process has kept these objects. */
async function kept(...names: readonly string[]): Promise<SnapshotRig> {
  const rig = snapshotRig();
  rig.write(...names);
  const first = rig.start();
  await rig.clock.advance(1000);
  await first.stop();
  rig.api.calls.length = 0;
  return rig;
}

const asked = (calls: readonly ApiCall[]): string[] =>
  calls.map(({ verb, options: { resourceVersion = "", limit, sendInitialEvents } }) =>
    [verb, resourceVersion && `@${resourceVersion}`, limit && `limit ${limit}`, sendInitialEvents && "initial"].filter(Boolean).join(" "),
  );

describe("an informer with a snapshot", () => {
  it("resumes at once where nothing has changed, without a list", async () => {
    const rig = await kept("a", "b", "c");
    const second = rig.start();
    await rig.clock.advance(10);
    expect(second.informer.hasSynced).toBe(true);
    expect(second.differences()).toEqual([]);
    expect(asked(rig.api.calls)).toEqual(["list limit 1", `watch @${rig.api.revision}`]);
    expect(second.informer.get(objectKey("a", "shop"))?.data).toEqual({ write: "1" });
  });

  it("delivers what changed meanwhile by a watch, deletions included, and has synced only then", async () => {
    const rig = await kept("a", "b", "c");
    rig.api.remove("shop/a");
    rig.write("b", "d");
    const second = rig.start();
    expect(second.informer.hasSynced).toBe(false);
    await rig.clock.advance(10);
    expect(second.informer.hasSynced).toBe(true);
    expect(second.differences()).toEqual([]);
    const types = second.ledger.told.map((line) => line.split(" ").slice(0, 2).join(" "));
    expect(types).toEqual(expect.arrayContaining(["added shop/a", "deleted shop/a", "added shop/b", "updated shop/b", "added shop/d"]));
    expect(rig.api.calls.filter(({ options }) => options.sendInitialEvents === true)).toEqual([]);
  });

  it("waits for a bookmark where only other kinds have changed", async () => {
    const rig = await kept("a", "b");
    rig.api.skip(5);
    const second = rig.start();
    await rig.clock.advance(900);
    expect([second.informer.size, second.informer.hasSynced]).toEqual([2, false]);
    await rig.clock.advance(200);
    expect(second.informer.hasSynced).toBe(true);
    expect(rig.api.count("list")).toBe(1);
  });

  it("lists where the server sends no bookmark in time", async () => {
    const rig = await kept("a", "b");
    rig.api.skip(5);
    rig.api.sendsLastBookmark = false;
    const second = rig.start();
    await rig.clock.advance(2900);
    expect(second.informer.hasSynced).toBe(false);
    await rig.clock.advance(2500);
    expect(second.informer.hasSynced).toBe(true);
    expect(second.differences()).toEqual([]);
  });

  it("compares a snapshot of at most one page with a list, which is faster than a bookmark", async () => {
    const rig = await kept("a", "b");
    rig.api.remove("shop/a");
    const second = rig.start({ informer: { reflector: { pageSize: 500 } } });
    await rig.clock.advance(10);
    expect(second.informer.hasSynced).toBe(true);
    expect(second.differences()).toEqual([]);
    expect(second.ledger.told).toContainEqual(expect.stringMatching(/^deleted shop\/a .* unknown$/));
  });

  for (const [form, status] of [
    ["410 Gone", newResourceExpired("too old resource version")],
    ["504 too large resource version", newTooLargeResourceVersion("1", "0", 1)],
  ] as const) {
    it(`lists after ${form}, and delivers the deletions as a relist does`, async () => {
      const rig = await kept("a", "b", "c");
      rig.api.remove("shop/a");
      rig.write("b");
      rig.api.fault(({ verb, options }) => (verb === "watch" && options.sendInitialEvents !== true ? statusResponse(status) : undefined));
      const second = rig.start();
      await rig.clock.advance(10);
      expect(second.informer.hasSynced).toBe(true);
      expect(second.differences()).toEqual([]);
      expect(second.ledger.told).toContainEqual(expect.stringMatching(/^deleted shop\/a .* unknown$/));
    });
  }

  it("marks everything before the sync as part of the initial list", async () => {
    const rig = await kept("a", "b");
    rig.write("c");
    const second = rig.start();
    const added: boolean[] = [];
    second.informer.addHandler((change) => {
      if (change.type === "added") added.push(change.isInInitialList);
    });
    await rig.clock.advance(10);
    rig.write("d");
    await rig.clock.advance(10);
    expect(added).toEqual([true, true, true, false]);
  });

  it("keeps objects that were read, and their labels and versions", async () => {
    const rig = snapshotRig();
    rig.write("a", "b");
    const first = rig.start();
    await rig.clock.advance(1000);
    const before = first.informer.list();
    await first.stop();
    const second = rig.start();
    await rig.clock.advance(10);
    expect(second.informer.list()).toEqual(before);
    expect(rig.lines()).toEqual([]);
  });
});

describe("a snapshot that does not fit", () => {
  /** Starts a second process and expects the result of a list, and one line that says why. */
  async function expectListed(rig: SnapshotRig, why: string, options: Parameters<SnapshotRig["start"]>[0] = {}): Promise<void> {
    const second = rig.start(options);
    await rig.clock.advance(5000);
    expect(second.informer.hasSynced).toBe(true);
    expect(second.differences()).toEqual([]);
    expect(rig.lines()).toEqual([`snapshot of the cache is not used, listing: ${why}`]);
    expect(rig.store.open).toBe(0);
  }

  it("is not used for another server", async () => {
    const rig = await kept("a", "b");
    await expectListed(rig, "it is of another server", { snapshot: { server: () => Promise.resolve("server 2") } });
  });

  it("is not used for another selector", async () => {
    const rig = await kept("a", "b");
    await expectListed(rig, "it is of other objects: the kind, namespace or selector has changed", { snapshot: { collection: "some" } });
  });

  it("is not used where the server was restored from an older backup", async () => {
    const rig = snapshotRig();
    rig.write("a", "b");
    const backup = rig.api.snapshot();
    rig.write("c");
    const first = rig.start();
    await rig.clock.advance(1000);
    await first.stop();
    rig.api.restore(backup);
    await expectListed(rig, "the server is at an older version: it was restored from a backup");
  });

  it("is not used beyond bytesMax", async () => {
    const rig = await kept("a", "b");
    await expectListed(rig, "it is larger than the limit of 100 bytes", { snapshot: { bytesMax: 100 } });
  });

  it("is not waited for longer than a minute", async () => {
    const rig = await kept("a", "b");
    rig.store.hangs = true;
    const second = rig.start();
    await rig.clock.advance(59_000);
    expect(second.informer.size).toBe(0);
    await rig.clock.advance(2000);
    expect([second.informer.hasSynced, second.differences()]).toEqual([true, []]);
  });

  it("shows no object of a kind that the server no longer has", async () => {
    const rig = await kept("a", "b");
    rig.api.fault(() => statusResponse(newFailure(404, "NotFound", "the server could not find the requested resource")), { times: 1000 });
    const second = rig.start();
    await rig.clock.advance(5000);
    expect([second.informer.size, second.informer.hasSynced, second.ledger.count]).toEqual([0, false, 0]);
    expect(rig.lines()).toHaveLength(1);
  });

  it("shows no object to a user who may not list them, until he may", async () => {
    const rig = await kept("a", "b");
    rig.api.fault(() => statusResponse(newFailure(403, "Forbidden", "not allowed")), { times: 3 });
    const second = rig.start();
    await rig.clock.advance(2000);
    expect([second.informer.size, second.ledger.count]).toEqual([0, 0]);
    await rig.clock.advance(60_000);
    expect([second.informer.hasSynced, second.differences()]).toEqual([true, []]);
  });

  it("is repaired by the audit where its content was edited with valid checksums", async () => {
    const rig = await kept("a", "b");
    // Another server wrote the same versions with other content, and the file was moved.
    const forged = snapshotRig();
    forged.write("x", "y");
    forged.api.remove("shop/x");
    forged.api.remove("shop/y");
    const first = forged.start();
    await forged.clock.advance(1000);
    await first.stop();
    rig.api.skip(Math.max(0, forged.api.revision - rig.api.revision));
    rig.store.files.set(rigSnapshot, forged.store.files.get(rigSnapshot) ?? new Uint8Array());
    const audited = lateSource(rig.api, rig.runtime, { namespace: "*" });
    const second = rig.start({ informer: { audit: { source: audited, content: audited, periodMs: 60_000 } } });
    await rig.clock.advance(1000);
    expect([second.informer.hasSynced, second.informer.size]).toEqual([true, 0]);
    await rig.clock.advance(120_000);
    expect(second.differences()).toEqual([]);
  });
});

describe("writing a snapshot", () => {
  it("happens at intervals, only after changes", async () => {
    const rig = snapshotRig({ api: { bookmarkMs: 1e9 } });
    rig.write("a");
    const first = rig.start({ snapshot: { intervalMs: 60_000, stopMs: 0 } });
    await rig.clock.advance(70_000);
    expect(rig.store.writes).toBe(1);
    await rig.clock.advance(200_000);
    expect(rig.store.writes).toBe(1);
    rig.write("b");
    await rig.clock.advance(70_000);
    expect(rig.store.writes).toBe(2);
    rig.write("c");
    await first.stop();
    expect(rig.store.writes).toBe(2);
  });

  it("does not disturb the informer when the disk is full, and keeps the previous snapshot", async () => {
    const rig = await kept("a", "b");
    const before = rig.store.files.get(rigSnapshot);
    rig.store.capacity = 300;
    const second = rig.start({ snapshot: { intervalMs: 60_000 } });
    rig.write("c");
    await rig.clock.advance(70_000);
    expect(second.differences()).toEqual([]);
    rig.write("d");
    await rig.clock.advance(10);
    expect(second.differences()).toEqual([]);
    await second.stop();
    expect(rig.lines()[0]).toBe("cannot write a snapshot of the cache, keeping the previous one: Error: ENOSPC: no space left on device");
    expect(rig.store.files.get(rigSnapshot)).toBe(before);
    expect(rig.store.open).toBe(0);
  });

  it("is limited in bandwidth", async () => {
    const rig = snapshotRig({ api: { bookmarkMs: 1e9 } });
    rig.write(...Array.from({ length: 2000 }, (_, index) => `n${index}`));
    const first = rig.start({
      snapshot: { intervalMs: 60_000, bytesPerSecond: 50_000, stopMs: 0 },
      informer: { reflector: { pageSize: 500 } },
    });
    await rig.clock.advance(67_000);
    expect([rig.store.writes, rig.store.open]).toEqual([0, 1]);
    await rig.clock.advance(30_000);
    expect([rig.store.writes, rig.store.open]).toEqual([1, 0]);
    await first.stop();
  });

  it("may go on while the cache changes: the next process receives the changes again, and drops them", async () => {
    const rig = snapshotRig({ api: { bookmarkMs: 1e9 } });
    rig.write("a", "b", "c");
    // The first block takes seconds, so that the objects are newer than the version in it.
    const first = rig.start({ snapshot: { intervalMs: 60_000, bytesPerSecond: 10, stopMs: 0 } });
    await rig.clock.advance(67_000);
    expect([rig.store.writes, rig.store.open]).toEqual([0, 1]);
    rig.write("a", "d");
    rig.api.remove("shop/b");
    await rig.clock.advance(80_000);
    expect(rig.store.writes).toBe(1);
    await first.stop();
    const second = rig.start();
    await rig.clock.advance(10);
    expect([second.informer.hasSynced, second.differences()]).toEqual([true, []]);
    expect(second.ledger.told.filter((line) => !line.startsWith("added"))).toEqual([]);
  });

  it("is given up when the cache is relisted meanwhile", async () => {
    const rig = snapshotRig({ api: { bookmarkMs: 1e9 } });
    rig.write("a");
    const first = rig.start({ snapshot: { intervalMs: 60_000, bytesPerSecond: 10, stopMs: 0 } });
    await rig.clock.advance(67_000);
    expect(rig.store.open).toBe(1);
    rig.api.fault(({ verb }) => (verb === "watch" ? statusResponse(newResourceExpired("too old resource version")) : undefined));
    rig.api.cut();
    rig.write("b");
    await rig.clock.advance(80_000);
    expect([first.differences(), rig.store.writes]).toEqual([[], 0]);
    expect(rig.lines()).toEqual(["cannot write a snapshot of the cache, keeping the previous one: the cache was relisted meanwhile"]);
    await first.stop();
    expect(rig.store.open).toBe(0);
  });

  it("ends with the process when the last one takes longer than stopMs", async () => {
    const rig = snapshotRig();
    rig.write("a");
    const first = rig.start({ snapshot: { server: () => new Promise(() => undefined) } });
    await rig.clock.advance(1000);
    await first.stop();
    expect(rig.lines()).toEqual(["cannot write a snapshot of the cache, keeping the previous one: it took longer than stopMs"]);
  });

  it("by two processes leaves a whole snapshot of one of them", async () => {
    const rig = await kept("a", "b");
    const [second, third] = [rig.start(), rig.start()];
    rig.write("c");
    await rig.clock.advance(1000);
    second.abort();
    third.abort();
    await second.stop();
    await third.stop();
    expect(rig.store.writes).toBe(3);
    const fourth = rig.start();
    await rig.clock.advance(10);
    expect([fourth.informer.hasSynced, fourth.differences(), rig.lines()]).toEqual([true, [], []]);
  });

  it("is refused with a transform, and with a source of parsed objects", () => {
    const rig = snapshotRig();
    const snapshot = { store: rig.store, name: "pods", collection: "", server: () => Promise.resolve("") };
    expect(() => rig.start({ informer: { transform: (object) => object } })).toThrow("it cannot be used with transform");
    const source = versionsFrom<Pod>({ list: () => Promise.reject(new Error("none")), watch: () => [] as never, description: "pods" });
    expect(() => createInformer({ source, runtime: rig.runtime, snapshot })).toThrow(
      "informer of pods: snapshot needs a source that keeps objects as bytes; create it with listWatcher",
    );
  });
});

describe("informers over random histories with restarts", () => {
  const step = fc.oneof(
    { weight: 6, arbitrary: fc.record({ kind: fc.constant("put" as const), name: fc.integer({ min: 0, max: 9 }) }) },
    { weight: 3, arbitrary: fc.record({ kind: fc.constant("remove" as const), name: fc.integer({ min: 0, max: 9 }) }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom("skip" as const, "compact" as const, "advance" as const, "cut" as const) }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant("restart" as const), down: fc.boolean() }) },
  );

  it("show the view of the server, and deliver valid changes and every deletion", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), fc.boolean(), fc.boolean(), async (steps, isPaged, isSlow) => {
        const rig = snapshotRig();
        const options = {
          snapshot: { intervalMs: 2000, bytesPerSecond: isSlow ? 100 : 1e9 },
          informer: { reflector: { pageSize: isPaged ? 500 : 1 } },
        };
        let process: ReturnType<SnapshotRig["start"]> | undefined = rig.start(options);
        for (const each of steps) {
          if (each.kind === "put") rig.write(`n${each.name}`);
          else if (each.kind === "remove") rig.api.remove(`shop/n${each.name}`);
          else if (each.kind === "skip") rig.api.skip(3);
          else if (each.kind === "compact") rig.api.compact();
          else if (each.kind === "cut") rig.api.cut();
          else if (each.kind === "advance") await rig.clock.advance(1500);
          else if (process === undefined) process = rig.start(options);
          else if (each.kind === "restart") {
            await process.stop();
            expect(process.ledger.mistakes).toEqual([]);
            process = each.down ? undefined : rig.start(options);
          }
        }
        process ??= rig.start(options);
        await rig.clock.advance(60_000);
        expect(process.informer.hasSynced).toBe(true);
        expect(process.differences()).toEqual([]);
        await process.stop();
        expect(rig.lines().filter((line) => !line.endsWith("the cache was relisted meanwhile"))).toEqual([]);
        // The next process starts with what this one had, and learns of each deletion since.
        const before = process.ledger.contents();
        for (const line of before.slice(0, 3)) rig.api.remove(line.split(" ")[0] ?? "");
        const last = rig.start(options);
        await rig.clock.advance(60_000);
        expect(last.differences()).toEqual([]);
        for (const line of before.slice(0, 3)) {
          const [key, uid] = line.split(" ");
          expect(last.ledger.told).toContainEqual(expect.stringMatching(new RegExp(`^deleted ${key} ${uid} `)));
        }
        await last.stop();
      }),
      { numRuns: 60 },
    );
  });
});
