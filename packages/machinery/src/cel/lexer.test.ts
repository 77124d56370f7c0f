import { describe, expect, it } from "vitest";
import { tokenize } from "./lexer.ts";

describe("tokenize", () => {
  it("recognizes numbers, strings, names and symbols, and skips spaces and comments", () => {
    const kinds = tokenize("a >= 0x1Fu + 1.5e3 // c\n && b'x' != r'\\d' in", []).map(({ kind, text }) => `${kind} ${text}`);
    expect(kinds).toEqual([
      "identifier a",
      "symbol >=",
      "uint 0x1Fu",
      "symbol +",
      "float 1.5e3",
      "symbol &&",
      "bytes b'x'",
      "symbol !=",
      "string r'\\d'",
      "symbol in",
      "end <EOF>",
    ]);
  });

  // Found by repeating tokens up to 64 KB: 64 KB of backslashes gave as many issues. The limit and its words are cel-go's.
  it("stops after a hundred invalid characters", () => {
    const issues: { position: number; message: string }[] = [];
    expect(tokenize("\\".repeat(64 * 1024), issues).map(({ kind }) => kind)).toEqual(["end"]);
    expect(issues.length).toBe(101);
    expect(issues.at(-1)).toEqual({ position: 100, message: "Syntax error: More than 100 syntax errors" });
  });

  it("reports invalid characters and continues", () => {
    const issues: { position: number; message: string }[] = [];
    expect(tokenize("a = b $", issues).map(({ text }) => text)).toEqual(["a", "b", "<EOF>"]);
    expect(issues).toEqual([
      { position: 2, message: "Syntax error: token recognition error at: '= '" },
      { position: 6, message: "Syntax error: token recognition error at: '$'" },
    ]);
  });
});
