import { describe, expect, it } from "vitest";
import { compareValues, equalValues, itemKey, scalarKey } from "./compare.ts";
import { mapOf } from "./collections.ts";
import { failure, noSuchOverload } from "./failure.ts";
import { listOf, uint } from "./value.ts";

describe("comparison of CEL values", () => {
  it("compares numbers by value, NaN never, and strings by bytes", () => {
    expect([equalValues(1n, 1), equalValues(uint(1n), 1n), equalValues(Number.NaN, Number.NaN), equalValues(1n, "1")]).toEqual([
      true,
      true,
      false,
      false,
    ]);
    expect([compareValues(1n, 1.5), compareValues("\uffff", "\u{10000}"), compareValues(Uint8Array.of(1), Uint8Array.of(1, 0))]).toEqual([
      -1, -1, -1,
    ]);
    expect(compareValues(Number.NaN, 1)).toEqual(failure("NaN values cannot be ordered"));
    expect(compareValues(null, 1n)).toBe(noSuchOverload);
  });

  it("ignores the order of sets and map lists", () => {
    expect(equalValues(listOf(["a", "b"], "set"), listOf(["b", "a"]))).toBe(true);
    const item = (k: string, v: bigint) =>
      mapOf([
        ["k", k],
        ["v", v],
      ]);
    expect(equalValues(listOf([item("a", 1n), item("b", 2n)], { keys: ["k"] }), listOf([item("b", 2n), item("a", 1n)]))).toBe(true);
    expect(itemKey(item("a", 1n), ["k"])).toBe(itemKey(item("a", 2n), ["k"]));
    expect(scalarKey(1n)).not.toBe(scalarKey("1"));
    expect(scalarKey(listOf([1n, "a"]))).toBe(scalarKey(listOf([1, "a"])));
    expect(scalarKey(listOf([1n]))).not.toBe(scalarKey(listOf([2n])));
    expect(scalarKey(item("a", 1n))).not.toBe(scalarKey(item("a", 2n)));
  });
});
