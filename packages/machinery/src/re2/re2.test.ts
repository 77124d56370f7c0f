import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { Re2SyntaxError } from "./re2-syntax-error.ts";
import { compileRe2 } from "./re2.ts";

const test = (pattern: string, text: string): boolean => compileRe2(pattern).test(text);
const find = (pattern: string, text: string): string | undefined => {
  const span = compileRe2(pattern).find(text);
  return span === undefined ? undefined : text.slice(span.start, span.end);
};

describe("Re2", () => {
  it("searches anywhere unless anchored, and $ is the end of the text alone", () => {
    expect([test("b", "abc"), test("^b", "abc"), test("c$", "abc"), test("c$", "abc\n"), test("(?m)c$", "abc\n"), test("", "")]).toEqual([
      true,
      false,
      true,
      false,
      true,
      true,
    ]);
  });

  it("finds the leftmost match, with Perl's preference", () => {
    expect(find("a|ab", "xab")).toBe("a");
    expect(find("ab|a", "xab")).toBe("ab");
    expect(find("a+?", "aaa")).toBe("a");
    expect(find("(?U)a+", "aaa")).toBe("a");
    expect(find("(|a)+", "aaa")).toBe("");
    expect(find("b*", "abb")).toBe("");
    expect(compileRe2("😀b").find("a😀b")).toEqual({ start: 1, end: 4 });
    expect(compileRe2("x").find("abc")).toBeUndefined();
  });

  it("counts characters, not code units, and a lone surrogate as U+FFFD", () => {
    expect([test("^.$", "😀"), test("^.$", "\ud83d"), test("^\ufffd$", "\ud83d"), test("^..$", "\udc00\ud83d")]).toEqual([
      true,
      true,
      true,
      true,
    ]);
    expect(test("^[^a]{3}$", "日😀x")).toBe(true);
  });

  it("folds case beyond ASCII", () => {
    expect([
      test("(?i)^K$", "\u212a"),
      test("(?i)^ς$", "Σ"),
      test("(?i)^[à-þ]$", "É"),
      test("(?i)^\\p{Lu}$", "a"),
      test("(?i)^ss$", "ß"),
    ]).toEqual([true, true, true, true, false]);
  });

  it("knows words, lines and classes", () => {
    expect([
      test("\\bfoo\\b", "a foo."),
      test("\\Boo", "foo"),
      test("(?m)^b$", "a\nb\nc"),
      test("^[[:alpha:]_]+$", "a_b"),
      test("^\\p{Greek}+$", "αβγ"),
      test("^\\P{Greek}$", "α"),
    ]).toEqual([true, true, true, true, true, false]);
  });

  it("gives the same results when reused", () => {
    const re2 = compileRe2("^[a-z0-9]([-a-z0-9]*[a-z0-9])?$");
    for (let round = 0; round < 3; round++)
      expect(["web-0", "-web", "web-", "Web", "", "é"].map((text) => re2.test(text))).toEqual([true, false, false, false, false, false]);
  });
});

describe("compileRe2 of invalid patterns", () => {
  it("throws Go's message", () => {
    const message = (pattern: string): string => {
      try {
        return `compiled ${compileRe2(pattern).pattern}`;
      } catch (error) {
        expect(error).toBeInstanceOf(Re2SyntaxError);
        return (error as Error).message;
      }
    };
    expect(["a[b", "(", "a)", "a**", "*", "a{1001}", "(?=a)", "\\1", "\\", "\\pX", "[z-a]", "(?P<a-b>c)", "\\C"].map(message)).toEqual([
      "error parsing regexp: missing closing ]: `[b`",
      "error parsing regexp: missing closing ): `(`",
      "error parsing regexp: unexpected ): `a)`",
      "error parsing regexp: invalid nested repetition operator: `**`",
      "error parsing regexp: missing argument to repetition operator: `*`",
      "error parsing regexp: invalid repeat count: `{1001}`",
      "error parsing regexp: invalid or unsupported Perl syntax: `(?=`",
      "error parsing regexp: invalid escape sequence: `\\1`",
      "error parsing regexp: trailing backslash at end of expression: ``",
      "error parsing regexp: invalid character class range: `\\pX`",
      "error parsing regexp: invalid character class range: `z-a`",
      "error parsing regexp: invalid named capture: `(?P<a-b>`",
      "error parsing regexp: invalid escape sequence: `\\C`",
    ]);
  });

  it("rejects patterns that are too deep or too large, without exhausting anything", () => {
    expect(() => compileRe2(`${"(".repeat(1000)}a${")".repeat(1000)}`)).toThrow("expression nests too deeply");
    expect(() => compileRe2("(".repeat(100_000))).toThrow("missing closing )");
    expect(() => compileRe2("a{1000}".repeat(51))).toThrow("expression too large");
    expect(() => compileRe2("a".repeat(1_000_000))).toThrow("expression too large");
    expect(() => compileRe2(`[${"[:".repeat(100_000)}]`)).toThrow("invalid character class range");
    expect(test(`${"(?:".repeat(10_000)}a${"b)".repeat(10_000)}`, `a${"b".repeat(10_000)}`)).toBe(true);
  });
});

