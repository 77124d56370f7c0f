/** A certificate authority of thirty lines, for tests that log in with client certificates: EC keys, X.509 v3, written in DER by hand. */
import { generateKeyPairSync, randomBytes, sign } from "node:crypto";
import type { KeyObject } from "node:crypto";

export interface Issued {
  readonly certificate: string;
  readonly key: string;
}

export interface TestAuthority {
  readonly certificate: string;
  /** A client certificate for a user and groups, as Kubernetes reads common name and organisations. */
  readonly issue: (user: string, groups: readonly string[], validity?: { readonly notBeforeMs?: number; readonly notAfterMs?: number }) => Issued;
}

const hourMs = 3_600_000;

/** A new authority, good for a day. */
export function testAuthority(name: string): TestAuthority {
  const authority = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const issuer = nameOf(name, []);
  const now = Date.now();
  const isAuthority = sequence(oid("551d13"), boolean(true), octets(sequence(boolean(true))));
  return {
    certificate: certificate({ issuer, subject: issuer, publicKey: authority.publicKey, signer: authority.privateKey, notBeforeMs: now - hourMs, notAfterMs: now + 24 * hourMs, extension: isAuthority }),
    issue: (user, groups, { notBeforeMs = now - hourMs, notAfterMs = now + hourMs } = {}) => {
      const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
      const forClients = sequence(oid("551d25"), octets(sequence(oid("2b06010505070302"))));
      return {
        certificate: certificate({ issuer, subject: nameOf(user, groups), publicKey, signer: authority.privateKey, notBeforeMs, notAfterMs, extension: forClients }),
        key: privateKey.export({ type: "pkcs8", format: "pem" }) as string,
      };
    },
  };
}

interface Contents {
  readonly issuer: Buffer;
  readonly subject: Buffer;
  readonly publicKey: KeyObject;
  readonly signer: KeyObject;
  readonly notBeforeMs: number;
  readonly notAfterMs: number;
  readonly extension: Buffer;
}

function certificate({ issuer, subject, publicKey, signer, notBeforeMs, notAfterMs, extension }: Contents): string {
  const algorithm = sequence(oid("2a8648ce3d040302"));
  const serial = Buffer.concat([Buffer.from([0x01]), randomBytes(15)]);
  const body = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))), der(0x02, serial), algorithm, issuer, sequence(time(notBeforeMs), time(notAfterMs)), subject,
    publicKey.export({ type: "spki", format: "der" }), der(0xa3, sequence(extension)),
  );
  const signature = sign("sha256", body, signer);
  const whole = sequence(body, algorithm, der(0x03, Buffer.concat([Buffer.from([0]), signature])));
  return `-----BEGIN CERTIFICATE-----\n${(whole.toString("base64").match(/.{1,64}/g) ?? []).join("\n")}\n-----END CERTIFICATE-----\n`;
}

function nameOf(common: string, organisations: readonly string[]): Buffer {
  const part = (type: string, text: string): Buffer => der(0x31, sequence(oid(type), der(0x0c, Buffer.from(text, "utf8"))));
  return sequence(...organisations.map((text) => part("55040a", text)), part("550403", common));
}

const time = (epochMs: number): Buffer => der(0x18, Buffer.from(`${new Date(epochMs).toISOString().replace(/[-:T]/g, "").slice(0, 14)}Z`));
const oid = (hex: string): Buffer => der(0x06, Buffer.from(hex, "hex"));
const boolean = (value: boolean): Buffer => der(0x01, Buffer.from([value ? 0xff : 0]));
const octets = (bytes: Buffer): Buffer => der(0x04, bytes);
const sequence = (...parts: readonly Buffer[]): Buffer => der(0x30, Buffer.concat(parts));

function der(tag: number, content: Buffer): Buffer {
  const { length } = content;
  const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}
