import { objectKey } from "@drover/machinery";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { RunCounter } from "./run-counter.ts";

const key = objectKey("shop", "web");
const counter = (options: { readonly totalMax?: number } = {}): RunCounter =>
  new RunCounter({ windowMs: 60_000, runsMax: 3, totalMax: 1000, ...options });

describe("RunCounter", () => {
  it("notices a key that runs too often, and again at each doubling", () => {
    const counts = counter();
    expect(Array.from({ length: 14 }, () => counts.count("web", key, 0))).toEqual([0, 0, 0, 1, 0, 0, 2, 0, 0, 0, 0, 0, 3, 0]);
    expect(counts.suspects()).toEqual([{ controller: "web", key }]);
  });

  it("starts over at the end of a window, and still knows the suspects of the previous one", () => {
    const counts = counter();
    for (let run = 0; run < 4; run++) counts.count("web", key, 0);
    expect(Array.from({ length: 4 }, () => counts.count("web", key, 60_000))).toEqual([0, 0, 0, 1]);
    expect(counts.suspects()).toHaveLength(1);
    counts.count("other", key, 120_000);
    expect(counts.suspects()).toHaveLength(1);
    counts.count("other", key, 180_000);
    expect(counts.suspects()).toEqual([]);
  });

  it("starts over when the counted runs have left the tape", () => {
    const counts = counter({ totalMax: 3 });
    expect(Array.from({ length: 9 }, () => counts.count("web", key, 0))).toEqual(Array.from({ length: 9 }, () => 0));
  });

  it("misses no key that runs too often, and never has more than a hundred suspects", () => {
    const numRuns = Math.ceil((fc.readConfigureGlobal()?.numRuns ?? 200) / 20) + 50;
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.constantFrom("a", "b"), fc.nat(40)), { maxLength: 400 }), (runs) => {
        const counts = counter();
        const exact = new Map<string, number>();
        for (const [controller, number] of runs) {
          counts.count(controller, objectKey(`k${number}`), 0);
          exact.set(`${controller} k${number}`, (exact.get(`${controller} k${number}`) ?? 0) + 1);
        }
        const often = [...exact].filter(([, count]) => count > 3).map(([name]) => name);
        expect(counts.suspects().map((suspect) => `${suspect.controller} ${suspect.key}`)).toEqual(expect.arrayContaining(often));
      }),
      { numRuns },
    );
    const counts = counter({ totalMax: 10_000 });
    for (let run = 0; run < 10_000; run++) counts.count("web", objectKey(`k${run % 500}`), 0);
    expect(counts.suspects()).toHaveLength(100);
  });
});
