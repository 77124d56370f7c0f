import fc from "fast-check";
import { describe, expect, it } from "vitest";

import type { Schema } from "../schema/schema.ts";
import type { JsonObject } from "../json/json-value.ts";
import { changedFields, compareTyped, filterComparison } from "./compare-typed.ts";
import { fieldPaths, fieldSetOf, intersectFieldSets, isEmptyFieldSet } from "./field-set.ts";
import { builtInMergeType, deducedMergeType } from "./merge-type.ts";
import { printPath } from "./path-element.ts";
import sampleSchema from "./sample-schema.vectors.json" with { type: "json" };

const type = builtInMergeType(sampleSchema as Schema);
const inSpec = type.map?.field("spec")?.type ?? {};
function differences(before: JsonObject, after: JsonObject, of = inSpec): Record<string, string[]> {
  const comparison = compareTyped(before, after, of);
  return Object.fromEntries(
    Object.entries(comparison)
      .map(([name, set]) => [name, fieldPaths(set as object as ReturnType<typeof fieldSetOf>).map((path) => printPath(path))])
      .filter(([, paths]) => (paths?.length ?? 0) > 0),
  ) as Record<string, string[]>;
}

describe("compareTyped", () => {
  it("finds added, modified and removed fields", () => {
    expect(differences({ text: "a", whole: 1 }, { text: "b", flag: true })).toEqual({
      added: [".flag"],
      modified: [".text"],
      removed: [".whole"],
    });
  });

  it("finds nothing between equal values in any key order", () => {
    expect(
      differences(
        { text: "a", map: { x: "1", y: "2" }, items: [{ name: "a", value: "v" }] },
        { items: [{ value: "v", name: "a" }], map: { y: "2", x: "1" }, text: "a" },
      ),
    ).toEqual({});
  });

  it("lists added and removed objects and lists with everything below", () => {
    expect(differences({}, { part: { a: "1" }, items: [{ name: "a" }] })).toEqual({
      added: [".items", ".part", '.items[name="a"]', '.items[name="a"].name', ".part.a"],
    });
    expect(differences({ map: { a: "1" } }, {})).toEqual({ removed: [".map", ".map.a"] });
    expect(differences({ items: null }, { items: [{ name: "a" }] })).toEqual({ added: ['.items[name="a"]', '.items[name="a"].name'] });
  });

  it("compares atomic values as one", () => {
    expect(differences({ atomicWords: ["a"], atomicMap: { a: "1" } }, { atomicWords: ["a", "b"], atomicMap: { a: "2" } })).toEqual({
      modified: [".atomicMap", ".atomicWords"],
    });
  });

  it("distinguishes empty, null and absent", () => {
    expect(differences({ map: {} }, { map: null })).toEqual({ modified: [".map"] });
    expect(differences({ map: {} }, {})).toEqual({ removed: [".map"] });
    expect(differences({ items: [] }, { items: [] })).toEqual({});
  });

  it("matches items by key, not by position", () => {
    expect(
      differences({ items: [{ name: "a", value: "1" }, { name: "b" }] }, { items: [{ name: "b" }, { name: "a", value: "2" }] }),
    ).toEqual({ modified: ['.items[name="a"].value'] });
    expect(differences({ words: ["a", "b"] }, { words: ["b", "c"] })).toEqual({ added: ['.words[="c"]'], removed: ['.words[="a"]'] });
  });

  it("compares items with the same keys as one", () => {
    const twice = [
      { name: "a", value: "1" },
      { name: "a", value: "2" },
    ];
    expect(differences({ items: twice }, { items: twice.toReversed() })).toEqual({ modified: ['.items[name="a"]'] });
    expect(differences({ items: twice }, { items: [...twice] })).toEqual({});
    expect(differences({ items: twice }, { items: [{ name: "a" }] })).toEqual({
      added: ['.items[name="a"]', '.items[name="a"].name'],
      removed: ['.items[name="a"]'],
    });
    expect(differences({ items: [{ name: "a" }] }, { items: twice })).toEqual({
      added: ['.items[name="a"]'],
      removed: ['.items[name="a"]', '.items[name="a"].name'],
    });
  });

  it("compares a free-form value that changes its form in both forms", () => {
    expect(differences({ any: "x" }, { any: { a: 1 } })).toEqual({ added: [".any.a"], modified: [".any"] });
    expect(differences({ any: { a: 1 } }, { any: [1] })).toEqual({ modified: [".any"], removed: [".any.a"] });
  });

  it("is empty exactly for equal values, and symmetric", () => {
    const value = fc.letrec((tie) => ({
      any: fc.oneof(
        { maxDepth: 3 },
        fc.constantFrom(1, "a", true, null),
        fc.array(tie("any"), { maxLength: 2 }),
        fc.dictionary(fc.constantFrom("a", "b", "c"), tie("any"), { maxKeys: 3 }),
      ),
    })).any as fc.Arbitrary<JsonObject>;
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom("a", "b"), value), fc.dictionary(fc.constantFrom("a", "b"), value), (before, after) => {
        const there = compareTyped(before, after, deducedMergeType);
        const back = compareTyped(after, before, deducedMergeType);
        expect([there.added, there.removed, there.modified]).toEqual([back.removed, back.added, back.modified]);
        expect(isEmptyFieldSet(intersectFieldSets(there.added, there.removed))).toBe(true);
        expect(compareTyped(before, JSON.parse(JSON.stringify(before)) as JsonObject, deducedMergeType)).toEqual({
          added: {},
          modified: {},
          removed: {},
        });
      }),
      { numRuns: Math.ceil((fc.readConfigureGlobal()?.numRuns ?? 200) / 4) },
    );
  });

  it("can be filtered, and merged to the changed fields", () => {
    const comparison = compareTyped({ text: "a" }, { text: "b", whole: 1 }, inSpec);
    expect(changedFields(comparison)).toEqual(fieldSetOf(["f:text"], ["f:whole"]));
    expect(filterComparison(comparison, (set) => intersectFieldSets(set, fieldSetOf(["f:whole"])))).toEqual({
      added: fieldSetOf(["f:whole"]),
      modified: {},
      removed: {},
    });
  });
});
