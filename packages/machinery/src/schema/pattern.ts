/** The keyword `pattern`: RE2 syntax, unanchored. A pattern that does not compile rejects every text and says why. */
import { compileRe2 } from "../re2/re2.ts";
import { Re2SyntaxError } from "../re2/re2-syntax-error.ts";

/** A compiled pattern, or one that does not compile. */
export interface Pattern {
  /** As written in the schema. */
  readonly source: string;
  /** Why it does not compile, in the server's words. */
  readonly error?: string;
  readonly test: (text: string) => boolean;
}

/** Compiles a pattern; an invalid one is a `Pattern` with an `error`. */
export function compilePattern(source: string): Pattern {
  try {
    const compiled = compileRe2(source);
    return { source, test: (text) => compiled.test(text) };
  } catch (error) {
    if (!(error instanceof Re2SyntaxError)) throw error;
    return { source, error: error.message, test: () => false };
  }
}
