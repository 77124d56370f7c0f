/**
 * Decides what the Secret with the certificates of a webhook server must contain: pure, so that years can be tested in a moment.
 *
 *     SecretTexts → nextCertificates → SecretTexts
 *
 * An authority is replaced in two steps. First its successor joins the bundle, while certificates still come from the old one. When every
 * replica and every configuration has had time to get that bundle, the successor issues the certificate. The old one stays in the bundle
 * until it expires.
 */
import type { Clock } from "@drover/machinery";
import { certificateAuthority, loadCertificateAuthority } from "@drover/machinery/x509";
import type { CertificateAuthority, CertificateFacts, CryptoHost, IssuedCertificate } from "@drover/machinery/x509";

/** Values of the Secret by key, decoded. */
export type SecretTexts = Readonly<Record<string, string>>;

/** Keys of the Secret; `ca.crt`, `tls.crt` and `tls.key` are those that cert-manager uses. */
export const secretKeys = {
  /** The authority that issues, then others that are still, or already, to be trusted. */
  bundle: "ca.crt",
  authorityKey: "ca.key",
  /** The next authority, from when it is created until it issues. */
  nextAuthority: "next-ca.crt",
  nextAuthorityKey: "next-ca.key",
  certificate: "tls.crt",
  privateKey: "tls.key",
} as const;

export interface CertificateLifetimes {
  /** Validity of the serving certificate, in milliseconds. */
  readonly leafMs: number;
  /** Validity of the authority, in milliseconds. */
  readonly authorityMs: number;
  /** How long the next authority is in the bundle before it issues, in milliseconds. */
  readonly overlapMs: number;
}

const day = 24 * 3_600_000;
/** Ninety days, a year; replicas read the Secret every ten seconds, and may be without connection for a while. */
export const defaultLifetimes: CertificateLifetimes = { leafMs: 90 * day, authorityMs: 365 * day, overlapMs: 3_600_000 };

export interface NextCertificatesOptions {
  /** Names and IP addresses that the certificate must have. */
  readonly names: CertificateNames;
  readonly crypto: CryptoHost;
  readonly clock: Pick<Clock, "now">;
  /** Common name of authorities. */
  readonly authorityName: string;
  readonly lifetimes: CertificateLifetimes;
}

export interface CertificateNames {
  readonly dnsNames: readonly string[];
  readonly ips: readonly string[];
}

export interface NextCertificates {
  readonly texts: SecretTexts;
  /** What was done, for the log; empty if the Secret is as it must be. */
  readonly steps: readonly string[];
  /** When the certificate and the authority expire, in milliseconds since 1970. */
  readonly expiry: { readonly certificate: number; readonly authority: number };
}

/** Most authorities in a bundle. */
const authoritiesMax = 4;
/** Most names in a certificate; with more, names that this replica does not need are dropped. */
const namesMax = 16;

/**
 * Returns the contents that the Secret must have now. What is missing, damaged, expired or due for renewal is replaced, and nothing else.
 *
 * Guarantees: the certificate belongs to its key, has the names, is valid now, and is issued by an authority in the bundle.
 */
export function nextCertificates(given: SecretTexts, options: NextCertificatesOptions): NextCertificates {
  const steps: string[] = [];
  const authorities = nextAuthorities(given, options, steps);
  const { current, next } = authorities;
  const leaf = nextLeaf(given, current, options, steps);
  const bundle = bundleOf(given, authorities, options);
  const texts: SecretTexts = {
    [secretKeys.bundle]: bundle,
    [secretKeys.authorityKey]: current.privateKeyPem,
    ...(next === undefined ? {} : { [secretKeys.nextAuthority]: next.certificatePem, [secretKeys.nextAuthorityKey]: next.privateKeyPem }),
    [secretKeys.certificate]: leaf.certificatePem,
    [secretKeys.privateKey]: leaf.privateKeyPem,
  };
  if (steps.length === 0 && !isSame(given, texts)) steps.push("repaired the bundle");
  const expiryOf = (pem: string): number => options.crypto.readCertificate(pem).notAfter;
  return { texts, steps, expiry: { certificate: expiryOf(leaf.certificatePem), authority: expiryOf(current.certificatePem) } };
}

interface Authorities {
  readonly current: CertificateAuthority;
  readonly next: CertificateAuthority | undefined;
}

function nextAuthorities(given: SecretTexts, options: NextCertificatesOptions, steps: string[]): Authorities {
  const { clock, lifetimes } = options;
  const now = clock.now();
  const current = soundAuthority(certificatesIn(given[secretKeys.bundle])[0], given[secretKeys.authorityKey], options);
  const next = soundAuthority(given[secretKeys.nextAuthority], given[secretKeys.nextAuthorityKey], options);
  if (current === undefined && next !== undefined) {
    steps.push("replaced an authority that was missing, damaged or expired by its successor");
    return { current: next.authority, next: undefined };
  }
  if (current === undefined) {
    steps.push(given[secretKeys.bundle] === undefined ? "created an authority" : "replaced an authority that was damaged or expired");
    return { current: newAuthority(options), next: undefined };
  }
  if (next !== undefined && now - next.facts.notBefore >= lifetimes.overlapMs + backdatedMs) {
    steps.push("issuing from the next authority");
    return { current: next.authority, next: undefined };
  }
  if (next === undefined && isDue(current.facts, now)) {
    steps.push("created the next authority");
    return { current: current.authority, next: newAuthority(options) };
  }
  return { current: current.authority, next: next?.authority };
}

