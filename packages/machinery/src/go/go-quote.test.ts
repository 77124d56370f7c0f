import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isPrintable, quoteGo } from "./go-quote.ts";

// Reads a quoted text back, in the few forms that quoteGo writes.
const unquote = (quoted: string): string =>
  quoted
    .slice(1, -1)
    .replaceAll(
      /\\(?:U([0-9a-f]{8})|u([0-9a-f]{4})|x([0-9a-f]{2})|(.))/g,
      (_, long?: string, short?: string, byte?: string, letter?: string) => {
        const code = long ?? short ?? byte;
        return code === undefined
          ? ({ a: "\x07", b: "\b", f: "\f", n: "\n", r: "\r", t: "\t", v: "\v" }[letter ?? ""] ?? letter ?? "")
          : String.fromCodePoint(Number.parseInt(code, 16));
      },
    );

describe("quoteGo", () => {
  it("keeps printable characters and escapes the rest", () => {
    expect(quoteGo("web-0")).toBe('"web-0"');
    expect(quoteGo('a"b\\c')).toBe('"a\\"b\\\\c"');
    expect(quoteGo("\x00\x07\b\t\n\v\f\r\x1f\x7f")).toBe('"\\x00\\a\\b\\t\\n\\v\\f\\r\\x1f\\x7f"');
    expect(quoteGo("é日😀\u00a0\u200b\u{e0001}")).toBe('"é日😀\\u00a0\\u200b\\U000e0001"');
    expect(quoteGo("\ud800")).toBe('"\ufffd"');
  });

  it("is reversible", () => {
    fc.assert(fc.property(fc.string({ unit: "binary" }), (text) => unquote(quoteGo(text)) === text));
  });

  it("counts only the plain space among blanks as printable", () => {
    expect([" ", "a", "é", "\u0301", "\t", "\u00a0", "\u2028", "\u200b"].map(isPrintable)).toEqual([
      true,
      true,
      true,
      true,
      false,
      false,
      false,
      false,
    ]);
  });
});
