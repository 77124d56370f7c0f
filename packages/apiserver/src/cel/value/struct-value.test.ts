import { describe, expect, it } from "vitest";
import { jsonPatchType } from "../admission/admission-types.ts";
import { openType } from "../check/cel-type.ts";
import { equalValues } from "./compare.ts";
import { isFailure } from "./failure.ts";
import { structFieldsOf, structValue } from "./struct-value.ts";

const made = (name: string, ...fields: readonly (readonly [string, string | bigint])[]) => {
  const value = structValue(openType(name), new Map(fields));
  if (isFailure(value)) throw new Error(value.message);
  return value;
};

describe("constructed objects of CEL", () => {
  it("are equal if type and fields are", () => {
    expect(equalValues(made("Object", ["a", 1n]), made("Object", ["a", 1n]))).toBe(true);
    expect(equalValues(made("Object", ["a", 1n]), made("Object", ["a", 2n]))).toBe(false);
    expect(equalValues(made("Object", ["a", 1n]), made("Object.spec", ["a", 1n]))).toBe(false);
    expect(equalValues(made("Object", ["a", 1n]), made("Object", ["b", 1n]))).toBe(false);
  });

  it("show their fields, and other values have none", () => {
    expect(structFieldsOf(made("Object", ["a", "x"]))).toEqual(new Map([["a", "x"]]));
    expect(structFieldsOf("x")).toBe(undefined);
  });

  it("refuse values of a wrong type that was not known before", () => {
    expect(structValue(jsonPatchType, new Map([["op", 1n]]))).toMatchObject({
      message: "unexpected type int64 for JSONPatchType 'op' field",
    });
  });
});
