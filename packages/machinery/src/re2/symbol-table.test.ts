import { describe, expect, it } from "vitest";

import { parse } from "./parse.ts";
import { compileProgram } from "./program.ts";
import { SymbolTable, codePointAt } from "./symbol-table.ts";

const symbols = (pattern: string, chars: string): number => {
  const table = new SymbolTable(compileProgram(parse(pattern)));
  return new Set(Array.from(chars).map((char) => table.of(char.codePointAt(0) ?? 0))).size;
};

describe("SymbolTable", () => {
  it("separates only what the program distinguishes", () => {
    expect(symbols("[a-z][0-9]", "abz059 é日😀\n")).toBe(3);
    expect(symbols(".", "ab\né")).toBe(2);
    expect(symbols("", "ab\né")).toBe(1);
  });

  it("separates words and lines where an assertion needs it", () => {
    expect(symbols("\\b", "a_ é")).toBe(2);
    expect(symbols("(?m)^", "a\n ")).toBe(2);
    expect(symbols("^", "a\n ")).toBe(1);
  });

  it("knows the classes of each symbol", () => {
    const table = new SymbolTable(compileProgram(parse("[a-z]é")));
    expect([...table.membershipsOf(0xe9)].filter((member) => member === 1)).toHaveLength(1);
    expect(table.example(table.of(0x62) ?? -1)).toBe(0x61);
  });
});

describe("codePointAt", () => {
  it("counts a lone surrogate as U+FFFD", () => {
    expect([codePointAt("😀", 0), codePointAt("\ud83dx", 0), codePointAt("x\ude00", 1), codePointAt("é", 0)]).toEqual([
      0x1f600, 0xfffd, 0xfffd, 0xe9,
    ]);
  });
});
