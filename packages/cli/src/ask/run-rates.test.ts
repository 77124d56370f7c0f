import { expect, describe, it } from "vitest";
import { runRates } from "./run-rates.ts";
import type { Sample } from "./run-rates.ts";

const sample = (at: number, ended: number, failed: number, rest: Partial<Sample> = {}): Sample => ({
  at,
  pid: 1,
  startedAt: 0,
  controllers: [{ name: "web", runs: { ended, failed, tookMs: 10 * ended, waitedMs: ended } }],
  ...rest,
});

describe("runRates", () => {
  it("returns runs and failures per second, and mean durations", () => {
    expect(runRates(sample(1000, 10, 1), sample(3000, 16, 3))).toEqual([
      { controller: "web", runsPerSecond: 3, failuresPerSecond: 1, tookMs: 10, waitedMs: 1 },
    ]);
    expect(runRates(sample(0, 1, 0), sample(1000, 1, 0))).toEqual([{ controller: "web", runsPerSecond: 0, failuresPerSecond: 0 }]);
  });

  it("compares no different processes, and counts anew after a controller was replaced", () => {
    expect(runRates(sample(0, 1, 0), sample(1000, 9, 0, { startedAt: 5 }))).toEqual([]);
    expect(runRates(sample(1000, 1, 0), sample(1000, 9, 0))).toEqual([]);
    expect(runRates(sample(0, 90, 9), sample(1000, 2, 0))).toMatchObject([{ runsPerSecond: 2, failuresPerSecond: 0 }]);
  });
});
