import { deepFreeze } from "@drover/machinery";
import type { JsonObject } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { data } from "./data.ts";

/** Frozen, so that a write throws. */
const frozen = (object: JsonObject): JsonObject => {
  deepFreeze(object);
  return object;
};
const family = { parent: { children: ["alice", "bob", "eve"], child: { grandchild: "someValue" } }, "": "blank", none: null };

describe("data.getValue", () => {
  it.each<[string, unknown, readonly string[], unknown]>([
    ["undefined in undefined", undefined, ["key"], undefined],
    ["undefined in null", null, ["key"], undefined],
    ["undefined for a missing key", family, ["bad"], undefined],
    ["a top-level value", { key: "value" }, ["key"], "value"],
    ["a nested value", family, ["parent", "child", "grandchild"], "someValue"],
    ["undefined for a path in the wrong order", family, ["parent", "grandchild", "child"], undefined],
    ["an item of an array", family, ["parent", "children", "2"], "eve"],
    ["an item of a top-level array", ["alice", "bob"], ["1"], "bob"],
    ["a value in a map in an array", [{}, family], ["1", "parent", "children", "0"], "alice"],
    ["undefined beyond the end of an array", family, ["parent", "children", "3"], undefined],
    ["undefined for a negative index", family, ["parent", "children", "-3"], undefined],
    ["undefined for a word as index", family, ["parent", "children", "word"], undefined],
    ["undefined for an empty index", ["bob"], [""], undefined],
    ["undefined without keys, in an array", ["bob"], [], undefined],
    ["undefined without keys, in a map", family, [], undefined],
    ["undefined inside a string", ["alice"], ["0", "1"], undefined],
    ["the value of an empty key", family, [""], "blank"],
    ["undefined for a missing empty key", { a: 1 }, [""], undefined],
    ["null", family, ["none"], null],
    ["undefined for inherited members of objects", family, ["constructor"], undefined],
    ["undefined for inherited members of arrays", ["bob"], ["length"], undefined],
  ])("returns %s (§3.23)", (_what, from, keys, expected) => {
    expect(data.getValue(from, ...keys)).toEqual(expected);
  });
});

describe("data", () => {
  it("putValue sets a value, creates maps on the path, and does not change its arguments", () => {
    const before = frozen({ spec: { colour: "red" }, size: 1 });
    expect(data.putValue(before, "blue", "spec", "colour")).toEqual({ spec: { colour: "blue" }, size: 1 });
    expect(data.putValue(before, true, "a", "b", "c")).toEqual({ ...before, a: { b: { c: true } } });
    expect(Object.hasOwn(data.putValue(before, 1, "__proto__"), "__proto__")).toBe(true);
    expect([data.putValue(before, 1, "size", "x"), data.putValue(before, 1)]).toEqual([before, before]);
  });

  it("removeValue removes a value, and returns the same object if it did not exist", () => {
    const before = frozen({ spec: { colour: "red", size: 1 }, list: [1] });
    expect(data.removeValue(before, "spec", "colour")).toEqual({ spec: { size: 1 }, list: [1] });
    for (const path of [["spec", "weight"], ["list", "0"], ["nothing", "here"], []]) expect(data.removeValue(before, ...path)).toBe(before);
  });

  it("mergeMaps prefers the overlay, and mergeMapsConcatSlice concatenates arrays at the top level", () => {
    const base = frozen({ a: { x: 1, y: 1 }, list: [1], deep: { list: [1] } });
    const overlay = frozen({ a: { y: 2 }, list: [2], deep: { list: [2] }, b: null });
    expect(data.mergeMaps(base, overlay)).toEqual({ a: { x: 1, y: 2 }, list: [2], deep: { list: [2] }, b: null });
    expect(data.mergeMapsConcatSlice(base, overlay)).toEqual({ a: { x: 1, y: 2 }, list: [1, 2], deep: { list: [2] }, b: null });
  });

  it("reads strings, booleans, maps and lists of maps, and returns empty values if there are none (§3.23)", () => {
    const from = { text: "word", number: 1.5, yes: "TRUE", no: false, map: { a: 1 }, list: [{ a: 1 }, "no map"], none: null };
    expect(["text", "number", "no", "map", "none", "missing"].map((key) => data.string(from, key))).toEqual([
      "word",
      "1.5",
      "false",
      "",
      "",
      "",
    ]);
    expect([data.bool(from, "yes"), data.bool(from, "no"), data.bool(from, "missing")]).toEqual([true, false, false]);
    expect([data.map(from, "map"), data.map(from, "text"), data.slice(from, "list"), data.slice(from, "map")]).toEqual([
      { a: 1 },
      {},
      [{ a: 1 }],
      [],
    ]);
  });
});
