import { describe, expect, it } from "vitest";

import { edgeBits, edgesBetween, isWordChar } from "./edge.ts";

const holds = (before: number | undefined, after: number | undefined): string[] =>
  Object.entries(edgeBits).flatMap(([name, bit]) => ((edgesBetween(before, after) & bit) === 0 ? [] : [name]));

describe("edgesBetween", () => {
  it("finds the ends of text and lines", () => {
    expect(holds(undefined, undefined)).toEqual(["begin-text", "end-text", "begin-line", "end-line", "no-word-boundary"]);
    expect(holds(0x0a, 0x0a)).toEqual(["begin-line", "end-line", "no-word-boundary"]);
  });

  it("finds the ends of words", () => {
    expect(holds(0x61, 0x20)).toEqual(["word-boundary"]);
    expect(holds(undefined, 0x61)).toEqual(["begin-text", "begin-line", "word-boundary"]);
    expect(Array.from("aZ0_-é").map((char) => isWordChar(char.codePointAt(0)))).toEqual([true, true, true, true, false, false]);
  });
});
