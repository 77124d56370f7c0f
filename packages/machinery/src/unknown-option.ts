/**
 * Finds options that a function does not have, which JavaScript would ignore: a misspelt name, or one of another library.
 *
 *     { onDelete: … }, names of the options → unknownOption → "there is no option onDelete", fix "cleanup"
 */

import { withCode } from "./errors/problem-code.ts";
import type { ProblemCode } from "./errors/problem-code.ts";

/** The names of all options of an interface: `satisfies OptionNames<Options>` fails to compile when one is missing. */
export type OptionNames<Options> = Readonly<Record<keyof Options, true>>;

/** What is wrong with options, and what to write instead. */
export interface OptionProblem {
  readonly what: string;
  readonly fix: string;
  readonly code?: ProblemCode;
}

/** Longest list of names in a message. */
const namesShown = 24;

/**
 * Returns the first problem of `given`: it is not an object, or has an option that is not in `known`. `instead` maps names that other
 * libraries use to ours. Options that are undefined count as absent.
 */
export function unknownOption(
  given: unknown,
  known: Readonly<Record<string, true>>,
  instead: Readonly<Record<string, string>> = {},
): OptionProblem | undefined {
  const names = Object.keys(known);
  const listed = `one of ${names.slice(0, namesShown).join(", ")}${names.length > namesShown ? " and others" : ""}`;
  if (typeof given !== "object" || given === null || Array.isArray(given))
    return {
      what: `the options must be an object, not ${given === null ? "null" : Array.isArray(given) ? "a list" : typeof given}`,
      fix: `{ … } with ${listed}`,
    };
  const options = given as Readonly<Record<string, unknown>>;
  const unknown = Object.keys(options).find((name) => !Object.hasOwn(known, name) && options[name] !== undefined);
  if (unknown === undefined) return undefined;
  const other = Object.hasOwn(instead, unknown) ? instead[unknown] : nearest(unknown, names);
  return { what: `there is no option ${unknown.slice(0, 60)}`, fix: other ?? listed, code: "DRV0201" };
}

/** Throws a `TypeError` that names the function, the option and the fix. */
export function checkOptions(where: string, given: unknown, known: Readonly<Record<string, true>>): void {
  const problem = unknownOption(given, known);
  if (problem !== undefined) throw new TypeError(withCode(`${where}: ${problem.what}\n  fix: ${problem.fix}`, problem.code));
}

/** Returns the name that differs least, if by at most a third of its letters. */
function nearest(name: string, names: readonly string[]): string | undefined {
  const short = name.slice(0, 60);
  const [best] = names
    .map((known) => ({ known, distance: editDistance(short.toLowerCase(), known.toLowerCase()) }))
    .toSorted((left, right) => left.distance - right.distance);
  return best !== undefined && best.distance <= Math.max(1, Math.floor(best.known.length / 3)) ? best.known : undefined;
}

/** Number of letters to insert, remove or replace. */
function editDistance(left: string, right: string): number {
  let row = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let at = 0; at < left.length; at++) {
    const next = [at + 1];
    for (let to = 0; to < right.length; to++)
      next.push(Math.min((row[to + 1] ?? 0) + 1, (next[to] ?? 0) + 1, (row[to] ?? 0) + (left[at] === right[to] ? 0 : 1)));
    row = next;
  }
  return row[right.length] ?? 0;
}
