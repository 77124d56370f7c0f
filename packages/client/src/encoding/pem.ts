/**
 * Parses enough of PEM to tell a complete file from a partial one. The TLS library validates certificates, and `PairCheck`
 * checks whether a key matches.
 */
import type { Secret } from "@drover/machinery";
import { decodeBase64 } from "./base64.ts";

/**
 * Reports whether a private key matches the first certificate of a PEM text; false also if either cannot be read. Never
 * throws.
 *
 * This needs cryptography, which the host provides. Reading both files twice would detect a file that changes during the
 * read, but not a rotation that pauses between certificate and key.
 */
export type PairCheck = (certificate: string, key: Secret) => boolean | Promise<boolean>;

const block = /-----BEGIN ([A-Z0-9 ]+)-----\s([A-Za-z0-9+/=\s]*?)-----END \1-----/g;

/** Reports whether a text contains certificates, all complete. Text between the blocks is allowed; authorities put names there. */
export function isCertificates(pem: string): boolean {
  const blocks = [...pem.matchAll(block)];
  const begun = pem.split("-----BEGIN ").length - 1;
  return (
    blocks.length > 0 &&
    blocks.length === begun &&
    blocks.some(([, label]) => label === "CERTIFICATE") &&
    blocks.every(([, label, body]) => label !== "CERTIFICATE" || isWholeDer(decodeBase64((body ?? "").replace(/\s/g, ""))))
  );
}

/** Returns the text without its private keys: kubeadm, for example, writes a client certificate and its key into one file. */
export function withoutKeys(pem: string): string {
  return pem.replace(/-----BEGIN [A-Z0-9 ]*PRIVATE KEY-----.*?(?:-----END [A-Z0-9 ]*PRIVATE KEY-----\s*|$)/gs, "");
}

/** Reports whether a private key is encrypted with a passphrase. */
export function isLockedKey(key: Secret): boolean {
  const text = key.reveal();
  return text.includes("-----BEGIN ENCRYPTED PRIVATE KEY-----") || /^Proc-Type: 4,ENCRYPTED/m.test(text);
}

/** Reports whether the bytes are one complete DER sequence. */
function isWholeDer(bytes: Uint8Array | undefined): boolean {
  if (bytes === undefined || bytes.length < 2 || bytes[0] !== 0x30) return false;
  const first = bytes[1] ?? 0;
  if (first < 0x80) return bytes.length === first + 2;
  const digits = first & 0x7f;
  if (digits === 0 || digits > 4) return false;
  const length = bytes.subarray(2, 2 + digits).reduce((sum, byte) => sum * 256 + byte, 0);
  return bytes.length === length + digits + 2;
}
