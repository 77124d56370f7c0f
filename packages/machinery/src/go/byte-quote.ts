/** Quoting as in Go's time package, which works on bytes, not characters. */

/** Returns the UTF-8 bytes of a text as one character (U+0000–U+00FF) each. ASCII stays as it is; a lone surrogate counts as U+FFFD. */
export function byteString(text: string): string {
  if (!hasNonAscii(text)) return text;
  let bytes = "";
  for (const byte of new TextEncoder().encode(text)) bytes += String.fromCharCode(byte);
  return bytes;
}

/** Quotes bytes (see {@link byteString}) as Go's time package does: every byte outside U+0020–U+007F as `\xNN`. */
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
