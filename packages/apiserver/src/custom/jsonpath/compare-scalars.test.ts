import { describe, expect, it } from "vitest";
import { compareScalars } from "./compare-scalars.ts";

describe("compareScalars", () => {
  it("compares numbers, strings and booleans", () => {
    expect(compareScalars(1, "<", 2)).toBe(true);
    expect(compareScalars(9007199254740993n, ">", 2)).toBe(true);
    expect(compareScalars(9007199254740993n, "==", 9007199254740993n)).toBe(true);
    expect(compareScalars("a", ">=", "b")).toBe(false);
    expect(compareScalars("ｚ", "<", "😀")).toBe(true);
    expect(compareScalars(true, "!=", false)).toBe(true);
  });

  it("refuses values of different types, including integer and float", () => {
    expect(() => compareScalars(1, "==", 1.5)).toThrow("incompatible types");
    expect(() => compareScalars("1", "==", 1)).toThrow("incompatible types");
    expect(() => compareScalars(null, "==", 1)).toThrow("invalid type");
  });
});
