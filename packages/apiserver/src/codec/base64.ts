/** Base64 as Go decodes it: line breaks are skipped, and trailing bits after the last byte are ignored. */

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/** Whether Go would encode the bytes as this very text. */
export function isCanonicalBase64(text: string): boolean {
  if (text.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(text)) return false;
  if (text.endsWith("==")) return "AQgw".includes(text.charAt(text.length - 3));
  return !text.endsWith("=") || "AEIMQUYcgkosw048".includes(text.charAt(text.length - 2));
}

/** Returns the text as Go would encode its bytes. Throws with Go's message for malformed input. */
export function canonicalBase64(text: string): string {
  if (isCanonicalBase64(text)) return text;
  // Go's message counts bytes of UTF-8.
  const bytes = new TextEncoder().encode(text);
  let sextets = "";
  for (let at = 0; at < bytes.length; at++) {
    const character = String.fromCharCode(bytes[at] ?? 0);
    if (character === "\n" || character === "\r") continue;
    if (character === "=") return endWithPadding(sextets, bytes, at);
    if (!alphabet.includes(character)) throw new Error(corruptAt(at));
    sextets += character;
  }
  const left = sextets.length % 4;
  if (left !== 0) throw new Error(corruptAt(bytes.length - left));
  return sextets;
}

/** Base64 of bytes. */
export function encodeBase64(bytes: Uint8Array): string {
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text);
}

/** Decodes canonical base64. */
export function decodeBase64(text: string): Uint8Array {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}

/** `at` is the position of the first padding character. */
function endWithPadding(sextets: string, bytes: Uint8Array, at: number): string {
  const left = sextets.length % 4;
  if (left < 2) throw new Error(corruptAt(at));
  let end = skipLineBreaks(bytes, at + 1);
  if (left === 2) {
    if (end === bytes.length) throw new Error(corruptAt(bytes.length));
    if (bytes[end] !== 0x3d) throw new Error(corruptAt(end - 1));
    end = skipLineBreaks(bytes, end + 1);
  }
  if (end < bytes.length) throw new Error(corruptAt(end));
  const kept = alphabet.indexOf(sextets.charAt(sextets.length - 1)) & (left === 2 ? 0b110000 : 0b111100);
  return sextets.slice(0, -1) + alphabet.charAt(kept) + "=".repeat(4 - left);
}

function skipLineBreaks(bytes: Uint8Array, from: number): number {
  let at = from;
  while (bytes[at] === 0x0a || bytes[at] === 0x0d) at++;
  return at;
}

const corruptAt = (offset: number): string => `illegal base64 data at input byte ${offset}`;
