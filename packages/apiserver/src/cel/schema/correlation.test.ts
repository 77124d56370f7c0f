import { describe, expect, it } from "vitest";
import type { Schema } from "@drover/machinery";
import { isUnchanged, oldItems, pairAt } from "./correlation.ts";

const keyed: Schema = {
  type: "array",
  "x-kubernetes-list-type": "map",
  "x-kubernetes-list-map-keys": ["k"],
  items: { type: "object", properties: { k: { type: "string" }, v: { type: "integer" } } },
};

describe("correlation of old and new values", () => {
  it("matches fields by name and map-list items by keys only", () => {
    expect(oldItems([{ k: "a", v: 1 }], keyed)?.({ k: "a" })).toEqual({ k: "a", v: 1 });
    expect(oldItems([1], { type: "array", items: { type: "integer" } })).toBeUndefined();
    expect(pairAt({ value: { a: 1 }, old: { a: 2 }, schema: { properties: { a: { type: "integer" } } } }, "a")).toMatchObject({
      value: 1,
      old: 2,
    });
    expect(pairAt({ value: { a: 1 }, old: { a: 2 }, schema: {} }, "a")).toBeUndefined();
  });

  it("ignores the order of map lists, and treats fields without a schema as changed", () => {
    expect(isUnchanged({ value: [{ k: "b" }, { k: "a" }], old: [{ k: "a" }, { k: "b" }], schema: keyed })).toBe(true);
    expect(isUnchanged({ value: { x: 1 }, old: { x: 1 }, schema: { type: "object" } })).toBe(false);
  });
});
