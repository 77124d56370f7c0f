import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fixedDigits } from "./fixed-digits.ts";

describe("fixedDigits", () => {
  it.each<[value: number, decimals: number, text: string]>([
    [0.5, 0, "0"],
    [1.5, 0, "2"],
    [-2.5, 0, "-2"],
    [-0.5, 0, "-0"],
    [-0, 2, "-0.00"],
    [0.125, 2, "0.12"],
    [0.0078125, 6, "0.007812"],
    [1e22, 1, "10000000000000000000000.0"],
    [5e-324, 3, "0.000"],
  ])("prints %d with %d decimals as %s", (value, decimals, text) => {
    expect(fixedDigits(value, decimals)).toBe(text);
  });

  it("is within half a unit of the last decimal", () => {
    fc.assert(
      fc.property(fc.double({ min: -1e15, max: 1e15, noNaN: true }), fc.integer({ min: 0, max: 20 }), (value, decimals) => {
        const [text, other] = [fixedDigits(value, decimals), value.toFixed(decimals)];
        const unit = (digits: string): bigint => BigInt(digits.replace(".", "").replace(/^-/, ""));
        // JavaScript rounds exact halves up.
        expect([0n, 1n]).toContain(unit(other) - unit(text));
        expect(text.split(".")[1]?.length ?? 0).toBe(decimals);
      }),
    );
  });

  it("bounds the decimals", () => {
    expect(fixedDigits(0.1, 1_000_000_000).length).toBe(1076);
  });
});
