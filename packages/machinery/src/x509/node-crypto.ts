/** `CryptoHost` on Node. */
import { X509Certificate, createHash, createPrivateKey, createPublicKey, generateKeyPairSync, randomBytes, sign } from "node:crypto";
import type { KeyObject } from "node:crypto";
import { parseIpAddress, printIpAddress } from "../validation/ip-address.ts";
import type { CertificateFacts, CryptoHost, SigningKey } from "./crypto-host.ts";

/** Keys, certificates, hashes and random bytes from `node:crypto`. */
export const nodeCrypto: CryptoHost = {
  generateKeyPair: () => {
    const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    return signingKey(privateKey, publicKey);
  },
  loadKey: (privateKeyPem) => {
    const key = createPrivateKey(privateKeyPem);
    if (key.asymmetricKeyDetails?.namedCurve !== "prime256v1") throw new Error("the private key is not one of the curve P-256");
    return signingKey(key, createPublicKey(key));
  },
  isPair: (certificatePem, privateKeyPem) => {
    try {
      return new X509Certificate(certificatePem).checkPrivateKey(createPrivateKey(privateKeyPem));
    } catch {
      return false;
    }
  },
  readCertificate: (pem) => certificateFacts(new X509Certificate(pem)),
  sha1: (bytes) => createHash("sha1").update(bytes).digest(),
  randomBytes: (count) => randomBytes(count),
};

function signingKey(privateKey: KeyObject, publicKey: KeyObject): SigningKey {
  return {
    privateKeyPem: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
    publicKeyDer: publicKey.export({ type: "spki", format: "der" }),
    sign: (bytes) => sign("sha256", bytes, privateKey),
  };
}

function certificateFacts(certificate: X509Certificate): CertificateFacts {
  const names = (certificate.subjectAltName ?? "").split(", ");
  const named = (prefix: string): string[] => names.flatMap((name) => (name.startsWith(prefix) ? [name.slice(prefix.length)] : []));
  return {
    commonName: /^CN=(?<name>[^\n]*)$/.exec(certificate.subject ?? "")?.groups?.["name"],
    notBefore: Date.parse(certificate.validFrom),
    notAfter: Date.parse(certificate.validTo),
    isAuthority: certificate.ca,
    dnsNames: named("DNS:"),
    ips: named("IP Address:").map(shortest),
    fingerprint: createHash("sha256").update(certificate.raw).digest("hex"),
    hasKey: ({ publicKeyDer }) => certificate.publicKey.export({ type: "spki", format: "der" }).equals(publicKeyDer),
    isIssuedBy: (authorityPem) => isIssuedBy(certificate, authorityPem),
  };
}

function shortest(ip: string): string {
  const address = parseIpAddress(ip);
  return address === undefined ? ip : printIpAddress(address);
}

function isIssuedBy(certificate: X509Certificate, authorityPem: string): boolean {
  try {
    const authority = new X509Certificate(authorityPem);
    return authority.ca && certificate.checkIssued(authority) && certificate.verify(authority.publicKey);
  } catch {
    return false;
  }
}
