import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { deepFreeze } from "../json/readonly.ts";
import type { Schema } from "../schema/schema.ts";
import type { JsonObject, JsonValue } from "../json/json-value.ts";
import { builtInMergeType } from "./merge-type.ts";
import { mergeTyped } from "./merge-typed.ts";
import sampleSchema from "./sample-schema.vectors.json" with { type: "json" };

const type = builtInMergeType(sampleSchema as Schema).map?.field("spec")?.type ?? {};
const merge = (live: JsonObject, config: JsonObject): JsonValue | undefined =>
  mergeTyped(deepFreeze(live) as JsonObject, deepFreeze(config) as JsonObject, type);
const words = (live: readonly string[], config: readonly string[]): unknown =>
  (merge({ words: [...live] }, { words: [...config] }) as JsonObject)["words"];

describe("mergeTyped", () => {
  it("takes from the configuration what it has, and keeps the rest", () => {
    expect(merge({ text: "a", part: { a: "1", b: "2" } }, { part: { b: "3" }, flag: true })).toEqual({
      text: "a",
      part: { a: "1", b: "3" },
      flag: true,
    });
  });

  it("replaces atomic values, and keeps nulls", () => {
    expect(
      merge({ atomicWords: ["a"], atomicMap: { a: "1" }, part: { a: "1" } }, { atomicWords: ["b"], atomicMap: { b: "1" }, part: null }),
    ).toEqual({ atomicWords: ["b"], atomicMap: { b: "1" }, part: { a: "1" } });
    expect(merge({ text: "a" }, { text: null })).toEqual({ text: null });
    expect(merge({ map: {} }, { map: null })).toEqual({ map: null });
  });

  it("merges items by key", () => {
    expect(
      merge(
        { items: [{ name: "a", value: "1", words: ["x"] }, { name: "b" }] },
        { items: [{ name: "a", value: "2", words: ["y"] }, { name: "c" }] },
      ),
    ).toEqual({ items: [{ name: "a", value: "2", words: ["x", "y"] }, { name: "b" }, { name: "c" }] });
  });

  it("orders items by the configuration, with live ones in between", () => {
    expect(words(["c"], ["side", "c"])).toEqual(["side", "c"]);
    expect(words(["a", "b", "c"], ["c", "a"])).toEqual(["b", "c", "a"]);
    expect(words(["a", "x", "b"], ["b", "new", "a"])).toEqual(["x", "b", "new", "a"]);
    expect(words(["a", "b"], [])).toEqual(["a", "b"]);
    expect(words([], ["a", "b"])).toEqual(["a", "b"]);
  });

  it("has every item once, in the order of the configuration", () => {
    const some: fc.Arbitrary<string[]> = fc.uniqueArray(fc.constantFrom("a", "b", "c", "d", "e", "f", "g", "h"), { maxLength: 6 });
    fc.assert(
      fc.property(some, some, (live, config) => {
        const merged = (words(live, config) ?? []) as string[];
        expect(merged.toSorted()).toEqual([...new Set([...live, ...config])].toSorted());
        expect(merged.filter((word) => config.includes(word))).toEqual(config);
        expect(merged.filter((word) => live.includes(word) && !config.includes(word))).toEqual(
          live.filter((word) => !config.includes(word)),
        );
      }),
    );
  });

  it("never merges into live items with the same keys, and keeps unapplied ones", () => {
    expect(
      merge(
        {
          items: [
            { name: "a", value: "1" },
            { name: "a", value: "2" },
          ],
        },
        { items: [{ name: "a", words: ["x"] }] },
      ),
    ).toEqual({ items: [{ name: "a", words: ["x"] }] });
    expect(
      merge(
        {
          items: [
            { name: "a", value: "1" },
            { name: "a", value: "2" },
          ],
        },
        { items: [{ name: "b" }] },
      ),
    ).toEqual({ items: [{ name: "a", value: "1" }, { name: "a", value: "2" }, { name: "b" }] });
  });

  it("lets a free-form value change its form", () => {
    expect(merge({ any: { a: 1 } }, { any: [1] })).toEqual({ any: [1] });
    expect(merge({ any: "x" }, { any: { a: 1 } })).toEqual({ any: { a: 1 } });
  });

  it("returns either side when the other is absent", () => {
    const value = { text: "a" };
    expect(mergeTyped(value, undefined, type)).toBe(value);
    expect(mergeTyped(undefined, value, type)).toBe(value);
  });
});
