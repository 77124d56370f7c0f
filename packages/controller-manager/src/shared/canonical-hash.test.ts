import { describe, expect, it } from "vitest";
import { canonicalHash } from "./canonical-hash.ts";

describe("the hash of a value", () => {
  it("does not depend on the order of fields, nor on those that are not set", () => {
    expect(canonicalHash({ a: 1, b: [{ c: "x", d: undefined }] })).toBe(canonicalHash({ b: [{ d: null, c: "x" }], a: 1 }));
  });

  it("depends on the order of a list, on every value, and on the count of collisions", () => {
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
