import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  escapeFieldValue,
  FieldSelector,
  fieldSelectorFromSet,
  oneTermEqualSelector,
  oneTermNotEqualSelector,
  parseFieldSelector,
  unescapeFieldValue,
} from "./field-selector.ts";
import type { FieldTerm } from "./field-selector.ts";
import { SelectorError } from "./selector-error.ts";

const value = fc.string({ unit: fc.constantFrom("a", "b", "\\", ",", "=", "!", " ", "é", "😀"), maxLength: 8 });
const term: fc.Arbitrary<FieldTerm> = fc.record({
  field: fc.constantFrom("x", "metadata.name", "a b"),
  operator: fc.constantFrom("=" as const, "!=" as const),
  value,
});

describe("FieldSelector", () => {
  it("parses equal, double equal and unequal terms, in text order", () => {
    const selector = parseFieldSelector("b!=2,a==1");
    expect(selector.terms).toEqual([
      { field: "a", operator: "=", value: "1" },
      { field: "b", operator: "!=", value: "2" },
    ]);
    expect(selector.toString()).toBe("a=1,b!=2");
  });

  it.each([
    ["x", "invalid selector: 'x'; can't understand 'x'"],
    ["x in (a)", "invalid selector: 'x in (a)'; can't understand 'x in (a)'"],
    ["x=a,b", "invalid selector: 'x=a,b'; can't understand 'b'"],
    ["x==a==b", "invalid field selector: unescaped character in value: 61"],
    ["x=a\\", "invalid field selector: invalid escape sequence: \\"],
    ["x=\\😀", "invalid field selector: invalid escape sequence: \\😀"],
  ])("rejects %j with a reason", (text, why) => {
    expect(() => parseFieldSelector(text)).toThrow(new SelectorError(why));
  });

  it("treats a missing field as empty, and ignores inherited ones", () => {
    expect(parseFieldSelector("x=").matches({})).toBe(true);
    expect(parseFieldSelector("x!=a").matches({})).toBe(true);
    expect(parseFieldSelector("constructor=,toString=").matches({})).toBe(true);
  });

  it("returns the value a field must have", () => {
    const selector = parseFieldSelector("x!=0,x=1,y!=2");
    expect(["x", "y", "z"].map((field) => selector.requiresExactMatch(field))).toEqual(["1", undefined, undefined]);
  });

  it("rewrites terms, drops empty ones, and passes errors on", () => {
    const selector = parseFieldSelector("a=1,b!=2,c=3");
    expect(
      selector
        .transform(({ field, value: old }) =>
          field === "a" ? undefined : field === "c" ? { field: "", value: "" } : { field: "B", value: `${old}!` },
        )
        .toString(),
    ).toBe("B!=2!");
    expect(() =>
      selector.transform(() => {
        throw new Error("no such field");
      }),
    ).toThrow("no such field");
    expect(selector.toString()).toBe("a=1,b!=2,c=3");
  });

  it("is built from one term, several fields, and other selectors", () => {
    expect(oneTermEqualSelector("metadata.name", "a,b").toString()).toBe("metadata.name=a\\,b");
    expect(oneTermEqualSelector("a", "1").and(oneTermNotEqualSelector("b", "2")).toString()).toBe("a=1,b!=2");
    expect(fieldSelectorFromSet({ b: "2", a: "1" }).toString()).toBe("a=1,b=2");
    expect(fieldSelectorFromSet(undefined).isEverything).toBe(true);
    expect(parseFieldSelector("=").isEverything).toBe(true);
  });

  it("escapes values reversibly", () => {
    expect(escapeFieldValue("a\\b,c=d")).toBe("a\\\\b\\,c\\=d");
    fc.assert(fc.property(value, (text) => unescapeFieldValue(escapeFieldValue(text)) === text));
  });

  it("round-trips through its text", () => {
    const sorted = (terms: readonly FieldTerm[]): string[] => terms.map((each) => JSON.stringify(each)).toSorted();
    fc.assert(
      fc.property(fc.array(term, { maxLength: 4 }), (terms) => {
        expect(sorted(parseFieldSelector(new FieldSelector(terms).toString()).terms)).toEqual(
          sorted(terms.map(({ field, operator, value: text }) => ({ field, operator, value: text }))),
        );
      }),
    );
  });

  it("matches what a naive reading of its terms matches", () => {
    fc.assert(
      fc.property(
        fc.array(term, { maxLength: 3 }),
        fc.dictionary(fc.constantFrom("x", "metadata.name"), value),
        (terms, fields) =>
          new FieldSelector(terms).matches(fields) ===
          terms.every((each) => ((new Map(Object.entries(fields)).get(each.field) ?? "") === each.value) === (each.operator === "=")),
      ),
    );
  });
});
