import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readIndexList, sharedIndex } from "./index-list.ts";

describe("readIndexList", () => {
  it("counts the indexes of a list", () => {
    expect([readIndexList("", 3), readIndexList("0", 3), readIndexList("0,2-4", 5)]).toEqual([0, 1, 4]);
  });

  it.each([
    ["1,0", "non-increasing order, previous: 1, current: 0"],
    ["2-1", "non-increasing order, previous: 2, current: 1"],
    ["0-9", 'too large index: "9"'],
    ["a", 'cannot convert string to integer for index: "a"'],
    ["1-2-3", "the fragment \"1-2-3\" violates the requirement that an index interval can have at most two parts separated by '-'"],
  ])("refuses %s", (text, problem) => {
    expect(readIndexList(text, 5)).toBe(problem);
  });

  it("accepts any sorted list", () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.nat({ max: 99 })), (indexes) => {
        expect(readIndexList(indexes.toSorted((a, b) => a - b).join(","), 100)).toBe(indexes.length);
      }),
    );
  });
});

describe("sharedIndex", () => {
  it("returns the first common index", () => {
    expect(sharedIndex("0-3,7", "2,5", 10)).toBe(2);
    expect(sharedIndex("0,1", "2", 10)).toBeUndefined();
    expect(sharedIndex("x", "0", 10)).toBeUndefined();
  });
});
