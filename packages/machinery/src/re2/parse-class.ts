/** The grammar of single characters: escapes, classes in brackets, `\p{…}`. */
import { CharClassBuilder } from "./char-class.ts";
import type { CharClass, Folding } from "./char-class.ts";
import type { Cursor } from "./cursor.ts";
import { perlClasses, posixClasses, unicodeClass } from "./named-class.ts";
import { Re2SyntaxError } from "./re2-syntax-error.ts";

const controlEscapes: ReadonlyMap<string, number> = new Map([
  ["a", 0x07],
  ["f", 0x0c],
  ["n", 0x0a],
  ["r", 0x0d],
  ["t", 0x09],
  ["v", 0x0b],
]);

/** Parses `[…]`; the cursor is at the bracket. */
export function parseBracketClass(cursor: Cursor, folding: Folding): CharClass {
  const start = cursor.at;
  cursor.take("[");
  const negated = cursor.take("^");
  const builder = new CharClassBuilder();
  // A `]` right at the start is an ordinary character.
  for (let first = true; first || !cursor.sees("]"); first = false) {
    if (takePosixClass(cursor, builder, folding) || takeNamedClass(cursor, builder, folding)) continue;
    const rangeStart = cursor.at;
    const low = parseClassChar(cursor, start);
    let high = low;
    if (cursor.sees("-") && cursor.at + 1 < cursor.text.length && cursor.text[cursor.at + 1] !== "]") {
      cursor.take("-");
      high = parseClassChar(cursor, start);
      if (high < low) throw new Re2SyntaxError("invalid character class range", cursor.since(rangeStart));
    }
    builder.addRange(low, high, folding);
  }
  cursor.take("]");
  return builder.build({ negated });
}

/** Parses `\d`, `\pL` or another named class outside of brackets; undefined if the text has none here. */
export function parseNamedClass(cursor: Cursor, folding: Folding): CharClass | undefined {
  const builder = new CharClassBuilder();
  return takeNamedClass(cursor, builder, folding) ? builder.build({ negated: false }) : undefined;
}

/** Parses a backslash and the character it escapes. */
export function parseEscape(cursor: Cursor): number {
  const start = cursor.at;
  cursor.take("\\");
  if (cursor.done) throw new Re2SyntaxError("trailing backslash at end of expression", "");
  const codePoint = cursor.next();
  const char = String.fromCodePoint(codePoint);
  const value = controlEscapes.get(char) ?? (char === "x" ? parseHex(cursor) : /[0-7]/.test(char) ? parseOctal(cursor, char) : undefined);
  if (value !== undefined) return value;
  if (codePoint >= 0x80 || /[0-9A-Za-z]/.test(char)) throw new Re2SyntaxError("invalid escape sequence", cursor.since(start));
  return codePoint;
}

function parseClassChar(cursor: Cursor, classStart: number): number {
  if (cursor.done) throw new Re2SyntaxError("missing closing ]", cursor.from(classStart));
  return cursor.sees("\\") ? parseEscape(cursor) : cursor.next();
}

/** Up to three digits; a single one other than 0 would be a back-reference, which RE2 lacks. */
function parseOctal(cursor: Cursor, first: string): number | undefined {
  const isOctal = (): boolean => /[0-7]/.test(cursor.text.charAt(cursor.at));
  if (first !== "0" && !isOctal()) return undefined;
  let value = Number(first);
  for (let count = 1; count < 3 && isOctal(); count++) value = value * 8 + cursor.next() - 0x30;
  return value;
}

/** `x7F` or `x{10FFFF}` after the x; otherwise undefined, with the cursor after the wrong character. */
function parseHex(cursor: Cursor): number | undefined {
  if (cursor.done) return undefined;
  if (!cursor.take("{")) {
    const high = hexDigit(cursor.next());
    const low = hexDigit(cursor.next());
    return high === undefined || low === undefined ? undefined : high * 16 + low;
  }
  let value = 0;
  for (let count = 0; !cursor.done; count++) {
    const codePoint = cursor.next();
    if (codePoint === 0x7d) return count === 0 ? undefined : value;
    const digit = hexDigit(codePoint);
    if (digit === undefined) return undefined;
    value = value * 16 + digit;
    if (value > 0x10ffff) return undefined;
  }
  return undefined;
}

function hexDigit(codePoint: number): number | undefined {
  const char = String.fromCodePoint(codePoint);
  return /[0-9A-Fa-f]/.test(char) ? Number.parseInt(char, 16) : undefined;
}

/** `[:alpha:]`, `[:^alpha:]`. Without its end it has no meaning. */
function takePosixClass(cursor: Cursor, builder: CharClassBuilder, folding: Folding): boolean {
  if (!cursor.sees("[:")) return false;
  const end = cursor.find(":]", cursor.at + 2);
  if (end < 0) return false;
  const name = cursor.text.slice(cursor.at + 2, end);
  const negated = name.startsWith("^");
  const group = posixClasses.get(negated ? name.slice(1) : name);
  if (group === undefined) throw new Re2SyntaxError("invalid character class range", cursor.text.slice(cursor.at, end + 2));
  builder.addGroup(group, negated ? "not-in" : "in", folding);
  cursor.at = end + 2;
  return true;
}

function takeNamedClass(cursor: Cursor, builder: CharClassBuilder, folding: Folding): boolean {
  if (!cursor.sees("\\")) return false;
  const letter = cursor.text.charAt(cursor.at + 1);
  if (letter === "p" || letter === "P") {
    takeUnicodeClass(cursor, builder, folding);
    return true;
  }
  const group = perlClasses.get(letter.toLowerCase());
  if (group === undefined) return false;
  builder.addGroup(group, /[a-z]/.test(letter) ? "in" : "not-in", folding);
  cursor.at += 2;
  return true;
}

/** `\pL`, `\PL`, `\p{Greek}`, `\p{^Greek}`. */
function takeUnicodeClass(cursor: Cursor, builder: CharClassBuilder, folding: Folding): void {
  const start = cursor.at;
  let negated = cursor.sees("\\P");
  cursor.at += 2;
  let name = String.fromCodePoint(cursor.next());
  if (name === "{") {
    const end = cursor.text.indexOf("}", start);
    if (end < 0) throw new Re2SyntaxError("invalid character class range", cursor.from(start));
    name = cursor.text.slice(start + 3, end);
    cursor.at = end + 1;
  }
  if (name.startsWith("^")) {
    negated = !negated;
    name = name.slice(1);
  }
  const test = unicodeClass(name, folding);
  if (test === undefined) throw new Re2SyntaxError("invalid character class range", cursor.since(start));
  builder.addTest(test, negated ? "not-in" : "in");
}
