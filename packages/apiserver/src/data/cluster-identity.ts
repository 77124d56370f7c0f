/**
 * What makes a restarted cluster the same one for its clients: the certificate authority, the administrator's certificate, the key of
 * service account tokens, and the port.
 */
import { decodeJson, isJsonObject } from "@drover/machinery";
import type { Clock, JsonObject } from "@drover/machinery";
import { certificateAuthority, loadCertificateAuthority } from "@drover/machinery/x509";
import type { CertificateAuthority, CryptoHost, IssuedCertificate } from "@drover/machinery/x509";

export interface ClusterIdentity {
  readonly authority: CertificateAuthority;
  /** Client certificate of the administrator `kubernetes-admin`. */
  readonly admin: IssuedCertificate;
  /** Key of service account tokens, PEM. */
  readonly tokenKeyPem: string;
  /** Port of the last run. */
  readonly port: number | undefined;
}

export interface IdentityPlace {
  readonly crypto: CryptoHost;
  readonly clock: Pick<Clock, "now">;
  readonly newTokenKey: () => string;
}

/** A certificate that ends within this time is replaced at the start. */
const renewalMs = 30 * 24 * 3_600_000;

/** Creates an identity. */
export function newIdentity({ crypto, clock, newTokenKey }: IdentityPlace): ClusterIdentity {
  const authority = certificateAuthority({ commonName: "drover", crypto, clock });
  return { authority, admin: newAdmin(authority), tokenKeyPem: newTokenKey(), port: undefined };
}

/** Parses an identity and renews certificates that are about to end. Throws an Error that names the problem. */
export function readIdentity(text: string, place: IdentityPlace): ClusterIdentity {
  const { crypto, clock } = place;
  const value = decodeJson(text);
  if (!isJsonObject(value)) throw new Error("it is not an object");
  if (value["version"] !== 1) throw new Error(`its version is ${JSON.stringify(value["version"])}, this program reads 1`);
  const stored = pairAt(value, "authority");
  const endsSoon = (pem: string): boolean => crypto.readCertificate(pem).notAfter < clock.now() + renewalMs;
  const authority = endsSoon(stored.certificatePem)
    ? certificateAuthority({ commonName: "drover", crypto, clock })
    : loadCertificateAuthority({ ...stored, crypto, clock });
  const admin = pairAt(value, "admin");
  const isValid = crypto.isPair(admin.certificatePem, admin.privateKeyPem) && !endsSoon(admin.certificatePem);
  const isOurs = isValid && crypto.readCertificate(admin.certificatePem).isIssuedBy(authority.certificatePem);
  const port = value["port"];
  return {
    authority,
    admin: isOurs ? admin : newAdmin(authority),
    tokenKeyPem: textAt(value, "tokenKeyPem"),
    port: typeof port === "number" && Number.isInteger(port) && port > 0 && port < 65_536 ? port : undefined,
  };
}

/** The text of an identity: it contains private keys. */
export function printIdentity({ authority, admin, tokenKeyPem, port }: ClusterIdentity): string {
  const pair = ({ certificatePem, privateKeyPem }: IssuedCertificate): IssuedCertificate => ({ certificatePem, privateKeyPem });
  return `${JSON.stringify({ version: 1, authority: pair(authority), admin: pair(admin), tokenKeyPem, port }, undefined, 2)}\n`;
}

const newAdmin = (authority: CertificateAuthority): IssuedCertificate =>
  authority.issue({ commonName: "kubernetes-admin", organizations: ["system:masters"], usage: "client" });

function pairAt(value: JsonObject, field: string): IssuedCertificate {
  const pair = value[field];
  if (!isJsonObject(pair)) throw new Error(`its field ${field} is missing`);
  return { certificatePem: textAt(pair, "certificatePem"), privateKeyPem: textAt(pair, "privateKeyPem") };
}

function textAt(value: JsonObject, field: string): string {
  const text = value[field];
  if (typeof text !== "string") throw new Error(`its field ${field} is not a text`);
  return text;
}
