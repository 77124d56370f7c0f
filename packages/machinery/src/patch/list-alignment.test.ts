import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { alignLists } from "./list-alignment.ts";

const follow = (from: readonly number[], to: readonly number[]): number[] => {
  const list = [...from];
  for (const step of alignLists(from, to)) {
    if (step.kind === "remove") list.splice(step.to, 1);
    else list.splice(step.to, step.kind === "change" ? 1 : 0, to[step.to] ?? -1);
  }
  return list;
};

describe("alignLists", () => {
  it("needs no step for equal lists", () => expect(alignLists([1, 2], [1, 2])).toEqual([]));

  it("pairs items between the same neighbours", () => {
    expect(alignLists([1, 2, 3], [1, 9, 8, 3])).toEqual([
      { kind: "change", from: 1, to: 1 },
      { kind: "insert", from: 2, to: 2 },
    ]);
    expect(alignLists([1, 2, 4, 3], [1, 9, 3])).toEqual([
      { kind: "change", from: 1, to: 1 },
      { kind: "remove", from: 2, to: 2 },
    ]);
  });

  it("keeps as many items as possible", () => {
    expect(alignLists([1, 2, 3, 4, 5], [2, 3, 5, 4])).toHaveLength(3);
  });

  it("turns one list into the other", () => {
    const list = fc.array(fc.nat(4), { maxLength: 12 });
    fc.assert(
      fc.property(list, list, (from, to) => {
        expect(follow(from, to)).toEqual(to);
      }),
    );
  });

  it("goes by index where a table would be too large", () => {
    const from = Array.from({ length: 3_000 }, (_, index) => index);
    const to = from.map((number) => (number === 1_500 ? 1_500 : number + 10_000)).concat(7);
    expect(follow(from, to)).toEqual(to);
    expect(alignLists(from, to).some((step) => step.from === 1_500 && step.kind === "change")).toBe(false);
  });
});
