import { describe, expect, it } from "vitest";
import { compileSchema } from "./compiled-schema.ts";
import { isUnchanged, oldField, oldItems } from "./ratchet.ts";

const list = compileSchema({
  type: "array",
  "x-kubernetes-list-type": "map",
  "x-kubernetes-list-map-keys": ["a", "b"],
  items: { type: "object", properties: { a: { type: "string" }, b: { type: "integer" } } },
});

describe("oldField and oldItems", () => {
  it("find the field of the same name", () => {
    expect(oldField({ a: null }, "a")).toBeNull();
    expect(oldField({ a: 1 }, "b")).toBeUndefined();
    expect(oldField({}, "toString")).toBeUndefined();
    expect(oldField([1], "0")).toBeUndefined();
  });

  it("find the item with the same keys, the first of several", () => {
    const first = { a: "x", b: 1, n: 1 };
    const find = oldItems([{ a: "x", b: 2 }, first, { a: "x", b: 1, n: 2 }, 5], list);
    expect(find?.({ a: "x", b: 1 })).toBe(first);
    expect(find?.({ a: "x", b: "1" })).toBeUndefined();
    expect(find?.({ a: "x" })).toBeUndefined();
    expect(find?.(5)).toBeUndefined();
    expect(oldItems([1], compileSchema({ type: "array" }))).toBeUndefined();
  });
});

describe("isUnchanged", () => {
  it("ignores the order of keyed items", () => {
    expect(
      isUnchanged(
        [
          { a: "x", b: 1 },
          { a: "y", b: 1 },
        ],
        [
          { a: "y", b: 1 },
          { a: "x", b: 1 },
        ],
        list,
      ),
    ).toBe(true);
    expect(isUnchanged([{ a: "x", b: 1 }], [{ a: "x", b: 2 }], list)).toBe(false);
    expect(isUnchanged([1, 2], [2, 1], compileSchema({ type: "array", items: { type: "integer" } }))).toBe(false);
  });

  it("requires a schema for each field", () => {
    const schema = compileSchema({ type: "object", properties: { a: { type: "string" } } });
    expect(isUnchanged({ a: "x" }, { a: "x" }, schema)).toBe(true);
    expect(isUnchanged({ a: "x", b: 1 }, { a: "x", b: 1 }, schema)).toBe(false);
    expect(isUnchanged({ a: "x" }, { a: "x", b: 1 }, schema)).toBe(false);
  });
});
