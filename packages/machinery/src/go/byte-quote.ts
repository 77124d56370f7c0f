/** A text in Go's time package's own quotes, which look at single bytes and not at characters. */

/**
 * The UTF-8 bytes of a text, one character (U+0000–U+00FF) for each. A text in ASCII stays what it is; a lone surrogate
 * counts as U+FFFD.
 */
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
    if (code < 0x20 || code >= 0x80) quoted += `\\x${code.toString(16).padStart(2, "0")}`;
    else quoted += char === '"' || char === "\\" ? `\\${char}` : char;
  }
  return `${quoted}"`;
}

function hasNonAscii(text: string): boolean {
  for (let index = 0; index < text.length; index++) if (text.charCodeAt(index) >= 0x80) return true;
  return false;
}