describe("Re2 with hostile patterns and texts", () => {
  const long = "a".repeat(50_000);

  it("takes time proportional to the text", () => {
    for (const pattern of ["(a+)+$", "^(a*)*$", "^(a|a)*$", "(a|aa)+$", "(.*)(.*)(.*)(.*)x", "^(([a-z])+.)+[A-Z]([a-z])+$"])
      expect(test(pattern, `${long}!\n`)).toBe(false);
  });

  it("bounds memory with a new state for nearly every character", () => {
    let text = "";
    for (let index = 0, state = 1; index < (process.env["DROVER_LONG"] === "1" ? 3000 : 1000); index++) {
      state = (state * 1_103_515_245 + 12_345) & 0x7fffffff;
      text += (state >> 16) & 1 ? "a" : "b";
    }
    const re2 = compileRe2("[ab]*a[ab]{400}$");
    expect([re2.test(`${text}a${"b".repeat(400)}`), re2.test(`${text}b${"b".repeat(400)}`), re2.test(`${text}c`)]).toEqual([
      true,
      false,
      false,
    ]);
  });

  it("stays correct after dropping its states", () => {
    const re2 = compileRe2("[ab]*a[ab]{12}$");
    const reference = (text: string): boolean => text.at(-13) === "a";
    for (let number = 0; number < 4000; number++) {
      const text = (number * 7919).toString(2).padStart(20, "0").replaceAll("0", "b").replaceAll("1", "a");
      expect(re2.test(text)).toBe(reference(text));
    }
  });

  it("handles more kinds of characters than it caches", () => {
    const all = Array.from({ length: 2100 }, (_, index) => String.fromCodePoint(0x4e00 + index));
    const chars = all.join("");
    const re2 = compileRe2(`^(?:x|${chars})+$`);
    const readAll = compileRe2(all.map((char) => `[${char}x]`).join(""));
    expect([re2.test(`x${chars}x`), re2.test(`${chars}y`), readAll.test(`y${chars}`), readAll.test(`y${chars.slice(1)}`)]).toEqual([
      true,
      false,
      true,
      false,
    ]);
  });
});

describe("Re2 with a counted repetition", () => {
  it("reads a long text once, although each of a thousand counts is a state of its own", () => {
    const text = "x".repeat(64_000);
    const startedMs = performance.now();
    expect([compileRe2("x{0,1000}y").test(text), compileRe2("x{0,1000}y").test(`${text}y`)]).toEqual([false, true]);
    // 0.1 s; the machine without a cache needs several seconds.
    expect(performance.now() - startedMs).toBeLessThan(2000);
  });
});

describe("Re2 compared with RegExp", () => {
  const atom = fc.constantFrom("a", "b", "[ab]", "[^a]", "(?:ab)", "(?:a|b)", ".", "c");
  const pattern = fc
    .array(
      fc.tuple(atom, fc.constantFrom("", "*", "+", "?", "*?", "{2}", "{1,2}")).map((parts) => parts.join("")),
      { maxLength: 5 },
    )
    .map((parts) => parts.join(""));
  const text = fc.stringMatching(/^[abc]{0,10}$/);

  it("finds the same part in simple patterns", () => {
    fc.assert(
      fc.property(pattern, text, (source, subject) => {
        const match = new RegExp(source).exec(subject);
        expect(compileRe2(source).find(subject)).toEqual(
          match === null ? undefined : { start: match.index, end: match.index + match[0].length },
        );
      }),
      { numRuns: Math.ceil((fc.readConfigureGlobal().numRuns ?? 200) / 2) },
    );
  });
});
