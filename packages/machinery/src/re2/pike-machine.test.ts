import { describe, expect, it } from "vitest";

import { parse } from "./parse.ts";
import { findFirst } from "./pike-machine.ts";
import { compileProgram } from "./program.ts";
import { SymbolTable } from "./symbol-table.ts";

const find = (pattern: string, text: string): readonly number[] | undefined => {
  const program = compileProgram(parse(pattern));
  const span = findFirst(program, new SymbolTable(program), text);
  return span === undefined ? undefined : [span.start, span.end];
};

describe("findFirst", () => {
  it("returns the leftmost match", () => {
    expect([find("b|ab", "xab"), find("c|a", "xabc"), find("z", "abc"), find("$", "abc")]).toEqual([[1, 3], [1, 2], undefined, [3, 3]]);
  });

  it("returns, of those, the one the pattern prefers", () => {
    expect([
      find("a*", "aab"),
      find("a*?", "aab"),
      find("a*?b", "aab"),
      find("(?:a|ab)(?:c|bcd)", "abcd"),
      find("(?:|a)+", "aa"),
      find("(?:a|)+", "aa"),
    ]).toEqual([
      [0, 2],
      [0, 0],
      [0, 3],
      [0, 4],
      [0, 0],
      [0, 2],
    ]);
  });

  it("counts in string units", () => {
    expect([find(".b", "😀😀b"), find("\\bé|b\\b", "é b")]).toEqual([
      [2, 5],
      [2, 3],
    ]);
  });
});
