/** Base64 as it is met on the way to a cluster: in kubeconfigs, in PEM, in JSON Web Tokens and in the `Basic` scheme. */

/** Standard base64, with padding and in one line; of text, its UTF-8 bytes. */
export function encodeBase64(value: string | Uint8Array): string {
  const parts: string[] = [];
  for (const byte of typeof value === "string" ? new TextEncoder().encode(value) : value) parts.push(String.fromCharCode(byte));
  return btoa(parts.join(""));
}

/** The bytes behind base64, standard or URL-safe, with or without padding, blanks wherever they like; undefined when it is not base64. */
export function decodeBase64(text: string): Uint8Array | undefined {
  try {
    return Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}

/** Whether the text is base64 as Go reads it, and so kubectl: standard, with padding, line breaks wherever they like. */
export function isStandardBase64(text: string): boolean {
  const packed = text.replace(/[\r\n]/g, "");
  return packed.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(packed);
}

/** The text behind base64; must be `isStandardBase64`. Bytes that are not UTF-8 show as replacement characters, which no PEM survives. */
export function textFromBase64(text: string): string {
  return new TextDecoder().decode(decodeBase64(text));
}
