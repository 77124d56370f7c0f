import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compareResourceVersions, isComparableResourceVersion, newestResourceVersion } from "./resource-version.ts";

describe("compareResourceVersions", () => {
  it.each([
    ["100", "200", -1],
    ["200", "100", 1],
    ["1", "1", 0],
    ["99", "100", -1],
    ["100", "99", 1],
    ["99999999999999999999999999999999999999999999999999", "100000000000000000000000000000000000000000000000000", -1],
    ["18446744073709551616", "18446744073709551615", 1],
  ] as const)("compares by value, of any length: %s and %s", (a, b, expected) => {
    expect(compareResourceVersions(a, b)).toBe(expected);
  });

  it.each(["", "0", "0100", "00", "100a", "-1", "+1", " 1", "1 ", "1\n", "1.0", "1e3", "０", "١", "abc"])(
    "treats versions that are no plain number as opaque: %j",
    (odd) => {
      expect(isComparableResourceVersion(odd)).toBe(false);
      expect(compareResourceVersions(odd, "1")).toBeUndefined();
      expect(compareResourceVersions("1", odd)).toBeUndefined();
      expect(compareResourceVersions(odd, odd)).toBeUndefined();
    },
  );

  it("agrees with big integers (§9.22)", () => {
    const number = fc.bigInt({ min: 1n, max: 10n ** 40n });
    fc.assert(
      fc.property(
        fc.oneof(
          fc.tuple(number, number),
          number.map((n): [bigint, bigint] => [n, n + 1n]),
          number.map((n): [bigint, bigint] => [n, n]),
        ),
        ([a, b]) => {
          expect(compareResourceVersions(String(a), String(b))).toBe(a < b ? -1 : a > b ? 1 : 0);
        },
      ),
    );
  });

  it("lets newestResourceVersion ignore opaque versions", () => {
    expect(newestResourceVersion(["9", "10", undefined, "opaque", "0", "2"])).toBe("10");
    expect(newestResourceVersion(["opaque", undefined])).toBeUndefined();
    expect(newestResourceVersion([])).toBeUndefined();
  });
});
