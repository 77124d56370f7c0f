import { createRandom } from "@drover/machinery";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { NumberPool } from "./number-pool.ts";

describe("NumberPool", () => {
  const pool = (size: number, keptForRequests: number, seed = 1) => new NumberPool(size, { random: createRandom(seed), keptForRequests });

  it("allocates every number once, reserved ones last, then none", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 40 }), fc.nat(40), fc.integer(), (size, kept, seed) => {
        const numbers = pool(size, kept, seed);
        const taken = Array.from({ length: size }, () => numbers.takeAny() ?? -1);
        expect(taken.toSorted((a, b) => a - b)).toEqual(Array.from({ length: size }, (_, index) => index));
        const firstKept = taken.findIndex((number) => number < kept);
        expect(taken.slice(firstKept < 0 ? size : firstKept).every((number) => number < kept)).toBe(true);
        expect(numbers.takeAny()).toBeUndefined();
      }),
    );
  });

  it("refuses a taken number until it is released", () => {
    const numbers = pool(4, 0);
    expect(numbers.take(2)).toBe(true);
    expect(numbers.take(2)).toBe(false);
    numbers.giveBack(2);
    expect(numbers.has(2)).toBe(false);
    expect(numbers.take(2)).toBe(true);
  });

  it("is deterministic for a seed", () => {
    const choices = (seed: number) => {
      const numbers = pool(1000, 16, seed);
      return Array.from({ length: 10 }, () => numbers.takeAny());
    };
    expect(choices(7)).toEqual(choices(7));
    expect(choices(7)).not.toEqual(choices(8));
  });
});
