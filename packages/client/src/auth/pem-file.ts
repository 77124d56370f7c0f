/**
 * Certificates and keys that may be replaced while the program runs. A file is looked at when somebody asks, never more often than every
 * few seconds; nothing watches it in between, because watches on files are lost when a folder is swapped by a symlink.
 *
 *     PemSource → watchedCertificates → Versioned<string>          certificate and key → watchedPair → Versioned<KeyPair>
 */
import { Secret } from "@drover/machinery";
import type { Clock, Log } from "@drover/machinery";
import type { Host } from "../host.ts";
import type { PemSource, SecretPemSource } from "../kubeconfig/cluster-access.ts";
import { CredentialError } from "./credential-error.ts";
import { fileProblem } from "./file-problem.ts";
import { isCertificates, isLockedKey, withoutKeys } from "../encoding/pem.ts";
import type { PairCheck } from "../encoding/pem.ts";
import { Renewal } from "./renewal.ts";

/** How files in PEM are looked after. */
export interface PemFileOptions {
  readonly host: Pick<Host, "readFile">;
  readonly clock: Clock;
  readonly log: Log;
  /** How long what was read is used before the file is looked at again. @default 10000 */
  readonly rereadMs?: number;
}

/** A value that may become another. */
export interface Versioned<T> {
  /** Grows when the value changes. */
  readonly generation: number;
  readonly value: T;
}

/** A client certificate and its private key, in PEM. */
export interface KeyPair {
  readonly certificate: string;
  readonly key: Secret;
}

/**
 * Gives what is there now. Rejects only as long as there never was anything usable. When the generation `refused` was of no use and is
 * still the newest, the source is looked at again at once; pauses between such looks grow up to `rereadMs`.
 */
export type Watched<T> = (options?: { readonly signal?: AbortSignal; readonly refused?: number | undefined }) => Promise<Versioned<T>>;

/**
 * The certificates of authorities.
 *
 * Guarantees: a file that is missing, empty, half written or garbage leaves those in place that were read before.
 */
export function watchedCertificates(source: PemSource, options: PemFileOptions): Watched<string> {
  const subject = named(source, "the certificate authority");
  return watched(subject, source.kind === "file", options, {
    read: async () => {
      const pem = await readPem(source, subject, options.host);
      if (!isCertificates(pem))
        throw new CredentialError(
          "malformed",
          `${subject} holds no certificate in PEM, or half of one; check certificate-authority in the kubeconfig`,
        );
      return pem;
    },
    isSame: (a, b) => a === b,
  });
}

/**
 * A client certificate and its private key.
 *
 * Guarantees: the two belong together. While only one of two files has been replaced, or either cannot be read, the old pair stays.
 */
export function watchedPair(
  { certificate, key }: { readonly certificate: PemSource; readonly key: SecretPemSource },
  { isPair, ...options }: PemFileOptions & { readonly isPair: PairCheck },
): Watched<KeyPair> {
  const subject = `${named(certificate, "the client certificate")} with ${named(key, "its key")}`;
  return watched(subject, certificate.kind === "file" || key.kind === "file", options, {
    read: async () => {
      const [certificatePem, keyPem] = await Promise.all([
        readPem(certificate, named(certificate, "the client certificate"), options.host).then(withoutKeys),
        key.kind === "inline" ? key.pem : readPem(key, named(key, "the client key"), options.host).then((text) => new Secret(text)),
      ]);
      if (isLockedKey(keyPem))
        throw new CredentialError("malformed", `${named(key, "the client key")} is locked with a passphrase; give one that is not`);
      if (!(await isPair(certificatePem, keyPem)))
        throw new CredentialError("malformed", `${subject}: one of the two cannot be read, or they do not belong together`);
      return { certificate: certificatePem, key: keyPem };
    },
    isSame: (a, b) => a.certificate === b.certificate && a.key.reveal() === b.key.reveal(),
  });
}

interface Watch<T> {
  readonly read: () => Promise<T>;
  readonly isSame: (a: T, b: T) => boolean;
}

interface Seen<T> extends Versioned<T> {
  readonly readAt: number;
}

function watched<T>(
  subject: string,
  changes: boolean,
  { clock, log, rereadMs = 10_000 }: PemFileOptions,
  { read, isSame }: Watch<T>,
): Watched<T> {
  const seen = new Renewal<Seen<T>>({
    clock,
    log,
    subject,
    renew: async (previous) => {
      const value = await read();
      const readAt = clock.monotonic();
      if (previous !== undefined && isSame(previous.value, value)) return { ...previous, readAt };
      return { generation: (previous?.generation ?? 0) + 1, value, readAt };
    },
    freshness: ({ readAt }) => (!changes || clock.monotonic() - readAt < rereadMs ? "fresh" : "usable"),
    isSame: (a, b) => a.generation === b.generation,
    pauseMaxMs: rereadMs,
  });
  return async ({ refused, ...options } = {}) => {
    if (refused !== undefined && changes) await seen.replace(({ generation }) => generation === refused, options);
    return seen.get(options);
  };
}

const named = (source: PemSource | SecretPemSource, what: string): string => (source.kind === "file" ? `${what} in ${source.path}` : what);

async function readPem(source: PemSource, subject: string, host: Pick<Host, "readFile">): Promise<string> {
  if (source.kind === "inline") return source.pem;
  try {
    return new TextDecoder().decode(await host.readFile(source.path));
  } catch (cause) {
    throw new CredentialError("unavailable", `${subject} could not be read: ${fileProblem(cause)}`, { cause });
  }
}
