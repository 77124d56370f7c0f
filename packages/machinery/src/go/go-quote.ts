/**
 * Quoting as Go's `%q` does it, which the API server uses for values in messages.
 *
 * The engine's Unicode tables decide what is printable; Go's are of version 15, so it may escape a character assigned later.
 */

// What %q leaves unescaped within ASCII; most texts are of this kind.
const plain = /^[ !#-[\]-~]*$/;
const asciiPrintable = /^[ -~]$/;
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

/** Quotes and escapes a text. A lone surrogate, which UTF-8 cannot hold, counts as U+FFFD. */
export function quoteGo(text: string): string {
  if (plain.test(text)) return `"${text}"`;
  let quoted = "";
  for (const char of text) quoted += shortEscapes.get(char) ?? (isPrintable(char) ? char : escapeCodePoint(char));
  return `"${quoted}"`;
}

/** Whether Go counts a code point as printable: letters, marks, numbers, punctuation, symbols and the plain space. */
export function isPrintable(char: string): boolean {
  // The second pattern in place: its Unicode tables take an engine half a millisecond to load, and few texts need them.
  return asciiPrintable.test(char) || /^[\p{L}\p{M}\p{N}\p{P}\p{S}]$/u.test(char);
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
