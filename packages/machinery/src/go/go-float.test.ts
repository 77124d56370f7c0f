import { expect, it } from "vitest";
import { formatGoFloat } from "./go-float.ts";

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
