import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { LazyDfa } from "./lazy-dfa.ts";
import { parse } from "./parse.ts";
import { findFirst } from "./pike-machine.ts";
import { compileProgram } from "./program.ts";
import { SymbolTable } from "./symbol-table.ts";

const piece = fc.constantFrom(
  "a",
  "b",
  "é",
  "[^a]",
  ".",
  "^",
  "$",
  "\\b",
  "\\B",
  "(?m)",
  "(a|b)*",
  "(?:ab?)+",
  "a{2,3}",
  "|",
  "\\w*",
  "(?:^a|b$)?",
);
const pattern = fc.array(piece, { maxLength: 5 }).map((parts) => parts.join(""));
const text = fc.array(fc.constantFrom("a", "b", "é", "\n", " ", "😀"), { maxLength: 8 }).map((parts) => parts.join(""));

describe("LazyDfa", () => {
  it("matches exactly where findFirst finds something", () => {
    fc.assert(
      fc.property(pattern, fc.array(text, { minLength: 3, maxLength: 3 }), (source, texts) => {
        const program = compileProgram(parse(source));
        const symbols = new SymbolTable(program);
        const dfa = new LazyDfa(program, symbols);
        for (const subject of texts)
          expect([source, subject, dfa.test(subject)]).toEqual([source, subject, findFirst(program, symbols, subject) !== undefined]);
      }),
      { numRuns: Math.ceil((fc.readConfigureGlobal().numRuns ?? 200) / 4) },
    );
  });

  it("stops once the result is certain", () => {
    const program = compileProgram(parse("^ab"));
    const dfa = new LazyDfa(program, new SymbolTable(program));
    const [never, early] = ["b", "ab"].map((start) => start.padEnd(10_000_000, "x"));
    for (let round = 0; round < 1000; round++) expect([dfa.test(never ?? ""), dfa.test(early ?? "")]).toEqual([false, true]);
  });
});
