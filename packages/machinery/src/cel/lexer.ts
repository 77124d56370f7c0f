/** Splits an expression into tokens. Invalid characters are reported and skipped, as in cel-go, so that parsing continues. */
import type { CelIssue } from "./issue.ts";

export type TokenKind = "symbol" | "identifier" | "int" | "uint" | "float" | "string" | "bytes" | "end";

/** A token and its position. Keywords (`in`, `true`, `false`, `null`) are symbols. */
export interface Token {
  readonly kind: TokenKind;
  readonly text: string;
  readonly position: number;
}

const escape = "\\\\(?:[abfnrtv\"'\\\\?`]|[0-3][0-7][0-7]|[xX][0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8})";
const quoted = [
  `"""(?:${escape}|[^\\\\])*?"""`,
  `'''(?:${escape}|[^\\\\])*?'''`,
  `"(?:${escape}|[^\\\\"\\n\\r])*"`,
  `'(?:${escape}|[^\\\\'\\n\\r])*'`,
  `[rR]"""[^]*?"""`,
  `[rR]'''[^]*?'''`,
  `[rR]"[^"\\n\\r]*"`,
  `[rR]'[^'\\n\\r]*'`,
].join("|");

const patterns: readonly (readonly [kind: TokenKind, pattern: string])[] = [
  ["bytes", `[bB](?:${quoted})`],
  ["string", quoted],
  ["float", "\\d+\\.\\d+(?:[eE][+-]?\\d+)?|\\d+[eE][+-]?\\d+|\\.\\d+(?:[eE][+-]?\\d+)?"],
  ["uint", "(?:0x[0-9a-fA-F]+|\\d+)[uU]"],
  ["int", "0x[0-9a-fA-F]+|\\d+"],
  ["identifier", "[A-Za-z_][A-Za-z0-9_]*|`[A-Za-z0-9_./ -]+`"],
  ["symbol", "==|!=|<=|>=|&&|\\|\\||[-<>\\[\\]{}().,!?:+*/%]"],
];

/** cel-go gives up there. */
export const issuesMax = 100;
const keywords: ReadonlySet<string> = new Set(["in", "true", "false", "null"]);
/** Incomplete operators and unterminated strings, which cel-go's message quotes as far as it read. */
const unfinished = `[&|=][^]?|"(?:${escape}|[^\\\\"\\n\\r])*(?:\\\\[^]?|[\\n\\r])?|'(?:${escape}|[^\\\\'\\n\\r])*(?:\\\\[^]?|[\\n\\r])?`;

/** Returns the tokens of a text; the last has the kind "end". Stops after a hundred issues, and reports that as one more. */
export function tokenize(text: string, issues: CelIssue[]): Token[] {
  const matchers = patterns.map(([kind, pattern]) => [kind, new RegExp(pattern, "y")] as const);
  const blank = /(?:[\t\r\n\f ]+|\/\/[^\n]*)+/y;
  const tokens: Token[] = [];
  for (let at = 0; at < text.length;) {
    const skipped = matchAt(blank, text, at);
    at += skipped.length;
    if (at === text.length) break;
    const found = firstMatch(matchers, text, at);
    if (found !== undefined) tokens.push(found);
    else if (issues.length >= issuesMax) {
      issues.push({ position: at, message: `Syntax error: More than ${issuesMax} syntax errors` });
      break;
    }
    const length = found?.text.length ?? reportUnknown(text, at, issues);
    at += length;
  }
  tokens.push({ kind: "end", text: "<EOF>", position: text.length });
  return tokens;
}

function firstMatch(matchers: readonly (readonly [TokenKind, RegExp])[], text: string, position: number): Token | undefined {
  for (const [kind, matcher] of matchers) {
    const found = matchAt(matcher, text, position);
    if (found !== "") return { kind: keywords.has(found) ? "symbol" : kind, text: found, position };
  }
  return undefined;
}

function matchAt(matcher: RegExp, text: string, position: number): string {
  matcher.lastIndex = position;
  return matcher.exec(text)?.[0] ?? "";
}

function reportUnknown(text: string, position: number, issues: CelIssue[]): number {
  const found = matchAt(new RegExp(unfinished, "y"), text, position) || String.fromCodePoint(text.codePointAt(position) ?? 0);
  issues.push({ position, message: `Syntax error: token recognition error at: '${found}'` });
  return found.length;
}
