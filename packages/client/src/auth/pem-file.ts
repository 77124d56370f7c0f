/**
 * Certificates and keys that may be replaced while the program runs. Files are read on demand, at most every few seconds,
 * not watched: file watches are lost when a symlink swaps the directory.
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

/** Options for PEM files. */
export interface PemFileOptions {
  readonly host: Pick<Host, "readFile">;
  readonly clock: Clock;
  readonly log: Log;
  /** How long a file's contents are used before the file is read again. @default 10000 */
  readonly rereadMs?: number;
}

/** A value and its generation. */
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
 * Returns the current value. Rejects only until the first usable value has been read. If the generation `refused` is still
 * the newest, rereads the source at once; intervals between such reads grow up to `rereadMs`.
 */
export interface Watched<T> {
  (options?: { readonly signal?: AbortSignal; readonly refused?: number | undefined }): Promise<Versioned<T>>;
  /** Returns the value if it need not be reread yet. */
  fresh(): Versioned<T> | undefined;
}

/**
 * Watches the certificates of authorities.
 *
 * Guarantees: if the file is missing, empty, partly written or malformed, the certificates read before stay in use.
 */
export function watchedCertificates(source: PemSource, options: PemFileOptions): Watched<string> {
  const subject = named(source, "the certificate authority");
  return watched(subject, source.kind === "file", options, {
    read: async () => {
      const pem = await readPem(source, subject, options.host);
      if (!isCertificates(pem))
        throw new CredentialError(
          "malformed",
          `${subject} contains no complete certificate in PEM; check certificate-authority in the kubeconfig`,
        );
      return pem;
    },
    isSame: (a, b) => a === b,
  });
}

/**
 * Watches a client certificate and its private key.
 *
 * Guarantees: certificate and key match. While only one of the two files has been replaced, or one cannot be read, the old
 * pair stays in use.
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
        throw new CredentialError("malformed", `${named(key, "the client key")} is encrypted with a passphrase; use an unencrypted key`);
      if (!(await isPair(certificatePem, keyPem)))
        throw new CredentialError("malformed", `${subject}: one of the two cannot be read, or they do not match`);
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
  const get = async ({ refused, ...options }: Parameters<Watched<T>>[0] = {}): Promise<Versioned<T>> => {
    if (refused !== undefined && changes) await seen.replace(({ generation }) => generation === refused, options);
    return seen.get(options);
  };
  return Object.assign(get, { fresh: () => seen.fresh() });
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
