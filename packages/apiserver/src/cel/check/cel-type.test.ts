import { describe, expect, it } from "vitest";
import { durationType, intType, listType, mapType, optionalType, printType, sameType, stringType, withoutOptional } from "./cel-type.ts";

describe("CEL types", () => {
  it("print as errors show them, and compare structurally", () => {
    expect(printType(mapType(stringType, listType(optionalType(durationType))))).toBe("map(string, list(optional_type(duration)))");
    expect(sameType(listType(intType), listType(intType))).toBe(true);
    expect(sameType(listType(intType), listType(stringType))).toBe(false);
    expect(withoutOptional(optionalType(intType))).toBe(intType);
  });
});
