/**
 * A text as Go's `%q` prints it. Every message of the API server that names a value quotes it this way.
 *
 * What is printable is decided by the engine's Unicode tables; Go's are of version 15, so a character assigned later may be escaped
 * there and not here.
 */

// Everything that %q leaves alone within ASCII; most texts are of this kind.
const plain = /^[ !#-[\]-~]*$/;
// The tables of Unicode take an engine a millisecond to read, and few texts need them.
const asciiPrintable = /^[ -~]$/;
const printable = /^[\p{L}\p{M}\p{N}\p{P}\p{S}]$/u;
const shortEscapes: ReadonlyMap<string, string> = new Map([
  ["\x07", "\\a"],
  ["\b", "\\b"],
  ["\f", "\\f"],
  ["\n", "\\n"],
  ["\r", "\\r"],
  ["\t", "\\t"],
  ["\v", "\\v"],
  ["\\", "\\\\"],
  ['"', '\\"'],
]);

/** Quotes and escapes a text. A lone surrogate, which UTF-8 cannot carry, counts as U+FFFD. */
export function quoteGo(text: string): string {
  if (plain.test(text)) return `"${text}"`;
  let quoted = "";
  for (const char of text) quoted += shortEscapes.get(char) ?? (isPrintable(char) ? char : escapeCodePoint(char));
  return `"${quoted}"`;
}

/** Whether Go counts one character (a whole code point) as printable: letters, marks, numbers, punctuation, symbols and the plain space. */
export function isPrintable(char: string): boolean {
  return asciiPrintable.test(char) || printable.test(char);
}

function escapeCodePoint(char: string): string {
  const code = char.codePointAt(0) ?? 0;
  if (code < 0x20 || code === 0x7f) return `\\x${hex(code, 2)}`;
  if (code >= 0xd800 && code <= 0xdfff) return "\ufffd";
  return code < 0x10000 ? `\\u${hex(code, 4)}` : `\\U${hex(code, 8)}`;
}

function hex(value: number, width: number): string {
  return value.toString(16).padStart(width, "0");
}
