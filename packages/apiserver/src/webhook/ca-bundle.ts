/** Validates the CA bundle of a webhook. */

/** Returns kube-apiserver's error about a bundle (PEM in base64); undefined when it is valid. */
export function caBundleProblem(base64: string): string | undefined {
  const text = decodeBase64(base64);
  if (text === undefined || text === "") return undefined;
  const blocks = [...text.matchAll(/-----BEGIN ([^\n-]*)-----[ \t\r]*\n([^]*?)-----END \1-----/g)];
  const certificates = blocks.filter(([, type, body = ""]) => type === "CERTIFICATE" && !body.includes(":"));
  if (certificates.some(([, , body = ""]) => isCertificate(body))) return undefined;
  if (certificates.length > 0) return "unable to load root certificates: failed to parse certificate: x509: malformed certificate";
  return `unable to load root certificates: ${blocks.length > 0 && text.trimEnd().endsWith("-----") ? "no valid certificate authority data seen" : "unable to parse bytes as PEM block"}`;
}

/** Checks only that a certificate is one DER sequence from its first to its last byte. */
function isCertificate(body: string): boolean {
  const bytes = decodeBase64(body.replaceAll(/\s/g, "")) ?? "";
  const [tag, first] = [bytes.codePointAt(0), bytes.codePointAt(1) ?? 0];
  if (tag !== 0x30) return false;
  if (first < 0x80) return bytes.length === 2 + first;
  const lengthBytes = Array.from(bytes.slice(2, 2 + (first & 0x7f)), (byte) => byte.codePointAt(0) ?? 0);
  const length = lengthBytes.reduce((sum, byte) => sum * 256 + byte, 0);
  return bytes.length === 2 + lengthBytes.length + length;
}

/** Decodes to one character per byte. */
function decodeBase64(text: string): string | undefined {
  try {
    return atob(text);
  } catch {
    return undefined;
  }
}
