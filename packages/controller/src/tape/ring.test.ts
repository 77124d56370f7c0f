import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Ring } from "./ring.ts";

describe("Ring", () => {
  it("keeps the newest items in order, and returns dropped ones", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 8 }), fc.array(fc.integer(), { maxLength: 40 }), (sizeMax, pushed) => {
        const ring = new Ring<number>(sizeMax);
        const out = pushed.flatMap((item) => ring.push(item) ?? []);
        const kept = pushed.slice(Math.max(0, pushed.length - sizeMax));
        expect(ring.items()).toEqual(kept);
        expect(kept.map((_, index) => ring.at(index))).toEqual(kept);
        expect([...out, ...kept]).toEqual(pushed);
        expect(ring.size).toBe(kept.length);
      }),
    );
  });

  it("rejects an invalid size", () => {
    for (const size of [0, -1, 1.5, Number.NaN]) expect(() => new Ring(size)).toThrow(/whole number above 0/);
  });
});
