import { describe, expect, it } from "vitest";

import type { Schema } from "../schema/schema.ts";
import type { JsonObject } from "../json/json-value.ts";
import { fieldSetOf } from "./field-set.ts";
import { builtInMergeType } from "./merge-type.ts";
import { extractItems, removeItems } from "./remove-items.ts";
import sampleSchema from "./sample-schema.vectors.json" with { type: "json" };

const type = builtInMergeType(sampleSchema as Schema).map?.field("spec")?.type ?? {};
const value: JsonObject = {
  text: "a",
  part: { a: "1", b: "2" },
  items: [
    { name: "a", value: "1" },
    { name: "b", value: "2" },
  ],
  words: ["x", "y"],
  atomicWords: ["p"],
  map: { k: "1" },
};
const a = 'k:{"name":"a"}';

describe("removeItems", () => {
  it("removes fields and items, and keeps the rest", () => {
    const set = fieldSetOf(["f:text"], ["f:part", "f:a"], ["f:items", a], ["f:words", 'v:"y"'], ["f:atomicWords"]);
    expect(removeItems(value, set, type)).toEqual({ part: { b: "2" }, items: [{ name: "b", value: "2" }], words: ["x"], map: { k: "1" } });
  });

  it("removes parts of an item that stays", () => {
    expect(removeItems({ items: [{ name: "a", value: "1" }] }, fieldSetOf(["f:items", a, "f:value"]), type)).toEqual({
      items: [{ name: "a" }],
    });
  });

  it("leaves null where nothing is left", () => {
    expect(removeItems({ map: { k: "1" }, words: ["x"] }, fieldSetOf(["f:map", "f:k"], ["f:words", 'v:"x"']), type)).toEqual({
      map: null,
      words: null,
    });
    expect(removeItems({ text: "a" }, fieldSetOf(["f:text"]), type)).toBeNull();
  });

  it("ignores atomic values and missing fields", () => {
    expect(removeItems({ atomicWords: ["p"], text: "a" }, fieldSetOf(["f:whole"], ["f:items", a]), type)).toEqual({
      atomicWords: ["p"],
      text: "a",
    });
  });
});

describe("extractItems", () => {
  it("keeps only fields and items of the set", () => {
    expect(
      extractItems(value, fieldSetOf(["f:text"], ["f:part", "f:b"], ["f:items", a], ["f:words", 'v:"x"'], ["f:atomicWords"]), type),
    ).toEqual({ text: "a", part: { b: "2" }, items: [{ name: "a", value: "1" }], words: ["x"], atomicWords: ["p"] });
  });

  it("includes keys of items on request", () => {
    const set = fieldSetOf(["f:items", a, "f:value"]);
    expect(extractItems(value, set, type)).toEqual({ items: [{ value: "1" }] });
    expect(extractItems(value, set, type, { keyFields: true })).toEqual({ items: [{ name: "a", value: "1" }] });
    expect(extractItems(value, fieldSetOf(["f:items", 'k:{"name":"z"}', "f:value"]), type, { keyFields: true })).toEqual({ items: null });
  });
});
