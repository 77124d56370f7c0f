/**
 * As much of PEM as it takes to tell a whole file from half of one. What stands in a certificate is for the TLS library to judge, and
 * whether a key belongs to a certificate is for `PairCheck`.
 */
import type { Secret } from "@drover/machinery";
import { decodeBase64 } from "./base64.ts";

/**
 * Whether a private key belongs to the first certificate of a PEM text; false as well when either cannot be read. Never throws.
 *
 * This takes cryptography, which comes from the host like everything else of the outside world: reading both files twice would notice a
 * file that changes under our eyes, but not a rotation that pauses between the certificate and the key.
 */
export type PairCheck = (certificate: string, key: Secret) => boolean | Promise<boolean>;

const block = /-----BEGIN ([A-Z0-9 ]+)-----\s([A-Za-z0-9+/=\s]*?)-----END \1-----/g;

/** Whether a text holds certificates, all of them whole. Text between the blocks is allowed, as authorities like to write names there. */
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

/** The same without the private keys in it: kubeadm, for one, writes a client certificate and its key into one file. */
export function withoutKeys(pem: string): string {
  return pem.replace(/-----BEGIN [A-Z0-9 ]*PRIVATE KEY-----.*?(?:-----END [A-Z0-9 ]*PRIVATE KEY-----\s*|$)/gs, "");
}

/** Whether a private key is locked with a passphrase. */
export function isLockedKey(key: Secret): boolean {
  const text = key.reveal();
  return text.includes("-----BEGIN ENCRYPTED PRIVATE KEY-----") || /^Proc-Type: 4,ENCRYPTED/m.test(text);
}

/** Whether the bytes are one sequence in DER that ends where it says. */
function isWholeDer(bytes: Uint8Array | undefined): boolean {
  if (bytes === undefined || bytes.length < 2 || bytes[0] !== 0x30) return false;
  const first = bytes[1] ?? 0;
  if (first < 0x80) return bytes.length === first + 2;
  const digits = first & 0x7f;
  if (digits === 0 || digits > 4) return false;
  const length = bytes.subarray(2, 2 + digits).reduce((sum, byte) => sum * 256 + byte, 0);
  return bytes.length === length + digits + 2;
}
