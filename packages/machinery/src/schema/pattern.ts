/** The keyword `pattern`: RE2 syntax, unanchored. A pattern that does not compile rejects every text and says why. */
import { compileRe2 } from "../re2/re2.ts";
import type { Re2 } from "../re2/re2.ts";
import { Re2SyntaxError } from "../re2/re2-syntax-error.ts";

/** A pattern of a schema. It is compiled when it is first asked: most patterns of CRDs never see a text. */
export interface Pattern {
  /** As written in the schema. */
  readonly source: string;
  /** Why it does not compile, in the server's words. */
  readonly error: string | undefined;
  readonly test: (text: string) => boolean;
}

export function compilePattern(source: string): Pattern {
  let compiled: Re2 | Re2SyntaxError | undefined;
  const compile = (): Re2 | Re2SyntaxError => (compiled ??= compileOrError(source));
  return {
    source,
    get error() {
      const result = compile();
      return result instanceof Re2SyntaxError ? result.message : undefined;
    },
    test: (text) => {
      const result = compile();
      return !(result instanceof Re2SyntaxError) && result.test(text);
    },
  };
}

function compileOrError(source: string): Re2 | Re2SyntaxError {
  try {
    return compileRe2(source);
  } catch (error) {
    if (error instanceof Re2SyntaxError) return error;
    throw error;
  }
}
