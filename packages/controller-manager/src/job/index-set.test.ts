import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { countIndexes, hasIndex, indexesOf, missingIndexes, printIndexes, readIndexes, sharedCount, uniteIndexes } from "./index-set.ts";

describe("IndexSet", () => {
  it("J064: prints as intervals, two neighbours as two", () => {
    expect([[], [0], [0, 1], [0, 1, 2], [0, 2, 3, 4, 5], [7, 0, 7, 8]].map((numbers) => printIndexes(indexesOf(numbers)))).toEqual([
      "",
      "0",
      "0,1",
      "0-2",
      "0,2-5",
      "0,7,8",
    ]);
  });

  it("J064: parses without out-of-range and invalid parts", () => {
    const read = (text: string, limit = 10): string => printIndexes(readIndexes(text, limit));
    expect(read("0,2-5")).toBe("0,2-5");
    expect(read("0-3,8-12", 10)).toBe("0-3,8,9");
    expect(read("8,12")).toBe("8");
    expect(read("a,1,2-b,-3,4-,5-4,6-7")).toBe("1,6,7");
    expect([readIndexes(undefined, 3), readIndexes("", 3)]).toEqual([[], []]);
    expect(read("0,1,2,3-4")).toBe("0-4");
  });

  it("J064: unites with others before, between and across its intervals", () => {
    expect(printIndexes(uniteIndexes(readIndexes("1,4-5", 20), indexesOf([0, 2, 3, 5, 9])))).toBe("0-5,9");
    expect(uniteIndexes()).toEqual([]);
  });

  it("returns the lowest missing indexes", () => {
    expect(missingIndexes(readIndexes("0,2,4-5", 20), 3, 20)).toEqual([1, 3, 6]);
    expect(missingIndexes([], 3, 2)).toEqual([0, 1]);
    expect(missingIndexes(readIndexes("0-9", 20), 3, 5)).toEqual([]);
    expect(missingIndexes([], 0, 5)).toEqual([]);
  });

  it("behaves like a set of numbers", () => {
    const numbers = fc.uniqueArray(fc.nat(40));
    fc.assert(
      fc.property(numbers, numbers, fc.nat(45), (a, b, limit) => {
        const [setA, setB] = [indexesOf(a), indexesOf(b)];
        const both = new Set([...a, ...b]);
        expect(countIndexes(uniteIndexes(setA, setB))).toBe(both.size);
        expect(sharedCount(setA, setB)).toBe(a.filter((number) => b.includes(number)).length);
        for (let number = 0; number <= 41; number++) expect(hasIndex(setA, number)).toBe(a.includes(number));
        expect(readIndexes(printIndexes(setA), limit)).toEqual(indexesOf(a.filter((number) => number < limit)));
        expect(missingIndexes(setA, 5, limit)).toEqual(
          Array.from({ length: limit }, (_, number) => number)
            .filter((number) => !a.includes(number))
            .slice(0, 5),
        );
      }),
    );
  });
});
