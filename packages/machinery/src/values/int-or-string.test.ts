import { describe, expect, it } from "vitest";

import { isPercent, parseIntOrString, scaledValueFromIntOrPercent } from "./int-or-string.ts";

describe("IntOrString", () => {
  it("parses an int32 as a number", () => {
    expect(["80", "-1", "+7", "http", "", "2147483648", "1e3"].map(parseIntOrString)).toEqual([80, -1, 7, "http", "", "2147483648", "1e3"]);
  });

  it("recognizes a percentage", () => {
    expect(["25%", "0%", "-1%", "%", "1.5%", "25", 25].map(isPercent)).toEqual([true, true, false, false, false, false, false]);
  });

  it("scales a percentage of a total with the requested rounding, and passes a count on", () => {
    expect(scaledValueFromIntOrPercent("25%", 10, { round: "up" })).toBe(3);
    expect(scaledValueFromIntOrPercent("25%", 10, { round: "down" })).toBe(2);
    expect(scaledValueFromIntOrPercent(7, 10, { round: "up" })).toBe(7);
    expect(scaledValueFromIntOrPercent("-1%", 10, { round: "up" })).toBe(0);
  });

  it("rejects with the API server's message", () => {
    const scale = (value: string | undefined) => () => scaledValueFromIntOrPercent(value, 10, { round: "up" });
    expect(scale(undefined)).toThrow("nil value for IntOrString");
    expect(scale("5")).toThrow("invalid value for IntOrString: invalid type: string is not a percentage");
    expect(scale("x\n%")).toThrow(
      String.raw`invalid value for IntOrString: invalid value "x\n%": strconv.Atoi: parsing "x\n": invalid syntax`,
    );
    expect(scale("99999999999999999999%")).toThrow("value out of range");
  });
});