/** Certificates are valid from an hour before they are issued. */
const backdatedMs = 3_600_000;

/** Whether two thirds of the validity are over. */
const isDue = ({ notBefore, notAfter }: CertificateFacts, now: number): boolean => now >= notBefore + ((notAfter - notBefore) * 2) / 3;

const isValid = ({ notBefore, notAfter }: CertificateFacts, now: number): boolean => now >= notBefore && now < notAfter;

const newAuthority = ({ authorityName, crypto, clock, lifetimes }: NextCertificatesOptions): CertificateAuthority =>
  certificateAuthority({ commonName: authorityName, crypto, clock, validityMs: lifetimes.authorityMs });

interface SoundAuthority {
  readonly authority: CertificateAuthority;
  readonly facts: CertificateFacts;
}

function soundAuthority(
  certificatePem: string | undefined,
  privateKeyPem: string | undefined,
  { crypto, clock }: NextCertificatesOptions,
): SoundAuthority | undefined {
  if (certificatePem === undefined || privateKeyPem === undefined) return undefined;
  try {
    const authority = loadCertificateAuthority({ certificatePem, privateKeyPem, crypto, clock });
    const facts = crypto.readCertificate(certificatePem);
    return isValid(facts, clock.now()) ? { authority, facts } : undefined;
  } catch {
    return undefined;
  }
}

function nextLeaf(given: SecretTexts, issuer: CertificateAuthority, options: NextCertificatesOptions, steps: string[]): IssuedCertificate {
  const { crypto, clock, names, lifetimes } = options;
  const certificatePem = given[secretKeys.certificate] ?? "";
  const privateKeyPem = given[secretKeys.privateKey] ?? "";
  const facts = leafFacts(certificatePem, privateKeyPem, crypto);
  const problem = facts === undefined ? "missing or damaged" : leafProblem(facts, issuer, names, clock.now());
  if (problem === undefined) return { certificatePem, privateKeyPem };
  steps.push(`issued a certificate: the last one was ${problem}`);
  const wanted = facts === undefined ? names : joinedNames(names, facts);
  return issuer.issue({ commonName: wanted.dnsNames[0] ?? "webhooks", usage: "server", ...wanted, validityMs: lifetimes.leafMs });
}

function leafFacts(certificatePem: string, privateKeyPem: string, crypto: CryptoHost): CertificateFacts | undefined {
  try {
    const facts = crypto.readCertificate(certificatePem);
    return facts.hasKey(crypto.loadKey(privateKeyPem)) ? facts : undefined;
  } catch {
    return undefined;
  }
}

function leafProblem(facts: CertificateFacts, issuer: IssuedCertificate, names: CertificateNames, now: number): string | undefined {
  if (!facts.isIssuedBy(issuer.certificatePem)) return "issued by another authority";
  if (!isValid(facts, now)) return "expired";
  if (isDue(facts, now)) return "due for renewal";
  const isCovered = names.dnsNames.every((name) => facts.dnsNames.includes(name)) && names.ips.every((ip) => facts.ips.includes(ip));
  return isCovered ? undefined : "without a name of this server";
}

/** Keeps the names of other replicas, so that two of them do not replace each other's certificates for ever. */
function joinedNames(wanted: CertificateNames, { dnsNames, ips }: CertificateNames): CertificateNames {
  const all = { dnsNames: [...new Set([...wanted.dnsNames, ...dnsNames])], ips: [...new Set([...wanted.ips, ...ips])] };
  return all.dnsNames.length + all.ips.length > namesMax ? wanted : all;
}

function bundleOf(given: SecretTexts, { current, next }: Authorities, { crypto, clock }: NextCertificatesOptions): string {
  const now = clock.now();
  const known = certificatesIn(given[secretKeys.bundle]).filter((pem) => isTrusted(pem, crypto, now));
  const all = new Set([current.certificatePem, ...(next === undefined ? [] : [next.certificatePem]), ...known]);
  return [...all].slice(0, authoritiesMax).join("");
}

function isTrusted(pem: string, crypto: CryptoHost, now: number): boolean {
  try {
    const facts = crypto.readCertificate(pem);
    return facts.isAuthority && isValid(facts, now);
  } catch {
    return false;
  }
}

/** Returns the certificates of a PEM text, each ending with a line break. Text of unusual length is not searched. */
export function certificatesIn(text = ""): readonly string[] {
  if (text.length > 65_536) return [];
  const found = text.match(/-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s]+-----END CERTIFICATE-----/g) ?? [];
  return found.map((pem) => `${pem}\n`);
}

const isSame = (a: SecretTexts, b: SecretTexts): boolean => Object.keys({ ...a, ...b }).every((key) => a[key] === b[key]);
