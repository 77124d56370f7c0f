import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { Re2SyntaxError, compileRe2 } from "@drover/machinery";

import { askOracle, oracleMissing, recordedAnswers } from "./oracle.ts";
import type { Answer } from "./oracle.ts";

interface Question {
  readonly pattern: string;
  readonly texts: readonly string[];
}

const texts = ["", "a", "ab", "aab", "b", "abc", "ABC", "aBc\n", "\n", "a\nb", "abcabc", "foo bar", "foo_bar-9", "0123", "x.y", "é", "É", "ſ", "K", "k", "日本", "😀", "a😀b", "αβΓ", "ß", "ẞ", "\t ", "-", "]", "^", "\\", "{", "a{2}", "aaaa", "\u0000", "\ufffd", "\ud83d", "_", "`~", "A1", "\u00411"];

const valid = ["", "a", "abc", "a|b", "a|", "|a", "||", "a*", "a+", "a?", "a*?", "a+?", "a??", "ab*", "(a|b)*", "(a*)*", "(a*)+", "(a|b*)*?", "(?:a*?)*", "(|a)*", "(|a)+", "(|a)+?", "(a|)+", "(a|)*?c", "(?:)", "()", "(()|.)b", "a{2}", "a{0}", "a{2,}", "a{1,3}",
  "a{1,3}?", "a{,2}", "a{2", "a{a}", "a{}", "{", "}", "a{01}", "(a{2}){3}", "(?:a{2,3}){2}", "a{0,}", "a{1,}", "(ab){0,1}", "^", "$", "^$", "^a", "a$", "^*", "$+", "(^a)|b", "^a|b", "^(a|b)+$", "(?m)^", "(?m)$", "(?m)^b$", "(?m)a$", "(?s).", ".", "(?s).+", ".+",
  "(?i)abc", "(?i)k", "(?i)K", "(?i)s", "(?i)ſ", "(?i)ß", "(?i)É", "(?i)[a-c]", "(?i)[^a-c]", "(?i)[k]", "(?i)[^k]", "(?i)[α-γ]", "(?i)\\w", "(?i)\\W", "(?i)[\\W]", "(?i)[^\\w]", "(?i)[[:upper:]]", "(?i)[[:^upper:]]", "(?i)\\p{Lu}", "(?i)\\P{Lu}", "(?i)[^\\p{Lu}]",
  "(?i)\\p{Greek}", "(?i)\\p{ASCII}", "(?i)\\P{ASCII}", "(?i:a)b", "(?i)a(?-i)b", "(?i)a(?-i:b)c", "(?U)a+", "(?U)a+?", "(?U:a*)b", "(?-s).", "(?i-s).", "(?im-sU)a", "(?P<n>a)", "(?P<a_1>a)", "(?<n>a)", "(?<0>a)", "(?P<n>a)(?P<n>b)", "\\d", "\\D", "\\s", "\\S", "\\w", "\\W", "\\b", "\\B",
  "\\ba", "a\\b", "\\Bb", "\\bfoo\\b", "\\b\\B", "\\A", "\\z", "\\Aa\\z", "(?m)\\Aa", "(?m)a\\z", "\\pL", "\\PL", "\\pN", "\\p{L}", "\\p{Lu}", "\\p{^Lu}", "\\P{^Lu}", "\\p{Greek}", "\\p{greek}", "\\p{Han}", "\\p{Any}", "\\p{Assigned}", "\\p{Letter}", "\\p{upper case_letter}", "\\p{LC}", "\\p{Cn}", "\\p{digit}",
  "\\p{Cs}", "\\P{Cs}", "[\\pL\\d]", "[^\\pL]", "[^\\P{Lu}]", "[a]", "[ab]", "[a-c]", "[^a-c]", "[]a]", "[^]a]", "[-a]", "[a-]", "[a-c-e]", "[^^]", "[\\]]", "[\\^a]", "[\\w-]", "[\\d-z]", "[[:alpha:]]", "[[:^alpha:]]", "[^[:alpha:]]", "[[:word:]-]", "[[:punct:]]", "[[:space:]]", "[[:cntrl:]]", "[[:blank:]]",
  "[[:graph:]]", "[[:print:]]", "[[:xdigit:]]", "[[:ascii:]]", "[[:a]", "[:alpha:]", "[[:alpha]", "[\\x00-\\x{10FFFF}]", "[^\\x00-\\x{10FFFF}]", "(?i)[^\\x00-\\x{10FFFF}]", "[\\n]", "[\\a\\f\\t\\n\\r\\v]", "\\n", "\\t", "\\x41", "\\x{41}", "\\x{1F600}", "\\x{d800}", "\\101", "\\07", "\\0", "\\12", "\\1011", "\\0101", "\\123", "\\.", "\\*", "\\_", "\\-", "\\/", "\\ ",
  "\\Qa.b\\E", "\\Qa{2}", "\\Q\\E", "\\Qab\\E+", "\\Q\\", "a\\Q\\Ec", "é+", "[é日]", "日|😀", "😀+", ".😀.", "[😀-😎]", "(a)(b)(c)", "((((a))))", "(a|ab)(c|bcd)", "(a+)(b+)?", "a(?i)*", "a*(?i)*", "(?i)(?m)", "x*", "(?:x*)*", "(?:a|b|c|d)+?$", "^[a-z0-9]([-a-z0-9]*[a-z0-9])?$", "^(\\d+|[a-z]+)$", "[^\\n]", "(?s)[^a]", "a**?".slice(0, 2),
  "(?:a|ab)(?:c|b)", "(ab|a)(bc|c)?", "(a*)(a|aa)", "(a??)(ab)?", "a.c", "(?i)a.c\\n", "^^", "$$", "(?m)^$", "(?m)^^b$$", "\\b\\b", "(\\b)*", "(\\B)+?a", "(^)*a", "($)*", "(?:^a|b$)*", "(?:\\b|a)+"];

