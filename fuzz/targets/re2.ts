/** RE2: linear time, `find` agrees with `test`, and both agree with RegExp where the two languages mean the same. */
import { Re2SyntaxError, compileRe2 } from "@drover/machinery";
import type { Re2 } from "@drover/machinery";
import { attempt, holds } from "../expect.ts";
import { textParts } from "../parts.ts";
import type { FuzzTarget } from "../target.ts";

const longPattern = 2000;

export const re2Target: FuzzTarget = {
  name: "re2",
  perSecond: 500,
  limitMs: 500,
  tokens: [
    [
      "(?i)",
      "(?s)",
      "(?m)",
      "(?U)",
      "(?i:",
      "(?P<n>",
      "(?:",
      "(a|b)",
      "[a-z]",
      "[^0-9]",
      "[[:alpha:]]",
      "[[:^digit:]]",
      "\\d",
      "\\W",
      "\\b",
      "\\B",
    ],
    [
      "\\pL",
      "\\p{Greek}",
      "\\PN",
      "\\Q",
      "\\E",
      "\\A",
      "\\z",
      "\\x{10FFFF}",
      "\\x41",
      "\\101",
      "{2,5}",
      "{1000}",
      "{0}",
      "{3,}",
      "*?",
      "+?",
      "??",
    ],
    ["(a*)*", "(|a)+", "^", "$", ".*", "x*", "(a+)+$", "|", "\\C", "k", "s", "\u017f", "\u212a"],
  ].flat(),
  run(input) {
    const [pattern = "", text = ""] = textParts(input, 2);
    const compiled = attempt(() => compileRe2(pattern), Re2SyntaxError);
    if ("error" in compiled) return;
    const re2 = compiled.value;
    const found = spanIn(re2, text);
    // Every check below compiles again; the time of one compilation is what counts.
    if (pattern.length > longPattern) return;
    const wrapped = attempt(() => compileRe2(`(?:${pattern})`), Re2SyntaxError);
    // An open \Q takes the parenthesis; a group may nest too deeply.
    if ("value" in wrapped && !pattern.includes("\\Q"))
      holds(spanIn(wrapped.value, text) === found, "a group finds what its content finds");
    compareWithRegExp(pattern, text, found);
  },
};

function spanIn(re2: Re2, text: string): string {
  const found = re2.find(text);
  holds(re2.test(text) === (found !== undefined), "find and test agree");
  if (found === undefined) return "none";
  const { start, end } = found;
  holds(start >= 0 && start <= end && end <= text.length, "a match is within the text", () => `${start}-${end}`);
  return `${start}-${end}`;
}

const isCommon = (pattern: string): boolean =>
  /^(?:[\w ,:;/@#<>=!&%~^$.*+?|(){}-]|\\[dDwWbB.*+?|(){}[\]^$\\/]|\[\^?(?:\w(?:-\w)?|[ .,:;@#*+?$/])+\])*$/.test(pattern) &&
  !/\(\?(?!:)/.test(pattern);

/**
 * RegExp backtracks, so only small inputs with few repetitions are compared. Quantified groups are compared by whether they match:
 * the languages differ in how often an empty repetition is taken.
 */
function compareWithRegExp(pattern: string, text: string, found: string): void {
  const quantifiers = pattern.match(/[*+?{]/g)?.length ?? 0;
  if (pattern.length > 40 || text.length > 10 || quantifiers > 6 || /\d\d/.test(pattern) || !isCommon(pattern) || !/^[ -~\n]*$/.test(text))
    return;
  const compiled = attempt(() => new RegExp(pattern, "u"), SyntaxError);
  if ("error" in compiled) return;
  const match = compiled.value.exec(text);
  const expected = match === null ? "none" : `${match.index}-${match.index + match[0].length}`;
  const isSame = /\)[*+?{]/.test(pattern) ? (found === "none") === (expected === "none") : found === expected;
  holds(isSame, "agrees with RegExp", () => `/${pattern}/ finds ${found} in ${JSON.stringify(text)}, RegExp ${expected}`);
}
