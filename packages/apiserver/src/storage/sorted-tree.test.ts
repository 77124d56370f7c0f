import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { treeDelete, treeGet, treeRange, treeRank, treeSet } from "./sorted-tree.ts";
import type { SortedTree } from "./sorted-tree.ts";

const depth = (tree: SortedTree<unknown> | undefined): number =>
  tree === undefined ? 0 : 1 + Math.max(depth(tree.left), depth(tree.right));

describe("SortedTree", () => {
  it("behaves like a sorted map and never changes an earlier tree", () => {
    const step = fc.record({ key: fc.stringMatching(/^[a-e]{0,3}$/), value: fc.option(fc.nat(), { nil: undefined }) });
    fc.assert(
      fc.property(
        fc.array(step, { maxLength: 60 }),
        fc.stringMatching(/^[a-f]{0,2}$/),
        fc.stringMatching(/^[a-f]{0,2}$/),
        fc.nat(10),
        (steps, from, before, limit) => {
          let tree: SortedTree<number> | undefined;
          const model = new Map<string, number>();
          const states: [typeof tree, [string, number][]][] = [];
          for (const { key, value } of steps) {
            tree = value === undefined ? treeDelete(tree, key) : treeSet(tree, key, value);
            if (value === undefined) model.delete(key);
            else model.set(key, value);
            states.push([tree, [...model].toSorted(([a], [b]) => (a < b ? -1 : 1))]);
          }
          for (const [root, sorted] of states) {
            expect(treeRange(root, "", "\uffff", Infinity)).toEqual(sorted.map(([, value]) => value));
            expect(root?.size ?? 0).toBe(sorted.length);
          }
          const [root, sorted] = states.at(-1) ?? [undefined, []];
          expect(treeRange(root, from, before, limit)).toEqual(
            sorted
              .filter(([key]) => from <= key && key < before)
              .slice(0, limit)
              .map(([, value]) => value),
          );
          expect([treeRank(root, from), treeGet(root, from)]).toEqual([sorted.filter(([key]) => key < from).length, model.get(from)]);
        },
      ),
    );
  });
  it("stays balanced for sorted insertions and deletions", () => {
    let tree: SortedTree<number> | undefined;
    for (let n = 0; n < 20_000; n++) tree = treeSet(tree, String(n).padStart(6, "0"), n);
    expect(depth(tree)).toBeLessThan(30);
    for (let n = 0; n < 19_000; n++) tree = treeDelete(tree, String(n).padStart(6, "0"));
    expect([tree?.size, depth(tree) < 20]).toEqual([1000, true]);
  });
  it("returns the same tree when the key to delete is absent", () => {
    const tree = treeSet(treeSet(undefined, "a", 1), "b", 2);
    expect(treeDelete(tree, "c")).toBe(tree);
  });
});
