import { describe, expect, it } from "vitest";
import { callCost, paysFirst, sizeOfValue } from "./call-cost.ts";
import { listOf, none } from "../value/value.ts";

describe("callCost", () => {
  it("depends on the size of the arguments", () => {
    expect(callCost("contains", "contains_string", ["a".repeat(100), "b".repeat(20)], true)).toBe(20);
    expect(callCost("_+_", "add_string", ["a".repeat(15), "b"], "")).toBe(2);
    expect(callCost("sort", "list_int_sort", [listOf([1n, 2n, 3n])], listOf([]))).toBe(18 + 11);
    expect(callCost("@in", "in_list", ["a", listOf(["a", "b"])], true)).toBe(2);
    expect(callCost("size", "size_list", [listOf([])], 0n)).toBe(1);
    expect([sizeOfValue("\u{1f600}a"), sizeOfValue(1n), sizeOfValue(none)]).toEqual([2, 1, 1]);
    expect([paysFirst("list_distinct"), paysFirst("add_string")]).toEqual([true, false]);
  });
});
