import { describe, expect, it } from "vitest";

import { singleChar } from "./char-class.ts";
import {
  alternateNode,
  assertNode,
  captureNode,
  charNode,
  concatNode,
  emptyNode,
  membersBackwards,
  repeatNode,
  repeatsWithin,
} from "./syntax-tree.ts";
import type { Node } from "./syntax-tree.ts";

const a = charNode(singleChar(0x61, "exact"));
const times = (child: Node, min: number, max: number): Node => repeatNode({ child, min, max, greedy: true, counted: true });

describe("syntax tree of a pattern", () => {
  it("omits sequences and choices of one", () => {
    expect([concatNode([]), concatNode([a]), alternateNode([a])]).toEqual([emptyNode, a, a]);
  });

  it("does not count a sequence in a sequence as height", () => {
    expect(concatNode([concatNode([a, a]), a]).height).toBe(2);
    expect(concatNode([captureNode(1, concatNode([a, a])), a]).height).toBe(4);
  });

  it("counts copies as size", () => {
    expect([times(a, 3, 3).size, times(a, 0, 0).size, times(times(a, 10, 10), 10, 10).size]).toEqual([3, 1, 100]);
  });

  it("knows what can be empty", () => {
    expect(
      [a, times(a, 0, 1), concatNode([times(a, 0, 1), a]), alternateNode([a, emptyNode]), assertNode("end-text")].map(
        (node) => node.nullable,
      ),
    ).toEqual([false, true, false, true, true]);
  });

  it("multiplies nested counts", () => {
    expect([
      repeatsWithin(times(times(a, 10, 10), 100, 100), 1000),
      repeatsWithin(times(captureNode(1, concatNode([a, times(a, 11, 11)])), 100, Infinity), 1000),
      repeatsWithin(times(a, 0, 0), 1),
    ]).toEqual([true, false, true]);
  });

  it("walks nested sequences deeper than the call stack", () => {
    let node = concatNode([a, a]);
    for (let depth = 0; depth < 100_000; depth++) node = concatNode([node, a]);
    expect(node.kind === "concat" ? [...membersBackwards(node)].length : 0).toBe(100_002);
  });
});
