/**
 * Certificates for tests and benchmarks, created on demand: an authority, and certificates it signs, with any names and
 * dates. Encodes DER itself, because Node parses certificates but does not create them; keys are never stored.
 */
import { X509Certificate, createPrivateKey, generateKeyPairSync, sign } from "node:crypto";
import type { KeyObject } from "node:crypto";

export interface Issued {
  readonly certificate: string;
  readonly key: string;
}

export interface Authority extends Issued {
  /** Signs a certificate for these names and addresses. */
  readonly issue: (options: IssueOptions) => Issued;
}

export interface IssueOptions {
  readonly commonName: string;
  /** Groups of a Kubernetes user. @default none */
  readonly organizations?: readonly string[];
  /** @default none */
  readonly dnsNames?: readonly string[];
  /** IPv4 only. @default none */
  readonly addresses?: readonly string[];
  /** "20200101000000Z" @default long ago */
  readonly notBefore?: string;
  /** @default long from now */
  readonly notAfter?: string;
}

/** Creates a new authority. */
export function authority(commonName: string): Authority {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const name = nameOf({ commonName });
  const certificate = signed({
    issuer: name,
    subject: name,
    publicKey,
    signer: privateKey,
    extensions: [extension([0x55, 0x1d, 0x13], tlv(0x30, tlv(0x01, Buffer.of(0xff))))],
  });
  return authorityFrom({ certificate, key: pemOf(privateKey) });
}

/** Restores an authority that `authority` created elsewhere. */
export function authorityFrom({ certificate, key }: Issued): Authority {
  const [, commonName = ""] = /^CN=(.*)$/m.exec(new X509Certificate(certificate).subject) ?? [];
  const [issuer, signer] = [nameOf({ commonName }), createPrivateKey(key)];
  const issue = (options: IssueOptions): Issued => {
    const pair = generateKeyPairSync("ec", { namedCurve: "P-256" });
    const names = [
      ...(options.dnsNames ?? []).map((dns) => tlv(0x82, Buffer.from(dns))),
      ...(options.addresses ?? []).map((address) => tlv(0x87, Buffer.from(address.split(".").map(Number)))),
    ];
    const extensions = names.length === 0 ? [] : [extension([0x55, 0x1d, 0x11], tlv(0x30, ...names))];
    return {
      certificate: signed({ issuer, subject: nameOf(options), publicKey: pair.publicKey, signer, extensions, ...options }),
      key: pemOf(pair.privateKey),
    };
  };
  return { certificate, key, issue };
}

interface ToSign {
  readonly issuer: Buffer;
  readonly subject: Buffer;
  readonly publicKey: KeyObject;
  readonly signer: KeyObject;
  readonly extensions: readonly Buffer[];
  readonly notBefore?: string;
  readonly notAfter?: string;
}

// 1.2.840.10045.4.3.2, ECDSA with SHA-256
const algorithm: Readonly<Buffer> = tlv(0x30, tlv(0x06, Buffer.of(0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02)));

function signed({
  issuer,
  subject,
  publicKey,
  signer,
  extensions,
  notBefore = "20200101000000Z",
  notAfter = "21200101000000Z",
}: ToSign): string {
  const serial = generateKeyPairSync("ed25519").publicKey.export({ type: "spki", format: "der" }).subarray(-8);
  serial[0] = 1;
  const toSign = tlv(
    0x30,
    tlv(0xa0, tlv(0x02, Buffer.of(2))),
    tlv(0x02, serial),
    algorithm,
    issuer,
    tlv(0x30, tlv(0x18, Buffer.from(notBefore)), tlv(0x18, Buffer.from(notAfter))),
    subject,
    publicKey.export({ type: "spki", format: "der" }),
    ...(extensions.length === 0 ? [] : [tlv(0xa3, tlv(0x30, ...extensions))]),
  );
  const der = tlv(0x30, toSign, algorithm, tlv(0x03, Buffer.of(0), sign("sha256", toSign, signer)));
  return `-----BEGIN CERTIFICATE-----\n${(der.toString("base64").match(/.{1,64}/g) ?? []).join("\n")}\n-----END CERTIFICATE-----\n`;
}

const extension = (id: readonly number[], value: Buffer): Buffer => tlv(0x30, tlv(0x06, Buffer.from(id)), tlv(0x04, value));

function nameOf({ commonName, organizations = [] }: Pick<IssueOptions, "commonName" | "organizations">): Buffer {
  const part = (last: number, text: string): Buffer =>
    tlv(0x31, tlv(0x30, tlv(0x06, Buffer.of(0x55, 0x04, last)), tlv(0x0c, Buffer.from(text))));
  return tlv(0x30, ...organizations.map((organization) => part(10, organization)), part(3, commonName));
}

const pemOf = (key: KeyObject): string => key.export({ type: "pkcs8", format: "pem" }) as string;

/** Tag, length, value. */
function tlv(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const value = Buffer.concat(parts);
  const length =
    value.length < 128 ? [value.length] : value.length < 256 ? [0x81, value.length] : [0x82, value.length >> 8, value.length & 255];
  return Buffer.concat([Buffer.of(tag, ...length), value]);
}
