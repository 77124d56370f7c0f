/**
 * A certificate authority that lives as long as a server: made at its start, signing the server's certificate and those of its users.
 *
 *     const authority = certificateAuthority({ commonName: "drover-ca", crypto, clock });
 *     authority.issue({ commonName: "kube-apiserver", dnsNames: ["localhost"], ips: ["127.0.0.1"], usage: "server" })
 */
import { hours } from "@drover/machinery";
import type { Clock } from "@drover/machinery";
import { certificateDer } from "./certificate.ts";
import type { CertificateFields, DistinguishedName } from "./certificate.ts";
import type { CryptoHost, SigningKey } from "./crypto-host.ts";
import { formatPem } from "./pem.ts";

export interface CertificateAuthorityOptions {
  /** The name of the authority. */
  readonly commonName: string;
  readonly crypto: CryptoHost;
  readonly clock: Pick<Clock, "now">;
  /** How long the authority is good for. @default ten years */
  readonly validityMs?: number;
}

export interface IssueOptions extends DistinguishedName {
  readonly usage: "server" | "client";
  /** The names a server is reached by. @default none */
  readonly dnsNames?: readonly string[];
  /** The addresses a server is reached by. @default none */
  readonly ips?: readonly string[];
  /** How long the certificate is good for; never longer than the authority. @default a year */
  readonly validityMs?: number;
}

/** A certificate and the key that belongs to it, both PEM. */
export interface IssuedCertificate {
  readonly certificatePem: string;
  readonly privateKeyPem: string;
}

export interface CertificateAuthority extends IssuedCertificate {
  /** A certificate with a key of its own, signed by this authority. */
  readonly issue: (options: IssueOptions) => IssuedCertificate;
}

const day = hours(24);
/** Clocks differ; a certificate that is good from now on is not good yet where they are behind. */
const backdatedMs = hours(1);

/** Makes an authority with a new key. */
export function certificateAuthority({
  commonName,
  crypto,
  clock,
  validityMs = 3650 * day,
}: CertificateAuthorityOptions): CertificateAuthority {
  const key = crypto.generateKeyPair();
  const issuer: DistinguishedName = { commonName };
  const keyId = keyIdOf(key, crypto);
  const now = clock.now();
  const lastMs = now + validityMs;
  const sign = (
    subject: DistinguishedName,
    signed: SigningKey,
    fields: Pick<CertificateFields, "usage" | "dnsNames" | "ips" | "notBefore" | "notAfter">,
  ): IssuedCertificate => ({
    certificatePem: formatPem(
      "CERTIFICATE",
      certificateDer({
        ...fields,
        issuer,
        subject,
        publicKeyDer: signed.publicKeyDer,
        serial: newSerial(crypto),
        subjectKeyId: keyIdOf(signed, crypto),
        authorityKeyId: keyId,
        sign: key.sign,
      }),
    ),
    privateKeyPem: signed.privateKeyPem,
  });
  const issue = ({ usage, dnsNames = [], ips = [], validityMs: wantedMs = 365 * day, ...subject }: IssueOptions): IssuedCertificate => {
    const issuedMs = clock.now();
    return sign(subject, crypto.generateKeyPair(), {
      usage,
      dnsNames,
      ips,
      notBefore: issuedMs - backdatedMs,
      notAfter: Math.min(issuedMs + wantedMs, lastMs),
    });
  };
  return { ...sign(issuer, key, { usage: "authority", dnsNames: [], ips: [], notBefore: now - backdatedMs, notAfter: lastMs }), issue };
}

/** Over the whole public key, not only its bits as RFC 5280 suggests: any name will do that is the same each time. */
const keyIdOf = ({ publicKeyDer }: SigningKey, crypto: CryptoHost): Uint8Array => crypto.sha1(publicKeyDer);

/** Sixteen bytes nobody can guess, and never zero or negative. */
function newSerial(crypto: CryptoHost): Uint8Array {
  const serial = Uint8Array.from(crypto.randomBytes(16));
  serial[0] = ((serial[0] ?? 0) & 0x7f) | 0x40;
  return serial;
}
