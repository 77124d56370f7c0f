import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { SparseBitmap } from "./sparse-bitmap.ts";

describe("SparseBitmap", () => {
  it("equals a set, and finds the first absent number, for random histories", () => {
    const step = fc.record({ number: fc.nat(200), adds: fc.boolean() });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 300 }), fc.nat(220), fc.nat(100), (steps, from, prefix) => {
        const [bitmap, model] = [new SparseBitmap(), new Set<number>()];
        const add = (number: number): void => {
          bitmap.add(number);
          model.add(number);
        };
        for (let number = 0; number < prefix; number++) add(number);
        for (const { number, adds } of steps) {
          if (adds) add(number);
          else {
            bitmap.delete(number);
            model.delete(number);
          }
          expect(bitmap.has(number)).toBe(adds);
        }
        let absent = from;
        while (model.has(absent)) absent++;
        expect(bitmap.firstAbsent(from)).toBe(absent);
      }),
    );
  });

  it("finds the one absent number among forty thousand, and numbers beyond 2^32", () => {
    const bitmap = new SparseBitmap();
    for (let number = 0; number < 40_000; number++) if (number !== 33_333) bitmap.add(number);
    expect([bitmap.firstAbsent(0), bitmap.firstAbsent(33_334)]).toEqual([33_333, 40_000]);
    bitmap.add(2 ** 39);
    expect([bitmap.has(2 ** 39), bitmap.has(2 ** 39 + 32), bitmap.firstAbsent(2 ** 39)]).toEqual([true, false, 2 ** 39 + 1]);
  });
});
