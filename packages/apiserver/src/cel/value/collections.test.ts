import { describe, expect, it } from "vitest";
import { growingList, joinLists, mapOf, withEntry } from "./collections.ts";
import { isFailure } from "./failure.ts";
import { itemsOf, listOf } from "./value.ts";

describe("growing CEL lists and maps", () => {
  it("leave the shorter list unchanged, even when appended to twice", () => {
    const start = growingList([1n]);
    const [two, other] = [joinLists(start, listOf([2n])), joinLists(start, listOf([3n]))];
    if (isFailure(two) || isFailure(other)) throw new Error("not joined");
    expect([itemsOf(start), itemsOf(two), itemsOf(other)]).toEqual([[1n], [1n, 2n], [1n, 3n]]);
  });

  it("refuse a duplicate key", () => {
    const one = mapOf([["a", 1n]]);
    const two = withEntry(one, "b", 2n);
    const other = withEntry(one, "b", 3n);
    if (isFailure(two) || isFailure(other)) throw new Error("not made");
    expect([one.find("b"), two.find("b"), other.find("b"), one.keys()]).toEqual([undefined, 2n, 3n, ["a"]]);
    expect(withEntry(two, "b", 4n)).toMatchObject({ message: "insert failed: key b already exists" });
  });

  it("join sets without duplicates", () => {
    const joined = joinLists(listOf(["a", "b"], "set"), listOf(["b", "c"]));
    expect(isFailure(joined) ? [] : itemsOf(joined)).toEqual(["a", "b", "c"]);
  });
});
