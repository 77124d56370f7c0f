/** Random histories on a store on disk: a real folder with synced files, whose content is read again at the end. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { testRuntime } from "@drover/machinery/testing";
import type { Clock } from "@drover/machinery";
import { afterAll, describe, expect, it } from "vitest";
import { nodeHost } from "../../http/node-host.ts";
import { DiskStore } from "../../storage/disk/disk-store.ts";
import { nodeDisk } from "../../storage/disk/node-disk.ts";
import { runHistories } from "./history-batch.ts";
import { distantGround, objectsIn } from "./history-ground.ts";
import { HistoryServer } from "./history-server.ts";

const isLong = process.env["DROVER_LONG"] === "1";
const count = isLong ? 1000 : 20;
const firstSeed = Number(process.env["DROVER_SEED"] ?? 20);
/** Readers of a watch on disk are as fast as the disk. */
const rare = "a watch falls behind while it is on";

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

const openStore = (folder: string, clock: Clock, historyLength?: number): Promise<DiskStore> =>
  DiskStore.open({
    clock,
    disk: nodeDisk(folder),
    log: testRuntime().log,
    newStoreId: () => "0123456789abcdef0123456789abcdef",
    // Small, so that histories cross the ends of files and run beside checkpoints.
    segmentBytes: 10_000,
    checkpointBytes: 30_000,
    ...(historyLength === undefined ? {} : { historyLength }),
  });

describe("random histories of the API server on disk", () => {
  it(`satisfy all watch and object guarantees, and are on disk at the end: ${count} of them, from seed ${firstSeed} on`, async () => {
    const opened: { readonly folder: string; readonly store: DiskStore; readonly clock: Clock }[] = [];
    const server = new HistoryServer(nodeHost, async ({ clock, historyLength }) => {
      const folder = mkdtempSync(join(tmpdir(), "drover-histories-"));
      folders.push(folder);
      const store = await openStore(folder, clock, historyLength);
      opened.push({ folder, store, clock });
      return distantGround(store, { keepsLonger: false });
    });
    const { story, missing } = await runHistories(server, { firstSeed, count });
    expect(story).toBeUndefined();
    // Which situations a few histories contain depends on the disk.
    if (isLong) expect(missing.filter((name) => name !== rare)).toEqual([]);
    expect(opened.length).toBeGreaterThan(0);
    for (const { folder, store, clock } of opened) {
      const [objects, revision] = [await objectsIn(store), await store.revision()];
      await store.end();
      const again = await openStore(folder, clock);
      expect([await objectsIn(again), await again.revision()]).toEqual([objects, revision]);
      await again.end();
    }
  }, 600_000);
});
