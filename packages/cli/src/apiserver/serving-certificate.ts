/**
 * The certificate of `drover apiserver`: of --tls-cert-file, of --cert-dir, or a new one.
 *
 *     servingCertificate(options) → certificate, key, and the names it is valid for
 */
import { createPrivateKey, X509Certificate } from "node:crypto";
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { errorCode, errorText } from "@drover/machinery";
import type { Clock } from "@drover/machinery";
import { nodeCrypto } from "@drover/machinery/node";
import { certificateAuthority } from "@drover/machinery/x509";
import type { IssuedCertificate } from "@drover/machinery/x509";
import { CommandError } from "../command-error.ts";
import { createExclusive } from "../exclusive-file.ts";
import type { ApiserverOptions } from "./apiserver-options.ts";

export interface ServingCertificateOptions extends Pick<ApiserverOptions, "tls" | "certDir"> {
  /** Names and addresses of a new certificate. */
  readonly dnsNames: readonly string[];
  readonly ips: readonly string[];
  readonly clock: Clock;
}

/** Certificate and key, and the names and addresses of the certificate. */
export interface ServingCertificate extends IssuedCertificate {
  readonly names: readonly string[];
}

/** Throws a `CommandError` that names the file. */
export function servingCertificate({ tls, certDir, dnsNames, ips, clock }: ServingCertificateOptions): ServingCertificate {
  if (tls !== undefined)
    return checked(
      readPem("--tls-cert-file", tls.certificateFile),
      readPem("--tls-private-key-file", tls.privateKeyFile),
      tls.certificateFile,
    );
  if (certDir === undefined) return { ...create(dnsNames, ips, clock), names: [...dnsNames, ...ips] };
  const [certificateFile, keyFile] = [join(certDir, "apiserver.crt"), join(certDir, "apiserver.key")];
  const [certificate, key] = [existing(certificateFile), existing(keyFile)];
  if (certificate !== undefined && key !== undefined) return checked(certificate, key, certificateFile);
  if (certificate !== undefined || key !== undefined)
    throw new CommandError(
      `--cert-dir: ${certificate === undefined ? certificateFile : keyFile} is missing beside the other file; add it, or remove both`,
    );
  const made = create(dnsNames, ips, clock);
  try {
    mkdirSync(certDir, { recursive: true, mode: 0o755 });
    createExclusive(keyFile, made.privateKeyPem);
    createExclusive(certificateFile, made.certificatePem);
  } catch (error) {
    throw new CommandError(`--cert-dir: the certificate cannot be written: ${errorText(error)}`, { cause: error });
  }
  return { ...made, names: [...dnsNames, ...ips] };
}

/** With the certificate of its authority, so that clients can trust the file as a whole. */
function create(dnsNames: readonly string[], ips: readonly string[], clock: Clock): IssuedCertificate {
  const authority = certificateAuthority({ commonName: "drover-apiserver-ca", crypto: nodeCrypto, clock });
  const { certificatePem, privateKeyPem } = authority.issue({ commonName: "drover-apiserver", dnsNames, ips, usage: "server" });
  return { certificatePem: `${certificatePem}${authority.certificatePem}`, privateKeyPem };
}

function checked(certificatePem: string, privateKeyPem: string, file: string): ServingCertificate {
  try {
    const certificate = new X509Certificate(certificatePem);
    if (!certificate.checkPrivateKey(createPrivateKey(privateKeyPem))) throw new Error("the key does not belong to the certificate");
    const names = (certificate.subjectAltName ?? "").split(", ").flatMap((name) => name.match(/(?<=^(?:DNS|IP Address):).+/) ?? []);
    return { certificatePem, privateKeyPem, names };
  } catch (error) {
    throw new CommandError(`${file} and its key cannot be used: ${errorText(error)}`, { cause: error });
  }
}

/** Reads a file of a flag. Throws a `CommandError` that names both. */
export function readPem(flag: string, path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw new CommandError(`${flag}: ${path} cannot be read: ${errorText(error)}`, { cause: error });
  }
}

function existing(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (errorCode(error) === "ENOENT") return undefined;
    throw new CommandError(`--cert-dir: ${path} cannot be read: ${errorText(error)}`, { cause: error });
  }
}
