import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { escapeProperty, unescapeProperty } from "./property-name.ts";

describe("escapeProperty", () => {
  it.each([
    ["a-b", "a__dash__b"],
    ["a.b/c", "a__dot__b__slash__c"],
    ["__x", "__underscores__x"],
    ["namespace", "__namespace__"],
    ["a b", undefined],
    ["1a", undefined],
    ["", undefined],
  ])("escapes %s to %s", (name, escaped) => {
    expect(escapeProperty(name)).toBe(escaped);
  });

  it("round-trips through unescapeProperty", () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom("a", "B", "1", "-", ".", "/", "_x", "__x") }), (name) => {
        const escaped = escapeProperty(name);
        if (escaped !== undefined) expect(unescapeProperty(escaped)).toBe(name);
      }),
    );
    expect(unescapeProperty("__nope__")).toBeUndefined();
  });
});
