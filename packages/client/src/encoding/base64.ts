/**
 * Base64 of kubeconfigs, PEM, JSON Web Tokens and the `Basic` scheme.
 */

/** Encodes as standard base64, padded, in one line. Text is encoded as UTF-8. */
export function encodeBase64(value: string | Uint8Array): string {
  const parts: string[] = [];
  for (const byte of typeof value === "string" ? new TextEncoder().encode(value) : value) parts.push(String.fromCharCode(byte));
  return btoa(parts.join(""));
}

/** Decodes base64, standard or URL-safe, padded or not, with whitespace anywhere; undefined if it is not base64. */
export function decodeBase64(text: string): Uint8Array | undefined {
  try {
    return Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}

/** Reports whether Go, and so kubectl, accepts the text as base64: standard, padded, line breaks anywhere. */
export function isStandardBase64(text: string): boolean {
  const packed = text.replace(/[\r\n]/g, "");
  return packed.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(packed);
}

/** Decodes base64 to text; must be `isStandardBase64`. Invalid UTF-8 becomes replacement characters, which are not valid PEM. */
export function textFromBase64(text: string): string {
  return new TextDecoder().decode(decodeBase64(text));
}
