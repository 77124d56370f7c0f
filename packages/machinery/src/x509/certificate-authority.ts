/**
 * A certificate authority: signs the certificates of a server and its users. Created with a new key, or loaded with a stored one.
 *
 *     const authority = certificateAuthority({ commonName: "drover-ca", crypto, clock });
 *     authority.issue({ commonName: "kube-apiserver", dnsNames: ["localhost"], ips: ["127.0.0.1"], usage: "server" })
 */
import type { Clock } from "../runtime/clock.ts";
import { hours } from "../values/duration.ts";
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
  const now = clock.now();
  const notAfter = now + validityMs;
  const signer: Signer = { issuer: { commonName }, key, crypto };
  const own = sign(signer, signer.issuer, key, { usage: "authority", dnsNames: [], ips: [], notBefore: now - backdatedMs, notAfter });
  return { ...own, issue: issuing(signer, clock, notAfter) };
}

export interface LoadCertificateAuthorityOptions extends IssuedCertificate {
  readonly crypto: CryptoHost;
  readonly clock: Pick<Clock, "now">;
}

/**
 * Loads an authority that `certificateAuthority` created. Throws an Error that names the problem if certificate or key cannot be read, do
 * not belong together, or if the certificate is not that of an authority with a common name alone.
 */
export function loadCertificateAuthority({
  certificatePem,
  privateKeyPem,
  crypto,
  clock,
}: LoadCertificateAuthorityOptions): CertificateAuthority {
  const { commonName, isAuthority, notAfter, hasKey } = crypto.readCertificate(certificatePem);
  const key = crypto.loadKey(privateKeyPem);
  if (!isAuthority || commonName === undefined) throw new Error("the certificate is not one of an authority created by this program");
  if (!hasKey(key)) throw new Error("the private key does not belong to the certificate of the authority");
  return { certificatePem, privateKeyPem, issue: issuing({ issuer: { commonName }, key, crypto }, clock, notAfter) };
}

interface Signer {
  readonly issuer: DistinguishedName;
  readonly key: SigningKey;
  readonly crypto: CryptoHost;
}

function sign(
  { issuer, key, crypto }: Signer,
  subject: DistinguishedName,
  signed: SigningKey,
  fields: Pick<CertificateFields, "usage" | "dnsNames" | "ips" | "notBefore" | "notAfter">,
): IssuedCertificate {
  return {
    certificatePem: formatPem(
      "CERTIFICATE",
      certificateDer({
        ...fields,
        issuer,
        subject,
        publicKeyDer: signed.publicKeyDer,
        serial: newSerial(crypto),
        subjectKeyId: keyIdOf(signed, crypto),
        authorityKeyId: keyIdOf(key, crypto),
        sign: key.sign,
      }),
    ),
    privateKeyPem: signed.privateKeyPem,
  };
}

function issuing(signer: Signer, clock: Pick<Clock, "now">, lastMs: number): CertificateAuthority["issue"] {
  return ({ usage, dnsNames = [], ips = [], validityMs = 365 * day, ...subject }) => {
    const now = clock.now();
    const notAfter = Math.min(now + validityMs, lastMs);
    return sign(signer, subject, signer.crypto.generateKeyPair(), { usage, dnsNames, ips, notBefore: now - backdatedMs, notAfter });
  };
}

/** Hashes the whole public key rather than only its bits as RFC 5280 suggests: key ids only need to be stable. */
const keyIdOf = ({ publicKeyDer }: SigningKey, crypto: CryptoHost): Uint8Array => crypto.sha1(publicKeyDer);

/** Sixteen random bytes, never zero or negative. */
function newSerial(crypto: CryptoHost): Uint8Array {
  const serial = Uint8Array.from(crypto.randomBytes(16));
  serial[0] = ((serial[0] ?? 0) & 0x7f) | 0x40;
  return serial;
}
