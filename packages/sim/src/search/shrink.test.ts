import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { shrink } from "./shrink.ts";

describe("shrink", () => {
  it("keeps exactly the decisions that a failure needs, each with its lowest choice", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(fc.nat(40), { minLength: 1, maxLength: 4 }),
        fc.integer({ min: 1, max: 3 }),
        async (needed, least) => {
          const all = new Map(Array.from({ length: 41 }, (_, index) => [`point ${index}`, 3]));
          const fails = (decisions: ReadonlyMap<string, number>): Promise<boolean> =>
            Promise.resolve(needed.every((index) => (decisions.get(`point ${index}`) ?? 0) >= least));
          const fewest = await shrink(all, { fails, triesMax: 1000 });
          expect(fewest).toEqual(new Map(needed.map((index): [string, number] => [`point ${index}`, least])));
        },
      ),
    );
  });

  it("tries no more schedules than it may, and then returns decisions that fail", async () => {
    let tries = 0;
    const all = new Map(Array.from({ length: 64 }, (_, index) => [`point ${index}`, 1]));
    const fails = (decisions: ReadonlyMap<string, number>): Promise<boolean> => {
      tries++;
      return Promise.resolve(decisions.has("point 63"));
    };
    const fewest = await shrink(all, { fails, triesMax: 3 });
    expect([tries, fewest.has("point 63")]).toEqual([3, true]);
  });
});
