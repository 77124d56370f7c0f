/** Bytes as they stand in objects, in base64. Whoever decoded the object has made sure that they are well formed. */
import { encodeBase64 } from "../../../codec/base64.ts";

/** How many bytes there are. */
export function binaryLength(base64: string): number {
  const padding = base64.endsWith("==") ? 2 : base64.endsWith("=") ? 1 : 0;
  return (base64.length / 4) * 3 - padding;
}

export function decodeBinary(base64: string): Uint8Array {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}

/** The bytes of a text. */
export function encodeBinary(text: string): string {
  return encodeBase64([...new TextEncoder().encode(text)]);
}
