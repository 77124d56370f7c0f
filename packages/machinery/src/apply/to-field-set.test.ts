import { describe, expect, it } from "vitest";

import type { Schema } from "../schema/schema.ts";
import type { JsonObject } from "../json/json-value.ts";
import { builtInMergeType, deducedMergeType } from "./merge-type.ts";
import sampleSchema from "./sample-schema.vectors.json" with { type: "json" };
import { toFieldSet } from "./to-field-set.ts";

const type = builtInMergeType(sampleSchema as Schema);
const fieldsOf = (spec: JsonObject): unknown => toFieldSet({ spec }, type)["f:spec"];

describe("toFieldSet", () => {
  it("has scalars and atomic values, in the server's order", () => {
    expect(JSON.stringify(fieldsOf({ whole: 1, text: "a", atomicWords: ["x"], atomicMap: { a: "b" } }))).toBe(
      '{"f:atomicMap":{},"f:atomicWords":{},"f:text":{},"f:whole":{}}',
    );
  });

  it("has items with what they set, and unnamed entries", () => {
    expect(fieldsOf({ items: [{ name: "a", words: ["x"] }], map: { k: "v" } })).toEqual({
      "f:items": { 'k:{"name":"a"}': { ".": {}, "f:name": {}, "f:words": { 'v:"x"': {} } } },
      "f:map": { "f:k": {} },
    });
    expect(fieldsOf({ free: { a: { b: 1 } } })).toEqual({ "f:free": { "f:a": { ".": {}, "f:b": {} } } });
  });

  it("has nulls and empty objects, but no empty lists of items", () => {
    expect(fieldsOf({ map: {}, part: null, items: null, words: [] })).toEqual({ "f:items": {}, "f:map": {}, "f:part": {} });
    expect(fieldsOf({ atomicWords: [] })).toEqual({ "f:atomicWords": {} });
  });

  it("has only the keys of duplicate items", () => {
    expect(fieldsOf({ items: [{ name: "a", value: "1" }, { name: "b" }, { name: "a", value: "2" }] })).toEqual({
      "f:items": { 'k:{"name":"a"}': {}, 'k:{"name":"b"}': { ".": {}, "f:name": {} } },
    });
  });

  it("is empty for an atomic value at the top, and skips unknown fields", () => {
    expect(toFieldSet("x", deducedMergeType)).toEqual({});
    expect(toFieldSet({ zzz: 1 }, type)).toEqual({});
  });

  it("accepts any key of users", () => {
    expect(fieldsOf({ map: JSON.parse('{"__proto__":"1","constructor":"2","":"3"}') as JsonObject })).toEqual({
      "f:map": { "f:": {}, "f:__proto__": {}, "f:constructor": {} },
    });
  });
});
