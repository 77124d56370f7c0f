/**
 * Bytes as they stand in objects, in base64, or null where a client sent that. Whoever decoded the object has made sure
 * that they are well formed.
 */
import { decodeBase64, encodeBase64 } from "../../../codec/base64.ts";

/** How many bytes there are. */
export function binaryLength(base64: string | null): number {
  if (base64 === null) return 0;
  const padding = base64.endsWith("==") ? 2 : base64.endsWith("=") ? 1 : 0;
  return (base64.length / 4) * 3 - padding;
}

export function decodeBinary(base64: string | null): Uint8Array {
  return decodeBase64(base64 ?? "");
}

/** The bytes of a text. */
export function encodeBinary(text: string): string {
  return encodeBase64(new TextEncoder().encode(text));
}
