import { createLog } from "@drover/machinery";
import { ManualClock, testRuntime } from "@drover/machinery/testing";
import { describe, expect, it } from "vitest";
import { soakController } from "./controller-soak.ts";
import type { ControllerSoakReport } from "./controller-soak.ts";

describe("a controller over changing keys", () => {
  it("leaves no key and no timer behind after ten thousand runs", async () => {
    const clock = new ManualClock({ quietTurns: 32 });
    const runtime = { ...testRuntime({ clock }), log: createLog({ clock, write: () => undefined }) };
    let report: ControllerSoakReport | undefined;
    const rests: number[] = [];
    void soakController({ runtime, reconciles: 10_000, keys: 1000, onRest: (count) => rests.push(count) }).then((result) => {
      report = result;
    });
    await clock.runUntil(() => report !== undefined);
    await clock.advance(60_000);
    expect(report?.reconciles).toBeGreaterThanOrEqual(10_000);
    expect([report?.distinctKeys, report?.left, clock.pending]).toEqual([1000, 0, []]);
    expect(rests.length).toBeGreaterThan(3);
  });
});
