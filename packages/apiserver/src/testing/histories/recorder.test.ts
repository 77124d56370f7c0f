import { ManualClock } from "@drover/machinery/testing";
import { describe, expect, it } from "vitest";
import { memoryGround } from "./history-ground.ts";
import { LedgerStore } from "./ledger-store.ts";
import { Recorder, turns } from "./recorder.ts";

const recorder = (): Recorder =>
  new Recorder({
    handle: () => Promise.reject(new Error("no server")),
    store: new LedgerStore(memoryGround({ clock: new ManualClock() })),
  });

describe("Recorder", () => {
  it("quiet resolves when nothing has happened for a while", async () => {
    const record = recorder();
    let last = 0;
    record.spawn(
      (async () => {
        for (let left = 5; left > 0; left--) {
          await turns(200);
          last = record.tick();
        }
      })(),
    );
    await record.quiet();
    expect(last).toBe(5);
  });

  it("records failures of spawned work", async () => {
    const record = recorder();
    record.spawn(Promise.reject(new Error("oh")));
    await record.quiet();
    expect(record.failures).toEqual([expect.stringContaining("oh")]);
  });
});
