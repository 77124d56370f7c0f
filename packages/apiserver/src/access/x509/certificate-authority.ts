/**
 * A certificate authority for the lifetime of a server: created at its start, it signs the certificates of the server and its
 * users.
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
  /** Common name of the authority. */
  readonly commonName: string;
  readonly crypto: CryptoHost;
  readonly clock: Pick<Clock, "now">;
  /** Validity of the authority's certificate. @default 10 years */
  readonly validityMs?: number;
}

export interface IssueOptions extends DistinguishedName {
  readonly usage: "server" | "client";
  /** DNS names of a server. @default none */
  readonly dnsNames?: readonly string[];
  /** IP addresses of a server. @default none */
  readonly ips?: readonly string[];
  /** Validity of the certificate; ends at the latest with that of the authority. @default 1 year */
  readonly validityMs?: number;
}

/** A certificate and its private key, both PEM. */
export interface IssuedCertificate {
  readonly certificatePem: string;
  readonly privateKeyPem: string;
}

export interface CertificateAuthority extends IssuedCertificate {
  /** Issues a certificate with a new key. */
  readonly issue: (options: IssueOptions) => IssuedCertificate;
}

const day = hours(24);
/** Backdates certificates, because the clocks of clients may lag. */
const backdatedMs = hours(1);

/** Creates an authority with a new key. */
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

/** Hashes the whole public key rather than only its bits as RFC 5280 suggests: key ids only need to be stable. */
const keyIdOf = ({ publicKeyDer }: SigningKey, crypto: CryptoHost): Uint8Array => crypto.sha1(publicKeyDer);

/** Sixteen random bytes, never zero or negative. */
function newSerial(crypto: CryptoHost): Uint8Array {
  const serial = Uint8Array.from(crypto.randomBytes(16));
  serial[0] = ((serial[0] ?? 0) & 0x7f) | 0x40;
  return serial;
}
