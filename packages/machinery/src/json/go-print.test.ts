import { describe, expect, it } from "vitest";
import { goType, isInt64, printGo } from "./go-print.ts";

describe("printGo and goType", () => {
  it("print values as Go does", () => {
    expect(printGo({ b: [1, "x", true, null], a: { "": 1.5 } })).toBe("map[a:map[:1.5] b:[1 x true <nil>]]");
    expect([0.0001, 0.00001, 1.5, 1234567.5, 1e300, -2, 2n ** 62n, 2n ** 64n].map(printGo)).toEqual([
      "0.0001",
      "1e-05",
      "1.5",
      "1.2345675e+06",
      "1e+300",
      "-2",
      "4611686018427387904",
      "1.8446744073709552e+19",
    ]);
  });

  it("return the type of Go's decoder", () => {
    expect([null, "x", true, 1, 1.5, 2n ** 62n, 2n ** 63n, -(2n ** 63n), [], {}].map(goType)).toEqual([
      "<nil>",
      "string",
      "bool",
      "int64",
      "float64",
      "int64",
      "float64",
      "int64",
      "[]interface {}",
      "map[string]interface {}",
    ]);
  });

  it("count 64-bit integers as integers", () => {
    expect([0, -1, 2 ** 53 - 1, 2n ** 63n - 1n, -(2n ** 63n)].every(isInt64)).toBe(true);
    expect([0.5, 1e21, 2n ** 63n, -(2n ** 63n) - 1n].some(isInt64)).toBe(false);
  });
});
