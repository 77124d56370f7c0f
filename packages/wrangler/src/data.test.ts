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
    ["nothing of nothing", undefined, ["key"], undefined],
    ["nothing of null", null, ["key"], undefined],
    ["nothing under a key that is not there", family, ["bad"], undefined],
    ["a value at the top", { key: "value" }, ["key"], "value"],
    ["a value deep down", family, ["parent", "child", "grandchild"], "someValue"],
    ["nothing on a path in the wrong order", family, ["parent", "grandchild", "child"], undefined],
    ["an item of an array", family, ["parent", "children", "2"], "eve"],
    ["an item of an array at the top", ["alice", "bob"], ["1"], "bob"],
    ["a value in a map in an array", [{}, family], ["1", "parent", "children", "0"], "alice"],
    ["nothing beyond the end", family, ["parent", "children", "3"], undefined],
    ["nothing before the beginning", family, ["parent", "children", "-3"], undefined],
    ["nothing under a word in an array", family, ["parent", "children", "word"], undefined],
    ["nothing under a blank in an array", ["bob"], [""], undefined],
    ["nothing without a key, of an array", ["bob"], [], undefined],
    ["nothing without a key, of a map", family, [], undefined],
    ["nothing inside of a text", ["alice"], ["0", "1"], undefined],
    ["what stands under a blank", family, [""], "blank"],
    ["nothing under a blank that is not there", { a: 1 }, [""], undefined],
    ["null where null is", family, ["none"], null],
    ["nothing that every object has", family, ["constructor"], undefined],
    ["nothing that every array has", ["bob"], ["length"], undefined],
  ])("finds %s (§3.23)", (_what, from, keys, expected) => {
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
