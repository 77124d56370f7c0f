/**
 * Two ways in which Go puts a text into an error message: the full one of `%q`, and the plain one of its time package.
 * Both look at the UTF-8 bytes, so a lone surrogate counts as U+FFFD.
 */

const printable = /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]$/u;
const loneSurrogate = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;
const shortEscapes: ReadonlyMap<string, string> = new Map([
  ["\x07", "\\a"], ["\b", "\\b"], ["\f", "\\f"], ["\n", "\\n"], ["\r", "\\r"], ["\t", "\\t"], ["\v", "\\v"], ["\\", "\\\\"], ['"', '\\"'],
]);

/** A text in double quotes as Go's `%q` prints it: control and unprintable characters escaped, the rest as it is. */
export function quoteGo(text: string): string {
  let quoted = '"';
  for (const char of text.replace(loneSurrogate, "\ufffd")) quoted += shortEscapes.get(char) ?? (printable.test(char) ? char : escapeRune(char));
  return `${quoted}"`;
}

/** The UTF-8 bytes of a text, one character (U+0000–U+00FF) for each. A text in ASCII stays what it is. */
export function byteString(text: string): string {
  if (!hasNonAscii(text)) return text;
  let bytes = "";
  for (const byte of new TextEncoder().encode(text)) bytes += String.fromCharCode(byte);
  return bytes;
}

/** Bytes (see {@link byteString}) in double quotes as Go's time package prints them: every byte outside U+0020–U+007F as `\xNN`. */
export function quoteBytes(bytes: string): string {
  let quoted = '"';
  for (const char of bytes) {
    const code = char.charCodeAt(0);
    if (code < 0x20 || code >= 0x80) quoted += `\\x${hex(code, 2)}`;
    else quoted += char === '"' || char === "\\" ? `\\${char}` : char;
  }
  return `${quoted}"`;
}

function hasNonAscii(text: string): boolean {
  for (let index = 0; index < text.length; index++) if (text.charCodeAt(index) >= 0x80) return true;
  return false;
}

function escapeRune(char: string): string {
  const code = char.codePointAt(0) ?? 0;
  if (code < 0x20 || code === 0x7f) return `\\x${hex(code, 2)}`;
  return code < 0x10000 ? `\\u${hex(code, 4)}` : `\\U${hex(code, 8)}`;
}

function hex(value: number, width: number): string {
  return value.toString(16).padStart(width, "0");
}
