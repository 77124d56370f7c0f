import { runInThisContext } from "node:vm";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fillLines, lineWidth, printJson, printLiteral } from "./print-literal.ts";
import type { Printable } from "./print-literal.ts";

const evaluate = (text: string): unknown => runInThisContext(`(${text})`);

describe("printLiteral", () => {
  it("keeps on one line what fits", () => {
    expect(printLiteral({ type: "string", "x-y": [1, true, null], none: undefined, empty: {} }, 0, 0)).toBe(
      '{ type: "string", "x-y": [1, true, null], empty: {} }',
    );
  });

  it("puts each entry on a line where it does not fit, and fills lines with scalars", () => {
    const words = Array.from({ length: 40 }, (_, index) => `word-${index}`);
    const text = printLiteral({ words, rest: { a: 1 } }, 0, 0);
    expect(
      text
        .split("\n")
        .slice(0, 3)
        .map((line) => line.slice(0, 14)),
    ).toEqual(["{", "  words: [", '    "word-0", ']);
    expect(text.split("\n").every((line) => line.length <= lineWidth)).toBe(true);
    expect(text.endsWith("  ],\n  rest: { a: 1 },\n}")).toBe(true);
  });

  it("prints code that evaluates to the value, whatever it holds", () => {
    const value = fc
      .jsonValue({ maxDepth: 4 })
      .chain((json) => fc.tuple(fc.constant(json), fc.constantFrom("__proto__", 'a"]: evil(), b', "\u2028", "`${x}`", "*/", "constructor")))
      .map(([json, key]) => JSON.parse(`{${JSON.stringify(key)}: ${JSON.stringify(json)}}`) as Printable);
    fc.assert(
      fc.property(value, fc.nat(70), (json, indent) => {
        expect(JSON.stringify(evaluate(printLiteral(json, indent, 0)))).toBe(JSON.stringify(json));
      }),
    );
  });

  it("rejects a number that it cannot print exactly", () => {
    expect(() => printLiteral(2n ** 60n, 0, 0)).toThrow("too large");
  });
});

describe("printJson", () => {
  it("prints a document that parses to the same", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (json) => {
        expect(JSON.stringify(JSON.parse(printJson(json as Printable)))).toBe(JSON.stringify(json));
      }),
    );
  });
});

describe("fillLines", () => {
  it("puts a word that fits nowhere on its own line", () => {
    expect(fillLines(["a", "b", "x".repeat(200), "c"], ", ", "  ")).toEqual(["  a, b", `  ${"x".repeat(200)}`, "  c"]);
  });
});
