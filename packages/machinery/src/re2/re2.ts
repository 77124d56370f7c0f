/**
 * Regular expressions with Go's RE2 syntax and linear time, whatever the pattern. CRD `pattern`s and CEL's `matches` use RE2; the
 * engine's RegExp has another syntax and can backtrack exponentially.
 *
 *     pattern → parse → compileProgram → LazyDfa (test), findFirst (find)
 */
import { LazyDfa } from "./lazy-dfa.ts";
import { parse } from "./parse.ts";
import { findFirst } from "./pike-machine.ts";
import type { Re2Span } from "./pike-machine.ts";
import { compileProgram } from "./program.ts";
import type { Program } from "./program.ts";
import { SymbolTable } from "./symbol-table.ts";

const loneSurrogate = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

interface Matcher {
  readonly symbols: SymbolTable;
  readonly dfa: LazyDfa;
}

/** A compiled pattern. It caches what it learns about texts, within bounds, so reuse it. */
export class Re2 {
  readonly pattern: string;
  readonly #program: Program;
  /** Takes most of the time and memory of a pattern, and most patterns of CRDs never see a text. */
  #matcher: Matcher | undefined;

  constructor(pattern: string) {
    this.pattern = pattern;
    this.#program = compileProgram(parse(pattern.replace(loneSurrogate, "\ufffd")));
  }

  /** Whether there is a match anywhere in the text; anchor with `^` and `$` to match all of it. */
  test(text: string): boolean {
    return this.#match().dfa.test(text);
  }

  /**
   * Returns the match that starts first, at index `from` or later, and, of those, the preferred one, as in Perl; undefined without
   * a match. Text before `from` still counts for `^` and `\b`.
   */
  find(text: string, from = 0): Re2Span | undefined {
    const { dfa, symbols } = this.#match();
    return dfa.test(text) ? findFirst(this.#program, symbols, text, from) : undefined;
  }

  #match(): Matcher {
    if (this.#matcher !== undefined) return this.#matcher;
    const symbols = new SymbolTable(this.#program);
    return (this.#matcher = { symbols, dfa: new LazyDfa(this.#program, symbols) });
  }
}

/** Compiles a pattern. Throws a Re2SyntaxError with Go's message. */
export function compileRe2(pattern: string): Re2 {
  return new Re2(pattern);
}