const invalid = ["(", ")", "(a", "a)", "(a))", "((a)", "[", "[a", "[]", "[^", "[^]", "[a-", "[b-a]", "[a-\\d]", "[\\d-a", "[[:foo:]]", "[[:^foo:]]", "[[:alpha:]", "[[:Alpha:]]", "*", "+", "?", "{2}", "a**", "a*+", "a+*", "a??*", "a*?*", "a*{2}", "a{2}{3}", "a{2}*", "(*)", "(|*)", "a|*", "|*", "(?i)*", "^**",
  "a{1001}", "a{2,1}", "a{1001,}", "a{0,1001}", "a{99999999999}", "a{1,99999999999}", "(a{100}){11}", "((a{10}){10}){11}", "(a{100}){11}?", "(?:a{2,}){501}", "(?:a{501}){2,}", "\\", "a\\", "[\\", "\\1", "\\8", "\\9", "\\c", "\\C", "\\E", "\\G", "\\Z", "\\K", "\\R", "\\X", "\\e", "\\g", "\\h", "\\i", "\\u0041", "\\é", "\\日", "\\x", "\\xa", "\\xg", "\\xag",
  "\\x{", "\\x{}", "\\x{g}", "\\x{110000}", "\\x{41", "\\p", "\\pX", "\\pé", "\\p{", "\\p{}", "\\p{Foo}", "\\p{^Foo}", "\\P{Grek}", "\\p{Old_Italic}", "\\p{lu", "[\\pX]", "[\\p{Foo}]", "(?", "(?i", "(?z)", "(?i-", "(?i-)", "(?-)", "(?--i)", "(?i--m)", "(?:", "(?:a", "(?i:a", "(?=a)", "(?!a)", "(?<=a)", "(?<!a)", "(?>a)", "(?#a)",
  "(?P", "(?P<", "(?P<>a)", "(?P<n", "(?P<n>", "(?P<n>a", "(?P<n-m>a)", "(?P<é>a)", "(?P=n)", "(?P>n)", "(?<", "(?<>", "(?<n", "(?<n>", "(?'n'a)", "(?é)", "a(?ié)b", "(?i)(", "x{2,3}{4}é", "[z-a]é", "[é-a]", "\\Q(\\E(", "\ud800(", "(\ud800"];

/** Letters that got their case, or a relative, after Unicode 15.0, which is what Go knows; the host of these tests may know a later one. */
const sinceUnicode15 = /[\u019b\u0264\u0390\u03b0\u1c89\u1c8a\u1fd3\u1fe3\ua7cb-\ua7dc\ufb05\ufb06\u{10d50}-\u{10d85}\u{16ea0}-\u{16ed3}]/u;

const wellFormed = (text: string): string => Buffer.from(text).toString();
/** Where the so-many-th byte of a text stands in the string. */
const indexOfByte = (text: string, byte: number): number => Buffer.from(text).subarray(0, byte).toString().length;

function ours({ pattern, texts: all }: Question): Answer {
  try {
    const re2 = compileRe2(pattern);
    return {
      output: all.map((text) => {
        const span = re2.find(text);
        expect({ pattern, text, test: re2.test(text) }).toEqual({ pattern, text, test: span !== undefined });
        return span === undefined ? null : [span.start, span.end];
      }),
    };
  } catch (error) {
    if (error instanceof Re2SyntaxError) return { error: error.message };
    throw error;
  }
}

function inIndexes({ texts: all }: Question, { output, error }: Answer): Answer {
  if (error !== undefined) return { error };
  const spans = output as readonly ([number, number] | null)[];
  return { output: spans.map((span, index) => span?.map((byte) => indexOfByte(wellFormed(all[index] ?? ""), byte)) ?? null) };
}

