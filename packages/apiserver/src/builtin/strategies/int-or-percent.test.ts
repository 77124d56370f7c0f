import { printFieldError } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { intOrPercent, validateAtMostAll, validateIntOrPercent } from "./int-or-percent.ts";

describe("numbers and percentages of pods", () => {
  it("must be non-negative numbers or percentages", () => {
    expect(validateIntOrPercent(0, "f")).toEqual([]);
    expect(validateIntOrPercent("25%", "f")).toEqual([]);
    expect(validateIntOrPercent(-1, "f").map(printFieldError)).toEqual(["f: Invalid value: -1: must be greater than or equal to 0"]);
    expect(validateIntOrPercent("5", "f").map(printFieldError)).toEqual([
      "f: Invalid value: \"5\": a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')",
    ]);
  });

  it("must not exceed 100 %", () => {
    expect(validateAtMostAll("100%", "f")).toEqual([]);
    expect(validateAtMostAll(1000, "f")).toEqual([]);
    expect(validateAtMostAll("101%", "f").map(printFieldError)).toEqual(['f: Invalid value: "101%": must not be greater than 100%']);
  });

  it("intOrPercent returns the number in a percentage", () => {
    expect([intOrPercent(3), intOrPercent("3%"), intOrPercent("3"), intOrPercent("x")]).toEqual([3, 3, 3, 0]);
  });
});
