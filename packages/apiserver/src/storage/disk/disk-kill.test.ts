/** Processes that write to a store on a real disk and are killed at random. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createRandom } from "@drover/machinery";
import { ManualClock, testRuntime } from "@drover/machinery/testing";
import { afterAll, describe, expect, it } from "vitest";
import type { StoreEvent } from "../store.ts";
import { DiskStore } from "./disk-store.ts";
import { nodeDisk } from "./node-disk.ts";

const place = mkdtempSync(join(tmpdir(), "drover-kill-"));
const [folder, confirmations] = [join(place, "store"), join(place, "confirmed")];
mkdirSync(folder);
afterAll(() => rmSync(place, { recursive: true, force: true }));
const kills = Number(process.env["DROVER_KILLS"] ?? (process.env["DROVER_LONG"] === "1" ? 20 : 2));

/** Sixteen writers, each with keys of its own, note every confirmed write in a file: revision, key, value or "-". */
const program = `
import { openSync, writeSync } from "node:fs";
import { createClock } from "@drover/machinery";
import { DiskStore } from "./disk-store.ts";
import { nodeDisk } from "./node-disk.ts";
const clock = createClock({ now: Date.now, monotonic: () => performance.now(), setTimeout, clearTimeout });
const log = { debug() {}, info() {}, warn() {}, error() {} };
const store = await DiskStore.open({ disk: nodeDisk(process.argv[1]), clock, log, newStoreId: () => "0".repeat(32), segmentBytes: 20_000, checkpointBytes: 50_000, historyLength: 200 });
const file = openSync(process.argv[2], "a");
let count = 0;
await Promise.all(Array.from({ length: 16 }, async (_, writer) => {
  for (;;) {
    const key = "/" + writer + "/" + (count++ % 5);
    const { stored } = await store.get(key);
    const isDeletion = stored !== undefined && count % 7 === 0;
    const value = process.pid + "-" + count + "x".repeat(count % 400);
    const outcome = isDeletion ? await store.delete(key, stored.modRevision) : await store.put(key, value, { expected: stored?.modRevision ?? 0 });
    writeSync(file, outcome.revision + " " + key + " " + (isDeletion ? "-" : value) + "\\n");
    if (count >= Number(process.argv[3])) process.stdout.write("kill me");
  }
}));
`;

/** Runs the writers and kills them while they go on after so many writes. */
async function killed(writes: number): Promise<void> {
  const child = spawn(
    process.execPath,
    ["--conditions=drover-source", "--import", "tsx", "--input-type=module", "-e", program, folder, confirmations, String(writes)],
    { cwd: fileURLToPath(new URL(".", import.meta.url)), stdio: ["ignore", "pipe", "inherit"] },
  );
  const exit = once(child, "exit");
  await Promise.race([once(child.stdout, "data"), exit]);
  child.kill("SIGKILL");
  expect(await exit).toEqual([null, "SIGKILL"]);
}

describe("DiskStore in a process that is killed", { timeout: 60_000 + kills * 5000 }, () => {
  it("has every confirmed write and a history without gaps (G3)", async () => {
    const random = createRandom(1).stream("kills");
    const confirmed = new Map<string, { readonly revision: number; readonly value: string }>();
    let newest = 0;
    for (let kill = 0; kill < kills; kill++) {
      await killed(20 + random.int(1000));
      // The last line may be half written.
      const lines = readFileSync(confirmations, "utf8").split("\n").slice(0, -1);
      expect(lines.length).toBeGreaterThan(20);
      for (const line of lines) {
        const [revision, key = "", value = ""] = line.split(" ");
        confirmed.set(key, { revision: Number(revision), value });
        newest = Math.max(newest, Number(revision));
      }
      const store = await DiskStore.open({
        disk: nodeDisk(folder),
        clock: new ManualClock(),
        log: testRuntime().log,
        newStoreId: () => "",
      });
      const revision = await store.revision();
      expect(revision).toBeGreaterThanOrEqual(newest);
      const from = (await store.compacted()) + 1;
      const events: StoreEvent[] = [];
      // A batch has a bounded size.
      for await (const batch of store.watch("/", { from, signal: new AbortController().signal })) {
        events.push(...batch.events);
        if (batch.revision >= revision) break;
      }
      expect(events.map((event) => event.revision)).toEqual(Array.from({ length: revision - from + 1 }, (_, at) => from + at));
      const deletions = new Map(events.filter(({ current }) => current === undefined).map((event) => [event.key, event.revision]));
      const found = new Map((await store.list("/")).items.map((stored) => [stored.key, stored]));
      let unnoted = 0;
      for (const [key, last] of confirmed) {
        const at = found.get(key)?.modRevision ?? deletions.get(key) ?? 0;
        if (at > last.revision) unnoted++;
        else if (last.value === "-") expect(found.get(key)).toBeUndefined();
        else expect([key, at, found.get(key)?.value]).toEqual([key, last.revision, last.value]);
      }
      // Each writer may have had one write that was saved and not noted yet.
      expect(unnoted).toBeLessThanOrEqual(16 * (kill + 1));
      await store.end();
    }
  });
});
