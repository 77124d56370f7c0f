/** Scalars in single or double quotes; double quotes have escapes. Both may span lines, which fold. */
import { isBlank, isBlankOrEnd, isBreak } from "./cursor.ts";
import type { Cursor } from "./cursor.ts";
import { Folding } from "./folding.ts";

const backslash = 0x5c;
const singleQuote = 0x27;

const simpleEscapes: ReadonlyMap<string, string> = new Map([
  ["0", "\0"],
  ["a", "\x07"],
  ["b", "\b"],
  ["t", "\t"],
  ["\t", "\t"],
  ["n", "\n"],
  ["v", "\v"],
  ["f", "\f"],
  ["r", "\r"],
  ["e", "\x1b"],
  [" ", " "],
  ['"', '"'],
  ["'", "'"],
  ["\\", "\\"],
  ["N", "\x85"],
  ["_", "\xa0"],
  ["L", "\u2028"],
  ["P", "\u2029"],
]);
const hexEscapes: ReadonlyMap<string, number> = new Map([
  ["x", 2],
  ["u", 4],
  ["U", 8],
]);

/** Reads from the opening quote past the closing one. */
export function scanQuotedScalar(cursor: Cursor): string {
  const quote = cursor.code();
  cursor.at++;
  const folding = new Folding();
  for (;;) {
    if (cursor.atMarker()) throw cursor.error("found unexpected document indicator");
    if (cursor.code() === 0) throw cursor.error("found unexpected end of stream");
    const escapedBreak = scanCharacters(cursor, folding, quote);
    if (cursor.code() === quote) break;
    scanGap(cursor, folding, escapedBreak);
    folding.flush();
  }
  cursor.at++;
  return folding.text;
}

/** Reads up to the quote, a blank or a line break; returns whether it stopped after an escaped line break. */
function scanCharacters(cursor: Cursor, folding: Folding, quote: number): boolean {
  for (;;) {
    const start = cursor.at;
    while (!stopsAt(cursor.code(), quote)) cursor.at++;
    if (cursor.at > start) folding.add(cursor.text.slice(start, cursor.at));
    const code = cursor.code();
    if (code === quote && quote === singleQuote && cursor.code(1) === singleQuote) {
      folding.add("'");
      cursor.at += 2;
    } else if (code === backslash && quote !== singleQuote) {
      if (isBreak(cursor.code(1))) {
        cursor.at++;
        cursor.skipLine();
        return true;
      }
      folding.add(scanEscape(cursor));
    } else {
      return false;
    }
  }
}

const stopsAt = (code: number, quote: number): boolean =>
  isBlankOrEnd(code) || code === quote || (code === backslash && quote !== singleQuote);

function scanEscape(cursor: Cursor): string {
  const letter = String.fromCharCode(cursor.code(1));
  const simple = simpleEscapes.get(letter);
  if (simple !== undefined) {
    cursor.at += 2;
    return simple;
  }
  const length = hexEscapes.get(letter);
  if (length === undefined) throw cursor.error("found unknown escape character");
  const digits = cursor.text.slice(cursor.at + 2, cursor.at + 2 + length);
  if (digits.length < length || !/^[0-9a-fA-F]+$/.test(digits)) throw cursor.error("did not find expected hexdecimal number");
  const value = Number.parseInt(digits, 16);
  if ((value >= 0xd800 && value <= 0xdfff) || value > 0x10ffff) throw cursor.error("found invalid Unicode character escape code");
  cursor.at += 2 + length;
  return String.fromCodePoint(value);
}

/** Reads blanks and line breaks. After a line break, escaped or not, blanks are indentation. */
function scanGap(cursor: Cursor, folding: Folding, escapedBreak: boolean): void {
  let brokeLine = escapedBreak;
  for (;;) {
    const code = cursor.code();
    if (isBreak(code)) {
      const lineBreak = cursor.skipLine();
      // An escaped break is no break; one that follows it counts as a further one, which stays.
      if (escapedBreak) folding.addFurtherBreak(lineBreak);
      else folding.addBreak(lineBreak);
      brokeLine = true;
    } else if (isBlank(code)) {
      if (!brokeLine) folding.addBlank(String.fromCharCode(code));
      cursor.at++;
    } else {
      return;
    }
  }
}
