import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Schema } from "../schema/schema.ts";
import type { JsonObject } from "../json/json-value.ts";
import { compareTyped } from "./compare-typed.ts";
import { emptyFieldSet } from "./field-set.ts";
import { decodeFieldSet } from "./fields-v1.ts";
import { builtInMergeType, deducedMergeType } from "./merge-type.ts";
import sampleSchema from "./sample-schema.vectors.json" with { type: "json" };
import { wholeFieldSet } from "./whole-field-set.ts";

const spec = builtInMergeType(sampleSchema as Schema).map?.field("spec")?.type ?? {};

describe("wholeFieldSet", () => {
  it("has every object and list itself, and everything below, in the server's order", () => {
    const value = { text: "a", map: { b: "1", a: "2" }, items: [{ value: "v", name: "z" }, { name: "a" }] };
    expect(JSON.stringify(wholeFieldSet(value, spec))).toBe(
      JSON.stringify({
        ".": {},
        "f:items": { ".": {}, 'k:{"name":"a"}': { ".": {}, "f:name": {} }, 'k:{"name":"z"}': { ".": {}, "f:name": {}, "f:value": {} } },
        "f:map": { ".": {}, "f:a": {}, "f:b": {} },
        "f:text": {},
      }),
    );
  });

  it("has only the keys of items that share them", () => {
    expect(wholeFieldSet([{ name: "a", value: "1" }, { name: "a" }], spec.map?.field("items")?.type ?? {})).toEqual({
      ".": {},
      'k:{"name":"a"}': {},
    });
  });

  it("sorts names by their bytes, also beyond U+FFFF", () => {
    const value = { "\u{1F600}": 1, "\uFB01": 1, a: 1 };
    expect(Object.keys(wholeFieldSet(value, deducedMergeType))).toEqual([".", "f:a", "f:\uFB01", "f:\u{1F600}"]);
  });

  it("is one member for scalars, atomic and empty values", () => {
    for (const value of ["a", 1, null, {}, []]) expect(wholeFieldSet(value, deducedMergeType)).toBe(emptyFieldSet);
    expect(wholeFieldSet(["a"], deducedMergeType)).toBe(emptyFieldSet);
    expect(wholeFieldSet({ a: "1" }, spec.map?.field("atomicMap")?.type ?? {})).toBe(emptyFieldSet);
  });

  it("is canonical, and what a comparison reports as added or removed", () => {
    const any = fc.letrec<{ value: JsonObject | string }>((tie) => ({
      value: fc.oneof(fc.string(), fc.dictionary(fc.string({ maxLength: 3 }), tie("value"), { maxKeys: 4 }) as fc.Arbitrary<JsonObject>),
    })).value;
    fc.assert(
      fc.property(any, (value) => {
        const set = wholeFieldSet(value, deducedMergeType);
        expect(decodeFieldSet({ "f:x": set as JsonObject })["f:x"]).toEqual(set);
        expect(compareTyped({}, { x: value }, deducedMergeType).added).toEqual({ "f:x": set });
        expect(compareTyped({ x: value }, {}, deducedMergeType).removed).toEqual({ "f:x": set });
      }),
    );
  });
});