function check(questions: readonly Question[], answers: readonly Answer[]): void {
  for (const [index, question] of questions.entries()) {
    expect({ ...question, ...ours(question) }).toEqual({ ...question, ...inIndexes(question, answers[index] ?? {}) });
  }
}

const letter = fc.constantFrom("a", "b", "c", "A", "k", "s", "é", "K", "ſ", "\n", " ", "0", "_", "😀", "-", "日");
const classPart = fc.oneof(letter, fc.constantFrom("a-c", "b-k", "0-9", "\\d", "\\W", "\\s", "[:alpha:]", "[:^punct:]", "\\pL", "\\P{Lu}", "é-日", "^", "]", "-", "\\]", "\\n"));
const charClass = fc.tuple(fc.constantFrom("[", "[^"), fc.array(classPart, { minLength: 1, maxLength: 3 })).map(([open, parts]) => `${open}${parts.join("")}]`);
const repeat = fc.constantFrom("", "", "", "*", "+", "?", "*?", "+?", "??", "{2}", "{0,2}", "{1,}?", "{0}");
const { pattern: grammar } = fc.letrec<{ pattern: string; piece: string; atom: string }>((tie) => ({
  pattern: fc.array(tie("piece"), { minLength: 0, maxLength: 4 }).chain((pieces) => fc.array(fc.constantFrom("", "", "|"), { minLength: pieces.length, maxLength: pieces.length }).map((bars) => pieces.map((piece, index) => piece + (bars[index] ?? "")).join(""))),
  piece: fc.tuple(tie("atom"), repeat).map(([atom, times]) => atom + times),
  atom: fc.oneof(
    { maxDepth: 4, depthIdentifier: "re2" },
    letter,
    fc.constantFrom(".", "^", "$", "\\b", "\\B", "\\A", "\\z", "\\w", "\\D", "(?i)", "(?s)", "(?m)", "(?U)", "(?-i)", "\\pL", "\\Q*\\E", "\\x{e9}"),
    charClass,
    fc.tuple(fc.constantFrom("(", "(?:", "(?i:", "(?P<n>", "(?m-s:"), tie("pattern")).map(([open, inner]) => `${open}${inner})`),
  ),
}));
const soup = fc.array(fc.constantFrom("a", "b", "(", ")", "[", "]", "|", "*", "+", "?", "{", "}", "2", ",", "-", "^", "$", ".", "\\", "p", "x", "Q", "E", "d", "b", "(?", "i", ":", "P<", "<", ">", "[:", ":]", "é", "1001", "=", "L"), { maxLength: 9 }).map((parts) => parts.join(""));
const text = fc.array(fc.oneof(letter, fc.constantFrom("a", "b", "c")), { maxLength: 8 }).map((parts) => parts.join(""));
const question: fc.Arbitrary<Question> = fc.record({ pattern: fc.oneof({ weight: 3, arbitrary: grammar }, { weight: 1, arbitrary: soup }), texts: fc.array(text, { minLength: 4, maxLength: 4 }) });

describe("regular expressions, compared with Go's own", () => {
  it("matches a table of hard patterns at the same places, and refuses with the same words", () => {
    const deep = [999, 1000].map((depth) => `${"(".repeat(depth)}a${")".repeat(depth)}`);
    const table = [...valid.map((pattern) => ({ pattern, texts })), ...[...invalid, ...deep].map((pattern) => ({ pattern, texts: [] }))];
    check(table, recordedAnswers("re2", table));
  });

  it("agrees on random patterns and texts", (context) => {
    context.skip(oracleMissing !== undefined, oracleMissing);
    const { numRuns = 200, seed = 20 } = fc.readConfigureGlobal();
    const questions = fc.sample(question, { numRuns: Math.min(numRuns * 20, 200_000), seed });
    check(questions, askOracle("re2", questions));
  });

  it("folds the case of every character that Go knows to have one", (context) => {
    context.skip(oracleMissing !== undefined, oracleMissing);
    const cased: string[] = [];
    for (let code = 0; code < 0x1f000; code++) {
      const char = String.fromCodePoint(code);
      if (/[\p{Changes_When_Casefolded}\p{Changes_When_Casemapped}]/u.test(char)) cased.push(char);
    }
    const relatives = (char: string): string[] => [...new Set([char.toLowerCase(), char.toUpperCase(), char.normalize("NFKC"), "k", "s", "å", "θ", "ω", "ß", "ι", "µ"])];
    const questions = cased.map((char) => ({ pattern: `(?i)^[${char}]$|^x${char}$`, texts: relatives(char).flatMap((other) => [other, `x${other}`]) }));
    const known = questions.filter((_, index) => !sinceUnicode15.test(cased[index] ?? ""));
    check(known, askOracle("re2", known));
  });
});
