/** Base64 values in objects, possibly null. Assumes that the codec validated them. */
import { decodeBase64, encodeBase64 } from "../../../codec/base64.ts";

/** Returns the number of bytes. */
export function binaryLength(base64: string | null): number {
  if (base64 === null) return 0;
  const padding = base64.endsWith("==") ? 2 : base64.endsWith("=") ? 1 : 0;
  return (base64.length / 4) * 3 - padding;
}

export function decodeBinary(base64: string | null): Uint8Array {
  return decodeBase64(base64 ?? "");
}

/** Encodes a text. */
export function encodeBinary(text: string): string {
  return encodeBase64(new TextEncoder().encode(text));
}
