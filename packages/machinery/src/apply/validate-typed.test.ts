import { describe, expect, it } from "vitest";

import type { Schema } from "../schema/schema.ts";
import { builtInMergeType } from "./merge-type.ts";
import sampleSchema from "./sample-schema.vectors.json" with { type: "json" };
import { validateTyped } from "./validate-typed.ts";
import type { JsonObject } from "../json/json-value.ts";

const type = builtInMergeType(sampleSchema as Schema);
const problemOf = (spec: JsonObject): string | undefined => validateTyped({ spec }, type);

describe("validateTyped", () => {
  it("accepts fitting values, nulls included", () => {
    expect(
      problemOf({
        text: "a",
        whole: 1,
        words: ["a"],
        items: [{ name: "a" }],
        map: { a: "b" },
        free: { x: [1] },
        any: null,
        part: null,
        flag: null,
      }),
    ).toBeUndefined();
    expect(problemOf({ whole: 2n ** 60n, any: { a: [{}] } })).toBeUndefined();
  });

  it("names the first unknown field", () => {
    expect(problemOf({ zzz: 1, yyy: 2 })).toBe(".spec.zzz: field not declared in schema");
    expect(problemOf({ items: [{ name: "a", zzz: 1 }] })).toBe('.spec.items[name="a"].zzz: field not declared in schema');
  });

  it("names what it found instead of a scalar, list or object", () => {
    expect(problemOf({ whole: "x" })).toBe(".spec.whole: expected numeric (int or float), got string");
    expect(problemOf({ text: 1 })).toBe(".spec.text: expected string, got &value.valueUnstructured{Value:1}");
    expect(problemOf({ flag: "yes" })).toBe(".spec.flag: expected boolean, got &{yes}");
    expect(problemOf({ items: "x" })).toBe(".spec.items: expected list, got &{x}");
    expect(problemOf({ map: ["x"] })).toBe(".spec.map: expected map, got &{[x]}");
    expect(
      validateTyped(
        { a: [] },
        { map: { atomic: false, field: () => undefined, entries: () => ({ scalar: "untyped" }), freeForm: () => false } },
      ),
    ).toBe(".a: expected any scalar, got &{[]}");
    expect(validateTyped("x", {})).toBe("schema error: invalid atom: inlined");
  });

  it("rejects two items with the same keys, unless allowed", () => {
    expect(problemOf({ words: ["a", "b", "a"] })).toBe('.spec.words: duplicate entries for key [="a"]');
    expect(
      validateTyped({ spec: { words: ["a", "a"], items: [{ name: "a" }, { name: "a" }] } }, type, { duplicates: "allow" }),
    ).toBeUndefined();
    expect(problemOf({ atomicWords: ["a", "a"] })).toBeUndefined();
  });

  it("stops at an item without keys, and counts those of atomic lists", () => {
    expect(problemOf({ items: [{ name: "a" }, {}, { name: "a" }] })).toMatch(
      /^\.spec\.items: element 1: associative list with keys has an element that omits all key fields/,
    );
    expect(problemOf({ atomicWords: ["a", 1] })).toMatch(/^\.spec\.atomicWords\[1\]: expected string/);
  });

  it("lists several problems", () => {
    expect(problemOf({ whole: "x", flag: 1 })).toBe(
      "errors:\n  .spec.whole: expected numeric (int or float), got string\n  .spec.flag: expected boolean, got &{1}",
    );
  });
});
