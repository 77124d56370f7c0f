import { describe, expect, it } from "vitest";
import { compileSchema } from "./compiled-schema.ts";
import { checkNumber, isJsonInteger } from "./number-rules.ts";
import type { Schema } from "./schema.ts";

function problems(value: number | bigint, schema: Schema): string[] {
  const found: string[] = [];
  checkNumber(value, compileSchema(schema), {
    name: "a",
    invalid: (_value, detail) => found.push(detail),
    loose: (detail) => found.push(detail),
  });
  return found;
}

describe("checkNumber", () => {
  it("checks bounds, inclusive or not", () => {
    expect(problems(5, { type: "integer", minimum: 5, maximum: 5 })).toEqual([]);
    expect(problems(5, { type: "integer", minimum: 5, exclusiveMinimum: true })).toEqual(["a in body should be greater than 5"]);
    expect(problems(6, { type: "integer", maximum: 5 })).toEqual(["a in body should be less than or equal to 5"]);
    expect(problems(1000001.5, { type: "number", maximum: 1000000 })).toEqual(["a in body should be less than or equal to 1e+06"]);
  });

  it("compares integers beyond 2^53 exactly", () => {
    const max = 2n ** 53n;
    expect(problems(max + 1n, { type: "integer", maximum: 2 ** 53 })).toEqual([
      "a in body should be less than or equal to 9007199254740992",
    ]);
    expect(problems(max, { type: "integer", maximum: 2 ** 53 })).toEqual([]);
    expect(problems(2n ** 63n - 1n, { type: "integer", format: "int64" })).toEqual([]);
    expect(problems(-(2n ** 63n), { type: "integer" })).toEqual([]);
    expect(problems(-(2 ** 63), { type: "integer" })).toContain("Checked value must be of type integer (default format) in a");
    expect(problems(2n ** 63n, { type: "integer", format: "int64" })).toEqual([
      "Checked value must be of type integer with format int64 in a",
    ]);
  });

  it("truncates bounds for integers, as the server does", () => {
    expect(problems(0, { type: "number", minimum: 0.5 })).toEqual([]);
    expect(problems(6, { type: "number", maximum: 5.5 })).toEqual(["a in body should be less than or equal to 5"]);
    expect(problems(3, { type: "integer", maximum: 5.5 })).toEqual([
      "Maximum boundary value must be of type integer (default format) in a",
    ]);
    expect(problems(1, { type: "number", multipleOf: 0.5 })).toEqual(["factor MultipleOf declared for a must be positive: 0"]);
    expect(problems(1.5, { type: "number", multipleOf: 0.5 })).toEqual([]);
  });

  it("knows the ranges of int32 and float", () => {
    expect(problems(2 ** 31, { type: "integer", format: "int32" })).toEqual([
      "Checked value must be of type integer with format int32 in a",
    ]);
    expect(problems(2 ** 31 - 1, { type: "integer", format: "int32" })).toEqual([]);
    expect(problems(4e38, { type: "number", format: "float" })).toEqual(["Checked value must be of type number with format float in a"]);
  });

  it("uses the nearest 64-bit bound for a larger one", () => {
    expect(problems(5, { type: "number", maximum: 1e300, minimum: -1e300 })).toEqual([]);
  });

  it("allows a tiny error above an integer", () => {
    expect(isJsonInteger(3.0000000001)).toBe(true);
    expect([2.9999999999, 3.1, -3.0000000001, 0.5, 1e21].some(isJsonInteger)).toBe(false);
  });
});
