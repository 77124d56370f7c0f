/** The inline data of a kubeconfig: base64 of the bytes of a file. */
import { decodeBase64 } from "../auth/base64.ts";

/** Whether the text is base64 as Go reads it: with padding, line breaks wherever they like. */
export function isBase64(written: string): boolean {
  const packed = unbroken(written);
  return packed.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(packed);
}

/** The text behind base64; must be `isBase64`. Bytes that are not UTF-8 show as replacement characters, which no PEM survives. */
export function textFromBase64(written: string): string {
  return new TextDecoder().decode(decodeBase64(unbroken(written)));
}

/** The base64 of bytes, in one line. */
export function base64FromBytes(bytes: Uint8Array): string {
  const parts: string[] = [];
  for (const byte of bytes) parts.push(String.fromCharCode(byte));
  return btoa(parts.join(""));
}

const unbroken = (written: string): string => written.replace(/[\r\n]/g, "");
