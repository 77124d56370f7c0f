import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseInt64 } from "./int64-text.ts";

describe("parseInt64", () => {
  it("accepts a sign and leading zeros, and nothing else", () => {
    expect(["0", "-0", "+5", "-5", "007"].map(parseInt64)).toEqual([0, -0, 5, -5, 7]);
    expect(["", "+", "-", " 1", "1 ", "1.0", "1e3", "1_000", "0x1", "١", "--1"].map(parseInt64)).toEqual(
      Array.from({ length: 11 }, () => undefined),
    );
  });

  it("keeps every digit up to 64 bits", () => {
    expect(
      ["9007199254740993", "9223372036854775807", "9223372036854775808", "-9223372036854775808", "-9223372036854775809"].map(parseInt64),
    ).toEqual([9007199254740993n, 9223372036854775807n, undefined, -9223372036854775808n, undefined]);
    fc.assert(
      fc.property(fc.bigInt({ min: -(2n ** 65n), max: 2n ** 65n }), (number) => {
        const value = parseInt64(String(number));
        return BigInt.asIntN(64, number) === number ? value !== undefined && BigInt(value) === number : value === undefined;
      }),
    );
  });
});
