import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { CharClassBuilder, singleChar } from "./char-class.ts";

const code = (char: string): number => char.codePointAt(0) ?? 0;
const members = (charClass: { has(codePoint: number): boolean }, chars: string): string =>
  Array.from(chars)
    .filter((char) => charClass.has(code(char)))
    .join("");

describe("CharClass", () => {
  it("contains its ranges, ends included", () => {
    const charClass = new CharClassBuilder()
      .addRange(code("b"), code("d"), "exact")
      .addRange(code("x"), code("x"), "exact")
      .build({ negated: false });
    expect(members(charClass, "abcdexyzB")).toBe("bcdx");
  });

  it("contains everything else when negated", () => {
    expect(members(new CharClassBuilder().addRange(code("a"), code("z"), "exact").build({ negated: true }), "aéZ😀\u{10ffff}")).toBe(
      "éZ😀\u{10ffff}",
    );
    expect(members(new CharClassBuilder().addRange(0, 0x10ffff, "exact").build({ negated: true }), "a\0\u{10ffff}")).toBe("");
  });

  it("folds case, with the two characters outside ASCII that fold into it", () => {
    expect(members(singleChar(code("k"), "any-case"), "kK\u212as")).toBe("kK\u212a");
    expect(members(singleChar(code("S"), "any-case"), "sS\u017f\u212a")).toBe("sS\u017f");
    expect(members(singleChar(code("σ"), "any-case"), "Σσςs")).toBe("Σσς");
    expect(members(new CharClassBuilder().addRange(code("Y"), code("b"), "any-case").build({ negated: false }), "XYZyz[`abABcC")).toBe(
      "YZyz[`abAB",
    );
  });

  it("includes groups and negated groups", () => {
    const digits = [0x30, 0x39];
    expect(members(new CharClassBuilder().addGroup(digits, "not-in", "exact").build({ negated: false }), "0a9é")).toBe("aé");
    expect(members(new CharClassBuilder().addGroup([0x6b, 0x6b], "not-in", "any-case").build({ negated: false }), "kK\u212aa")).toBe("a");
  });

  it("asks the engine about the rest", () => {
    const charClass = new CharClassBuilder()
      .addTest(/^\p{Lu}$/u, "in")
      .addTest(/^\p{L}$/u, "not-in")
      .build({ negated: false });
    expect(members(charClass, "AaÉé1")).toBe("AÉ1");
    expect(members(new CharClassBuilder().addTest(/^\p{Lu}$/u, "in").build({ negated: true }), "AaÉé1")).toBe("aé1");
  });

  it("has the same key when built alike", () => {
    const build = (): CharClassBuilder => new CharClassBuilder().addRange(5, 9, "exact").addRange(1, 4, "exact");
    expect(build().build({ negated: false }).key).toBe(new CharClassBuilder().addRange(1, 9, "exact").build({ negated: false }).key);
    expect(build().build({ negated: false }).key).not.toBe(build().build({ negated: true }).key);
  });

  it("contains exactly what was added", () => {
    const range = fc.tuple(fc.nat(40), fc.nat(8)).map(([low, length]): [number, number] => [low, low + length]);
    fc.assert(
      fc.property(fc.array(range, { maxLength: 6 }), fc.nat(60), fc.boolean(), (ranges, codePoint, negated) => {
        const builder = new CharClassBuilder();
        for (const [low, high] of ranges) builder.addRange(low, high, "exact");
        expect(builder.build({ negated }).has(codePoint)).toBe(
          ranges.some(([low, high]) => low <= codePoint && codePoint <= high) !== negated,
        );
      }),
    );
  });
});
