import { describe, expect, it } from "vitest";

import { parse } from "./parse.ts";
import { compileProgram, op } from "./program.ts";

const compile = (pattern: string): ReturnType<typeof compileProgram> => compileProgram(parse(pattern));
const count = (pattern: string, code: number): number => compile(pattern).ops.filter((each) => each === code).length;

describe("compileProgram", () => {
  it("copies repetitions and shares their classes", () => {
    expect([count("a{3}", op.char), count("a{2,4}", op.char), count("a{2,}", op.char), count("a{0}", op.char)]).toEqual([3, 4, 2, 0]);
    expect(compile("[ab]{500}[ab]").classes).toHaveLength(1);
  });

  it("needs no instruction for captures and one choice for a loop", () => {
    expect([...compile("(a)").ops]).toEqual([op.match, op.char]);
    expect(count("a*", op.either)).toBe(1);
    expect(count("(?:a?)*", op.either)).toBe(3);
  });

  it("knows whether a match can only start at the beginning", () => {
    expect(
      ["^a", "(^a)b", "^a|^b", "(?:^a)+", "^a|b", "a", "(?:^a)*", "(?m)^a", "\\Aa"].map((pattern) => compile(pattern).anchored),
    ).toEqual([true, true, true, true, false, false, false, false, true]);
  });

  it("is never larger than the tree said", () => {
    for (const pattern of ["a", "(a|b)*c", "(?:a{2,5}|b+){3}", "((a*)+)?", "a|b|c|d", "^$\\b"])
      expect(compile(pattern).ops.length).toBeLessThanOrEqual(2 * parse(pattern).size + 1);
  });
});
