import { describe, expect, it } from "vitest";
import { soakCache } from "./cache-soak.ts";

const seeds = Array.from({ length: process.env["DROVER_LONG"] === "1" ? 200 : 3 }, (_, index) => 1000 + index);

describe("soakCache", () => {
  it.each(seeds)("ends with equal cache, handlers and server: seed %i", async (seed) => {
    const report = await soakCache({ seed, events: 2500 });
    expect(report.differences).toEqual([]);
    expect(report.convergedMs).toBeDefined();
    // A run without faults proves nothing.
    expect(report.watches + report.lists).toBeGreaterThan(5);
  });

  it("repeats the same run for the same seed", async () => {
    expect(await soakCache({ seed: 7, events: 1000 })).toEqual(await soakCache({ seed: 7, events: 1000 }));
  });
});
