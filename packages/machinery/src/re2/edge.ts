/** The edge between two characters, which `^`, `$` and `\b` test, as bits. */
import type { Assertion } from "./syntax-tree.ts";

/** One bit for each assertion. */
export const edgeBits: Readonly<Record<Assertion, number>> = {
  "begin-text": 1,
  "end-text": 2,
  "begin-line": 4,
  "end-line": 8,
  "word-boundary": 16,
  "no-word-boundary": 32,
};

/** The only character that ends a line. */
export const newline = 0x0a;

/** Returns all assertions that hold between two code points; undefined stands for the start or end of the text. */
export function edgesBetween(before: number | undefined, after: number | undefined): number {
  let bits = isWordChar(before) === isWordChar(after) ? edgeBits["no-word-boundary"] : edgeBits["word-boundary"];
  if (before === undefined) bits |= edgeBits["begin-text"] | edgeBits["begin-line"];
  else if (before === newline) bits |= edgeBits["begin-line"];
  if (after === undefined) bits |= edgeBits["end-text"] | edgeBits["end-line"];
  else if (after === newline) bits |= edgeBits["end-line"];
  return bits;
}

/** Whether this is a word character: an ASCII letter, a digit or the underscore. */
export function isWordChar(codePoint: number | undefined): boolean {
  if (codePoint === undefined) return false;
  return (
    (codePoint >= 0x30 && codePoint <= 0x39) ||
    (codePoint >= 0x41 && codePoint <= 0x5a) ||
    codePoint === 0x5f ||
    (codePoint >= 0x61 && codePoint <= 0x7a)
  );
}
