import { describe, expect, it } from "vitest";

import type { JsonObject, JsonValue } from "../json/json-value.ts";
import { diffMergePatch } from "./merge-patch.ts";
import { diffLists } from "./strategic-list-diff.ts";
import type { ListDiff, StrategicDiffScope } from "./strategic-list-diff.ts";

const everything: StrategicDiffScope = { changes: true, deletions: true, order: true };
const diff = (original: JsonValue[], modified: JsonValue[], mergeKey: string, scope = everything): ListDiff =>
  diffLists(original, modified, mergeKey, scope, diffMergePatch);
const named = (names: string): JsonObject[] => names.split("").map((name) => ({ name }));

describe("diffLists", () => {
  it("of objects returns changes in the new order, then deletions, then the order", () => {
    expect(diff([{ name: "a", x: 1 }, { name: "b" }, { name: "c" }], [{ name: "d" }, { name: "c" }, { name: "a", x: 2 }], "name")).toEqual({
      changed: [{ name: "d" }, { name: "a", x: 2 }, { name: "b", $patch: "delete" }],
      deleted: [],
      order: named("dca"),
    });
  });

  it("states the order of objects only when something changed", () => {
    expect(diff(named("ab"), named("ab"), "name")).toEqual({ changed: [], deleted: [], order: [] });
    expect(diff(named("ab"), named("ba"), "name")).toEqual({ changed: [], deleted: [], order: named("ba") });
  });

  it("pairs objects by the text of their key", () => {
    expect(diff([{ port: 9 }, { port: 10 }], [{ port: "9", x: 1 }], "port").changed).toEqual([
      { port: "9", x: 1 },
      { port: 10, $patch: "delete" },
    ]);
  });

  it("of scalars returns additions in the new order, deletions, and the order as upstream", () => {
    expect(diff(["a", "b", "c"], ["e", "c", "d"], "")).toEqual({ changed: ["e", "d"], deleted: ["a", "b"], order: ["e", "c", "d"] });
    // Upstream compares with a sorted original: an unsorted list is restated, a sorted one is taken for unchanged.
    expect(diff(["b", "a"], ["b", "a"], "").order).toEqual(["b", "a"]);
    expect(diff(["b", "a"], ["a", "b"], "")).toEqual({ changed: [], deleted: [], order: [] });
  });

  it("names a deleted scalar once", () => {
    expect(diff(["a", "a", "b", "b", "c", "d"], ["e"], "").deleted).toEqual(["a", "d", "b", "c"]);
  });

  it("leaves out what is not requested", () => {
    expect(diff(named("ab"), named("bc"), "name", { changes: true, deletions: false, order: false })).toEqual({
      changed: named("c"),
      deleted: [],
      order: [],
    });
    expect(diff(named("ab"), named("bc"), "name", { changes: false, deletions: true, order: false })).toEqual({
      changed: [{ name: "a", $patch: "delete" }],
      deleted: [],
      order: [],
    });
    expect(diff([], named("a"), "name", { changes: false, deletions: true, order: true })).toEqual({ changed: [], deleted: [], order: [] });
  });

  it("requires the merge key", () =>
    expect(() => diff([{ x: 1 }], named("a"), "name")).toThrow("map: map[x:1] does not contain declared merge key: name"));
});
