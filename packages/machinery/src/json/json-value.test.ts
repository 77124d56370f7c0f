import { describe, expect, it } from "vitest";
import { isJsonObject } from "./json-value.ts";

describe("isJsonObject", () => {
  it("is true for objects only", () => {
    expect([{}, { a: 1 }, [], null, undefined, 1, 1n, "x", true].map((value) => isJsonObject(value))).toEqual([
      true,
      true,
      false,
      false,
      false,
      false,
      false,
      false,
      false,
    ]);
  });
});
