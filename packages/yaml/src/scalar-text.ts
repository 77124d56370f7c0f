/** How a string is printed: plain where that parses back to the same string, else as a block or in quotes. */
import { isBreak } from "./cursor.ts";
import { resolve } from "./resolve.ts";
import { wrapLine } from "./wrap-line.ts";

/** Half of a surrogate pair, which UTF-8 cannot hold; with the "u" flag, pairs are single characters. */
const loneSurrogate = /[\ud800-\udfff]/gu;

/** Unquoted, this key would merge its value. */
const mergeKey = "<<";

export interface ScalarPlace {
  /** Whether it is a key before ":", which must stay on its line. */
  readonly isKey: boolean;
  /** Column where it starts, which decides where a long line breaks. */
  readonly column: number;
  /** Indentation of further lines. */
  readonly indent: number;
}

/** Returns the printed form of a string. A block ends with a line break if the string does. */
export function scalarText(input: string, place: ScalarPlace): string {
  const text = input.replaceAll(loneSurrogate, "\ufffd");
  const traits = traitsOf(text);
  if (place.isKey && traits.multiline) return doubleQuoted(text, place);
  if (text.includes("\n")) return traits.blockAllowed ? literal(text, place.indent) : doubleQuoted(text, place);
  if (!isPlainString(text) || (place.isKey && text === mergeKey)) return doubleQuoted(text, place);
  if (traits.plainAllowed) return wrapLine(text, place, { quote: "", encode: (character) => character });
  return traits.singleQuotedAllowed ? singleQuoted(text, place) : doubleQuoted(text, place);
}

/** Whether a string has a line break of any kind. */
export const isMultiline = (text: string): boolean => /[\n\r\x85\u2028\u2029]/.test(text);

/** Whether an unquoted string parses as that string: not as a number, a boolean, a date, nor as a base-60 number elsewhere. */
const isPlainString = (text: string): boolean =>
  resolve(text).type === "str" && !/^[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?$/.test(text);

interface Traits {
  readonly multiline: boolean;
  readonly plainAllowed: boolean;
  readonly singleQuotedAllowed: boolean;
  readonly blockAllowed: boolean;
}

function traitsOf(text: string): Traits {
  const multiline = isMultiline(text);
  const special = /[^\n\x20-\x7e\xa0-\ud7ff\ue000-\ufefe\uff00-\ufffd]/.test(text);
  const breakThenSpace = /[\n\r\x85\u2028\u2029] /.test(text);
  const spaceThenBreak = / [\n\r\x85\u2028\u2029]/.test(text);
  return {
    multiline,
    plainAllowed: !multiline && !special && !/^ | $/.test(text) && !hasIndicators(text),
    singleQuotedAllowed: !special && !breakThenSpace && !spaceThenBreak,
    blockAllowed: !special && !spaceThenBreak && !text.endsWith(" "),
  };
}

function hasIndicators(text: string): boolean {
  if (/^(?:---|\.\.\.|[#,[\]{}&*!|>'"%@`]|[-?](?:[ \t]|$))/.test(text)) return true;
  return /:(?:[ \t]|$)|[ \t\n\r\x85\u2028\u2029]#/.test(text);
}

function singleQuoted(text: string, place: ScalarPlace): string {
  return wrapLine(text, place, { quote: "'", encode: (character) => (character === "'" ? "''" : character) });
}

function literal(text: string, indent: number): string {
  const hint = text.startsWith(" ") || isBreak(text.charCodeAt(0)) ? "2" : "";
  const [last, beforeLast] = [text.charCodeAt(text.length - 1), text.charCodeAt(text.length - 2)];
  const chomp = !isBreak(last) ? "-" : text.length === 1 || isBreak(beforeLast) ? "+" : "";
  return `|${hint}${chomp}\n${text.replaceAll(/(^|[\n\u2028\u2029])(?=[^\n\u2028\u2029])/g, `$1${" ".repeat(indent)}`)}`;
}

const escapes: ReadonlyMap<number, string> = new Map([
  [0x00, "0"],
  [0x07, "a"],
  [0x08, "b"],
  [0x09, "t"],
  [0x0a, "n"],
  [0x0b, "v"],
  [0x0c, "f"],
  [0x0d, "r"],
  [0x1b, "e"],
  [0x22, '"'],
  [0x5c, "\\"],
  [0x85, "N"],
  [0xa0, "_"],
  [0x2028, "L"],
  [0x2029, "P"],
]);

/** Escapes what cannot be printed; in a text that starts with a byte order mark, Go escapes everything. */
function doubleQuoted(text: string, place: ScalarPlace): string {
  if (text.startsWith("\ufeff")) return `"${Array.from(text, escaped).join("")}"`;
  return wrapLine(text, place, { quote: '"', encode: (character) => (printable.test(character) ? character : escaped(character)) });
}

const printable = /^[\x20\x21\x23-\x5b\x5d-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd]$/;

function escaped(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  const letter = escapes.get(code);
  if (letter !== undefined) return `\\${letter}`;
  const [prefix, width] = code <= 0xff ? ["x", 2] : code <= 0xffff ? ["u", 4] : ["U", 8];
  return `\\${prefix}${code.toString(16).toUpperCase().padStart(width, "0")}`;
}
