/** PEM: DER as text. */

/** Returns a PEM block with a label such as "CERTIFICATE", in lines of 64 characters. */
export function formatPem(label: string, der: Uint8Array): string {
  const text = btoa(Array.from(der, (byte) => String.fromCharCode(byte)).join(""));
  return `-----BEGIN ${label}-----\n${text.replaceAll(/.{1,64}/g, "$&\n")}-----END ${label}-----\n`;
}
