import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatGoFixed, formatGoFloat } from "./go-float.ts";

it.each([
  [0, "0"],
  [-0, "-0"],
  [1, "1"],
  [-1.5, "-1.5"],
  [0.005, "0.005"],
  [0.0001, "0.0001"],
  [0.00001, "1e-05"],
  [100_000, "100000"],
  [123_456, "123456"],
  [999_999.5, "999999.5"],
  [1_000_000, "1e+06"],
  [1_234_567, "1.234567e+06"],
  [1e21, "1e+21"],
  [1e100, "1e+100"],
  [5e-324, "5e-324"],
  [1.7976931348623157e308, "1.7976931348623157e+308"],
  [Infinity, "+Inf"],
  [-Infinity, "-Inf"],
  [NaN, "NaN"],
])("formatGoFloat writes %d as %s", (value, text) => expect(formatGoFloat(value)).toBe(text));

describe("formatGoFixed", () => {
  it("rounds halves to the even digit", () => {
    expect([1 / 128, 3 / 128, 1.0078125, -1 / 128].map(formatGoFixed)).toEqual(["0.007812", "0.023438", "1.007812", "-0.007812"]);
  });
  it("prints large, small and special numbers without an exponent", () => {
    expect([1e21, 2 ** 70, 5e-324, 0, -0].map(formatGoFixed)).toEqual([
      "1000000000000000000000.000000",
      "1180591620717411303424.000000",
      "0.000000",
      "0.000000",
      "-0.000000",
    ]);
    expect([Infinity, -Infinity, NaN].map(formatGoFixed)).toEqual(["+Inf", "-Inf", "NaN"]);
  });
  it("prints other numbers like toFixed", () => {
    fc.assert(
      fc.property(fc.double({ min: 1e-9, max: 1e20, noNaN: true }), (value) => {
        fc.pre(!Number.isInteger(value * 128) || Number.isInteger(value * 64));
        expect(formatGoFixed(value)).toBe(value.toFixed(6));
      }),
    );
  });
});
