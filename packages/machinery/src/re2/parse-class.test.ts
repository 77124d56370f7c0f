import { describe, expect, it } from "vitest";

import { Cursor } from "./cursor.ts";
import { parseBracketClass, parseEscape, parseNamedClass } from "./parse-class.ts";

const chars = "abcABC019-]^[\\:é\n";
const members = (pattern: string): string => {
  const cursor = new Cursor(pattern);
  const charClass = parseBracketClass(cursor, "exact");
  expect(cursor.done).toBe(true);
  return Array.from(chars)
    .filter((char) => charClass.has(char.codePointAt(0) ?? 0))
    .join("");
};

describe("parseBracketClass", () => {
  it("accepts ranges, escapes and groups", () => {
    expect([members("[a-c]"), members("[\\d\\]]"), members("[[:upper:]]"), members("[^[:^upper:]]"), members("[\\pL]")]).toEqual([
      "abc",
      "019]",
      "ABC",
      "ABC",
      "abcABCé",
    ]);
  });

  it("treats ] at the start and - at the ends literally", () => {
    expect([members("[]a]"), members("[^]a-zA-Z]"), members("[-a]"), members("[a-]"), members("[[:a]")]).toEqual([
      "a]",
      "019-^[\\:é\n",
      "a-",
      "a-",
      "a[:",
    ]);
  });

  it("names problem and position", () => {
    expect(() => members("[a")).toThrow("missing closing ]: `[a`");
    expect(() => members("[c-a]")).toThrow("invalid character class range: `c-a`");
    expect(() => members("[[:foo:]]")).toThrow("invalid character class range: `[:foo:]`");
  });
});

describe("parseEscape", () => {
  const escape = (pattern: string): number => parseEscape(new Cursor(pattern));

  it("returns one character", () => {
    expect(["\\n", "\\x41", "\\x{1F600}", "\\101", "\\0", "\\.", "\\_"].map(escape)).toEqual([0x0a, 0x41, 0x1f600, 0x41, 0, 0x2e, 0x5f]);
  });

  it("rejects unknown escapes", () => {
    for (const bad of ["\\1", "\\q", "\\é", "\\x", "\\x4", "\\xg1", "\\x{}", "\\x{110000"])
      expect(() => escape(bad)).toThrow(`invalid escape sequence: \`${bad}\``);
  });
});

describe("parseNamedClass", () => {
  it("is distinguished from other escapes", () => {
    expect(parseNamedClass(new Cursor("\\d"), "exact")?.has(0x30)).toBe(true);
    expect(parseNamedClass(new Cursor("\\P{^L}"), "exact")?.has(0x61)).toBe(true);
    expect(parseNamedClass(new Cursor("\\n"), "exact")).toBeUndefined();
    expect(() => parseNamedClass(new Cursor("\\p{Foo}x"), "exact")).toThrow("`\\p{Foo}`");
  });
});
