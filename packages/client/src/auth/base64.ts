/** Base64 of text in UTF-8, as the `Basic` scheme and JSON Web Tokens write it. */

/** Standard base64 of the text's UTF-8 bytes. */
export function encodeBase64(text: string): string {
  let binary = "";
  for (const byte of new TextEncoder().encode(text)) binary += String.fromCharCode(byte);
  return btoa(binary);
}

/** The bytes behind base64, standard or URL-safe, with or without padding; undefined when it is not base64. */
export function decodeBase64(text: string): Uint8Array | undefined {
  try {
    return Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}
