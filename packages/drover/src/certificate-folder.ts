/**
 * Certificates of a webhook server in a folder, as a mounted Secret or cert-manager writes them.
 *
 *     certificates: certificateFolder("/etc/webhook-certs")
 */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { Secret as SecretText } from "@drover/machinery";
import type { ServingPair } from "@drover/controller";
import { isKeyPair } from "./key-pair.ts";

/** Attempts to read a pair while its files are being replaced. */
const attemptsMax = 3;

/**
 * Returns a function that reads `tls.crt`, `tls.key` and, if it exists, `ca.crt`, each time it is called. It rejects with an error that
 * names the folder if a file is missing or key and certificate do not belong together.
 */
export function certificateFolder(folder: string): () => Promise<ServingPair & { readonly caBundle?: string }> {
  return async () => {
    for (let attempt = 1; ; attempt++) {
      const pair = await readPair(folder);
      if (isKeyPair(pair.certificatePem, new SecretText(pair.privateKeyPem))) return pair;
      if (attempt === attemptsMax) throw new Error(`tls.key in ${folder} does not belong to tls.crt; both must be PEM, of the same pair`);
    }
  };
}

async function readPair(folder: string): Promise<ServingPair & { readonly caBundle?: string }> {
  const text = (name: string): Promise<string> => readFile(join(folder, name), "utf8");
  const [certificatePem, privateKeyPem, caBundle] = await Promise.all([text("tls.crt"), text("tls.key"), text("ca.crt").catch(() => "")]);
  return { certificatePem, privateKeyPem, ...(caBundle.trim() === "" ? {} : { caBundle }) };
}
