import { describe, expect, it } from "vitest";

import { perlClasses, posixClasses, unicodeClass } from "./named-class.ts";

describe("named character classes", () => {
  it("have sorted ranges within ASCII", () => {
    for (const ranges of [...perlClasses.values(), ...posixClasses.values()]) {
      expect(ranges).toEqual(ranges.toSorted((a, b) => a - b));
      expect(ranges.at(-1)).toBeLessThan(0x80);
    }
  });

  it("find Unicode categories and scripts in any spelling", () => {
    for (const name of ["Lu", "lu", "Uppercase_Letter", "uppercase letter", "upper-case-LETTER"])
      expect(unicodeClass(name, "exact")?.test("É")).toBe(true);
    expect(unicodeClass("greek", "exact")?.test("α")).toBe(true);
    expect(unicodeClass("Any", "exact")?.test("\u{10ffff}")).toBe(true);
    expect(unicodeClass("Assigned", "exact")?.test("\uffff")).toBe(false);
    expect(unicodeClass("lc", "exact")?.test("ǅ")).toBe(true);
  });

  it("fold case on request", () => {
    expect([
      unicodeClass("Lu", "exact")?.test("é"),
      unicodeClass("Lu", "any-case")?.test("é"),
      unicodeClass("ASCII", "any-case")?.test("\u212a"),
    ]).toEqual([false, true, true]);
  });

  it("do not know what Go does not know", () => {
    for (const name of ["", " ", "Foo", "Grek", "Old_Italic", "Script=Greek", "L}\\p{N", "__proto__"])
      expect(unicodeClass(name, "exact")).toBeUndefined();
  });
});
