import { describe, expect, it } from "vitest";

import { isMarkedForDeletion, itemKind, mergeKeyOf, sortItems, weaveItems } from "./strategic-order.ts";

describe("itemKind", () => {
  it("requires one kind, and no lists", () => {
    expect(itemKind([{}], [{ a: 1 }])).toBe("object");
    expect(itemKind([], ["a"])).toBe("scalar");
    expect(() => itemKind([], [])).toThrow("no elements in any of the given slices");
    expect(() => itemKind([["a"]])).toThrow("lists of lists are not supported");
    expect(() => itemKind(["a"], [1, { b: null }])).toThrow("list element types are not identical: [[a] [1 map[b:<nil>]]]");
    expect(() => itemKind([1], [1.5])).toThrow("list element types are not identical");
  });
});

describe("weaveItems", () => {
  const weave = (patchItems: string[], serverItems: string[], serverOrder: string[]): unknown =>
    weaveItems({ patchItems, serverItems, patchOrder: patchItems, serverOrder }, "", "scalar");

  it("puts items new to the server before those only the server has", () =>
    expect(weave(["x"], ["a", "b"], ["a", "b"])).toEqual(["x", "a", "b"]));

  it("keeps the server's items relative to shared ones", () => {
    expect(weave(["b"], ["a", "c"], ["a", "b", "c"])).toEqual(["a", "b", "c"]);
    expect(weave(["c", "a"], ["b", "d"], ["a", "b", "c", "d"])).toEqual(["b", "c", "a", "d"]);
    expect(weave(["x", "b"], ["a"], ["a", "b"])).toEqual(["x", "a", "b"]);
  });

  it("sorts by another list, and puts marked items last", () => {
    const order = [{ name: "b" }, { name: "a" }];
    expect(sortItems([{ name: "a", $patch: "delete" }, { name: "a" }, { name: "b", x: 1 }], order, "name", "object")).toEqual([
      { name: "b", x: 1 },
      { name: "a" },
      { name: "a", $patch: "delete" },
    ]);
    expect(() => sortItems([{ name: "a" }], [{}], "name", "object")).toThrow("map: map[] does not contain declared merge key: name");
  });

  it("reverses a list whose order names none of its items, as the server's sort does", () => {
    expect(sortItems(["a", "b", "c"], [], "", "scalar")).toEqual(["c", "b", "a"]);
    expect(sortItems(["a", "n", "b"], ["b", "a"], "", "scalar")).toEqual(["b", "n", "a"]);
    expect(
      sortItems(
        Array.from({ length: 30 }, (_, index) => index),
        [29, 28],
        "",
        "scalar",
      ).slice(-2),
    ).toEqual([29, 28]);
  });

  it("identifies items by merge key", () => {
    expect(mergeKeyOf({ name: null }, "name")).toBeNull();
    expect(() => mergeKeyOf({ image: "x" }, "name")).toThrow("map: map[image:x] does not contain declared merge key: name");
    expect(() => mergeKeyOf("x", "name")).toThrow("expected a map[string]interface {}, but received a string");
    expect([{ $patch: "delete" }, { $patch: "replace" }, "x"].map(isMarkedForDeletion)).toEqual([true, false, false]);
  });
});
