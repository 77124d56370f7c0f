import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { addDecimals, compareDecimals, digitCount, normalize, roundAway } from "./decimal.ts";
import type { Decimal } from "./decimal.ts";

const decimal: fc.Arbitrary<Decimal> = fc.record({
  unscaled: fc.bigInt({ min: -(10n ** 12n), max: 10n ** 12n }),
  exponent: fc.integer({ min: -15, max: 15 }),
});
const asInteger = ({ unscaled, exponent }: Decimal): bigint => unscaled * 10n ** BigInt(exponent + 15);

describe("Decimal", () => {
  it("compares like integers", () => {
    fc.assert(
      fc.property(decimal, decimal, (a, b) => {
        const [left, right] = [asInteger(a), asInteger(b)];
        expect(compareDecimals(a, b)).toBe(left < right ? -1 : left > right ? 1 : 0);
      }),
    );
  });

  it("adds without loss", () => {
    fc.assert(fc.property(decimal, decimal, (a, b) => asInteger(addDecimals(a, b)) === asInteger(a) + asInteger(b)));
  });

  it("rejects a sum of more than ten thousand digits", () => {
    expect(() => addDecimals({ unscaled: 1n, exponent: 10_000 }, { unscaled: 1n, exponent: 0 })).toThrow("would have 10001 digits");
    expect(digitCount(addDecimals({ unscaled: 1n, exponent: 9_999 }, { unscaled: 1n, exponent: 0 }).unscaled)).toBe(10_000);
  });

  it("rounds away from zero and leaves exact numbers alone", () => {
    expect(roundAway({ unscaled: -11n, exponent: -1 }, 0)).toEqual({ unscaled: -2n, exponent: 0 });
    expect(roundAway({ unscaled: 20n, exponent: -1 }, 0)).toEqual({ unscaled: 2n, exponent: 0 });
    expect(roundAway({ unscaled: 1n, exponent: -1_000_000_000 }, 0)).toEqual({ unscaled: 1n, exponent: 0 });
    expect(roundAway({ unscaled: 99n, exponent: 0 }, 2)).toEqual({ unscaled: 1n, exponent: 2 });
    expect(roundAway({ unscaled: 0n, exponent: -5 }, 0)).toEqual({ unscaled: 0n, exponent: 0 });
  });

  it("moves trailing zeros into the exponent", () => {
    expect(normalize({ unscaled: -1200n, exponent: -1 })).toEqual({ unscaled: -12n, exponent: 1 });
    fc.assert(fc.property(decimal, (a) => compareDecimals(normalize(a), a) === 0));
  });
});
