/** Regular expressions: `matches`, `find` and `findAll`, in linear time. */
import { compileRe2, Re2SyntaxError } from "@drover/machinery";
import type { Re2 } from "@drover/machinery";
import { overload } from "../check/environment.ts";
import type { Overload } from "../check/environment.ts";
import { failure, isFailure } from "../value/failure.ts";
import type { CelFailure } from "../value/failure.ts";
import { listOf } from "../value/value.ts";
import type { CelValue } from "../value/value.ts";

/** Compiles a pattern; a failure in Go's words if it is invalid. */
export function compilePattern(pattern: string, prefix = ""): Re2 | CelFailure {
  try {
    return compileRe2(pattern);
  } catch (error) {
    if (error instanceof Re2SyntaxError) return failure(`${prefix}${error.message}`);
    throw error;
  }
}

type Search = (pattern: Re2, text: string, ...rest: readonly CelValue[]) => CelValue;

const find: Search = (pattern, text) => {
  const span = pattern.find(text);
  return span === undefined ? "" : text.slice(span.start, span.end);
};

/** Counts matches as Go does: an empty match right after another match is skipped. */
const findAll: Search = (pattern, text, limit = -1n) => {
  const found: string[] = [];
  const max = typeof limit === "bigint" && limit >= 0n ? limit : 2n ** 62n;
  let lastEnd = -1;
  for (let from = 0; from <= text.length && found.length < max;) {
    const span = pattern.find(text, from);
    if (span === undefined) break;
    const isEmpty = span.end === span.start;
    if (!isEmpty || span.start !== lastEnd) found.push(text.slice(span.start, span.end));
    from = isEmpty ? span.end + ((text.codePointAt(span.end) ?? 0) > 0xffff ? 2 : 1) : span.end;
    lastEnd = span.end;
  }
  return listOf(found);
};

/** Constant patterns are compiled once. */
function searching(id: string, signature: string, search: Search, prefix: string): Overload {
  const run = (text: string, pattern: string, ...rest: readonly CelValue[]): CelValue | CelFailure => {
    const compiled = compilePattern(pattern, prefix);
    return isFailure(compiled) ? compiled : search(compiled, text, ...rest);
  };
  return overload(id, signature, run, ([, pattern]) => {
    const compiled = typeof pattern === "string" ? compilePattern(pattern, prefix) : undefined;
    return compiled === undefined || isFailure(compiled)
      ? undefined
      : (text, _pattern, ...rest) => search(compiled, typeof text === "string" ? text : "", ...rest);
  });
}

const test: Search = (pattern, text) => pattern.test(text);

/** The overloads. */
export const regexFunctions: readonly Overload[] = [
  searching("matches", "matches(string, string) bool", test, ""),
  searching("matches_string", "string . matches(string) bool", test, ""),
  searching("string_find_string", "string . find(string) string", find, "Illegal regex: "),
  searching("string_find_all_string", "string . findAll(string) list(string)", findAll, "Illegal regex: "),
  searching("string_find_all_string_int", "string . findAll(string, int) list(string)", findAll, "Illegal regex: "),
];
