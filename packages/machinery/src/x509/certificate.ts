/**
 * One X.509 v3 certificate on the curve P-256, signed with ECDSA and SHA-256.
 *
 *     CertificateFields → certificateDer → formatPem
 */
import { isIpv4, parseIpAddress } from "../validation/ip-address.ts";
import { derBits, derInteger, derObjectId, derOctets, derSequence, derSet, derTagged, derTime, derTrue, derUtf8 } from "./der.ts";

/** Subject or issuer. To the API server the common name is the user and the organizations are the groups. */
export interface DistinguishedName {
  readonly commonName: string;
  /** @default none */
  readonly organizations?: readonly string[];
}

/** Whether the certificate signs others, identifies a server, or identifies a user. */
export type CertificateUsage = "authority" | "server" | "client";

export interface CertificateFields {
  readonly issuer: DistinguishedName;
  readonly subject: DistinguishedName;
  readonly usage: CertificateUsage;
  /** SubjectPublicKeyInfo, DER. */
  readonly publicKeyDer: Uint8Array;
  /** Unique among the issuer's certificates; big-endian. */
  readonly serial: Uint8Array;
  /** Milliseconds since 1970, both inclusive. */
  readonly notBefore: number;
  readonly notAfter: number;
  readonly dnsNames: readonly string[];
  readonly ips: readonly string[];
  /** Ids of the keys of subject and issuer. */
  readonly subjectKeyId: Uint8Array;
  readonly authorityKeyId: Uint8Array;
  /** Signs with the issuer's key. */
  readonly sign: (bytes: Uint8Array) => Uint8Array;
}

const objectIds = {
  commonName: "2.5.4.3",
  organization: "2.5.4.10",
  ecdsaWithSha256: "1.2.840.10045.4.3.2",
  subjectKeyId: "2.5.29.14",
  keyUsage: "2.5.29.15",
  subjectAltName: "2.5.29.17",
  basicConstraints: "2.5.29.19",
  authorityKeyId: "2.5.29.35",
  extKeyUsage: "2.5.29.37",
  serverAuth: "1.3.6.1.5.5.7.3.1",
  clientAuth: "1.3.6.1.5.5.7.3.2",
} as const;

/** Returns the signed certificate. Throws for an invalid IP address or a DNS name that is not ASCII. */
export function certificateDer(fields: CertificateFields): Uint8Array {
  const { issuer, subject, publicKeyDer, serial, notBefore, notAfter, sign } = fields;
  const version3 = derTagged(0, derInteger(Uint8Array.of(2)), { constructed: true });
  const algorithm = derSequence(derObjectId(objectIds.ecdsaWithSha256));
  const toSign = derSequence(
    version3,
    derInteger(serial),
    algorithm,
    name(issuer),
    derSequence(derTime(notBefore), derTime(notAfter)),
    name(subject),
    publicKeyDer,
    derTagged(3, derSequence(...extensions(fields)), { constructed: true }),
  );
  return derSequence(toSign, algorithm, derBits(sign(toSign)));
}

function name({ commonName, organizations = [] }: DistinguishedName): Uint8Array {
  const part = (objectId: string, text: string): Uint8Array => derSet(derSequence(derObjectId(objectId), derUtf8(text)));
  return derSequence(...organizations.map((text) => part(objectIds.organization, text)), part(objectIds.commonName, commonName));
}

function extensions({ usage, dnsNames, ips, subjectKeyId, authorityKeyId }: CertificateFields): Uint8Array[] {
  const names = [...dnsNames.map(dnsName), ...ips.map(ipName)];
  return [
    extension(objectIds.keyUsage, keyUsage(usage), { critical: true }),
    ...(usage === "authority"
      ? []
      : [extension(objectIds.extKeyUsage, derSequence(derObjectId(usage === "server" ? objectIds.serverAuth : objectIds.clientAuth)))]),
    extension(objectIds.basicConstraints, usage === "authority" ? derSequence(derTrue()) : derSequence(), { critical: true }),
    extension(objectIds.subjectKeyId, derOctets(subjectKeyId)),
    extension(objectIds.authorityKeyId, derSequence(derTagged(0, authorityKeyId, { constructed: false }))),
    ...(names.length === 0 ? [] : [extension(objectIds.subjectAltName, derSequence(...names))]),
  ];
}

function extension(objectId: string, content: Uint8Array, { critical = false }: { readonly critical?: boolean } = {}): Uint8Array {
  return derSequence(derObjectId(objectId), ...(critical ? [derTrue()] : []), derOctets(content));
}

/** Bit 0 is digitalSignature, bit 5 keyCertSign, bit 6 cRLSign, counted from the left; trailing zeros are not counted. */
const keyUsage = (usage: CertificateUsage): Uint8Array =>
  usage === "authority" ? derBits(Uint8Array.of(0b1000_0110), 1) : derBits(Uint8Array.of(0b1000_0000), 7);

function dnsName(text: string): Uint8Array {
  if (!/^[\u0021-\u007e]+$/.test(text))
    throw new RangeError(`a certificate cannot be issued for the DNS name ${JSON.stringify(text)}: use its ASCII form`);
  return derTagged(2, new TextEncoder().encode(text), { constructed: false });
}

function ipName(text: string): Uint8Array {
  const address = parseIpAddress(text);
  if (address === undefined)
    throw new RangeError(`a certificate cannot be issued for the address ${JSON.stringify(text)}: it is neither IPv4 nor IPv6`);
  return derTagged(7, Uint8Array.from(isIpv4(address) ? address.bytes.slice(12) : address.bytes), { constructed: false });
}
