import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { valueOf } from "../testing/evaluate-text.ts";
import { parseExpression } from "@drover/machinery/cel";

describe("parseExpression", () => {
  it.each([
    ["1 + 2 * 3 - 4", 3n],
    ["!!true || false && false", true],
    ["--1", 1n],
    ["true ? 1 : false ? 2 : 3", 1n],
    ["{'a': [1, 2,],}.a[1]", 2n],
    ["(1 + 2) * 3", 9n],
  ])("parses %s as %s", (text, value) => {
    expect(valueOf(text)).toBe(value);
  });

  it.each([
    ["1 +", "mismatched input '<EOF>' expecting {"],
    ["(1", "missing ')' at '<EOF>'"],
    ["1 2", "extraneous input '2' expecting <EOF>"],
    ["for", "reserved identifier: for"],
    ["a.true", "mismatched input 'true' expecting IDENTIFIER"],
  ])("refuses %s: %s", (text, message) => {
    const parsed = parseExpression(text);
    expect("issues" in parsed ? parsed.issues[0]?.message : "").toContain(message);
  });

  it("terminates on any input without throwing", () => {
    const piece = fc.constantFrom(
      "self",
      ".",
      "(",
      ")",
      "[",
      "]",
      "{",
      "}",
      "'a'",
      "1",
      "+",
      "&&",
      "?",
      ":",
      ",",
      "!",
      "-",
      "in",
      "all",
      "x",
      '"',
      "=",
      " ",
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        const parsed = parseExpression(pieces.join(" "));
        expect("expression" in parsed || parsed.issues.length > 0).toBe(true);
      }),
    );
    for (const deep of [
      "(".repeat(5000),
      `self${".a".repeat(5000)}`,
      `1${" + 1".repeat(5000)}`,
      `self${"[0]".repeat(5000)}`,
      "!".repeat(5000),
    ])
      expect(parseExpression(deep)).toHaveProperty("issues");
  });
});
