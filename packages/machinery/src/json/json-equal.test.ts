import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { jsonEqual } from "./json-equal.ts";

describe("jsonEqual", () => {
  it("ignores the order of keys, but not of items", () => {
    expect(jsonEqual({ a: 1, b: [1, 2] }, { b: [1, 2], a: 1 })).toBe(true);
    expect(jsonEqual([1, 2], [2, 1])).toBe(false);
  });
  it("treats a number and a bigint of the same value as equal", () => {
    expect(jsonEqual({ n: 5n }, { n: 5 })).toBe(true);
    expect(jsonEqual(9007199254740993n, 9007199254740992)).toBe(false);
  });
  it.each<[unknown, unknown]>([
    [null, {}],
    [[], {}],
    [1, "1"],
    [0, false],
    [null, 0],
    [{ a: 1 }, { a: 1, b: 2 }],
    [{ constructor: 1 }, {}],
    [{ a: undefined }, { b: undefined }],
    ["", 0n],
  ])("distinguishes %o from %o", (a, b) => {
    expect([jsonEqual(a, b), jsonEqual(b, a)]).toEqual([false, false]);
  });
  it("finds every value equal to its copy", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(jsonEqual(value, JSON.parse(JSON.stringify(value)))).toBe(true);
      }),
    );
  });
});
