import { describe, expect, it } from "vitest";
import { canonicalHash } from "./canonical-hash.ts";

describe("canonicalHash", () => {
  it("ignores the order of fields and unset fields", () => {
    expect(canonicalHash({ a: 1, b: [{ c: "x", d: undefined }] })).toBe(canonicalHash({ b: [{ d: null, c: "x" }], a: 1 }));
  });

  it("depends on the order of lists, on every value, and on the collision count", () => {
    const hashes = [
      canonicalHash([1, 2]),
      canonicalHash([2, 1]),
      canonicalHash(["1", 2]),
      canonicalHash([1, 2], 0),
      canonicalHash([1, 2], 1),
    ];
    expect(new Set(hashes).size).toBe(hashes.length);
  });
});
