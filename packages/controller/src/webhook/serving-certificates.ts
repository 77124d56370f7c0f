/**
 * The certificates of a webhook server in a Secret that all replicas share. The first replica creates it; each of them renews it in time.
 *
 *     Secret → nextCertificates → Secret, ServingPair, CA bundle
 */
import { Secret } from "@drover/api/core/v1";
import type { Client } from "@drover/client";
import { isAlreadyExists, isConflict, isNotFound } from "@drover/machinery";
import type { Clock, Gauge, Log, Metrics } from "@drover/machinery";
import type { CryptoHost } from "@drover/machinery/x509";
import { defaultLifetimes, nextCertificates, secretKeys } from "./certificates-state.ts";
import type { CertificateNames, NextCertificates, SecretTexts } from "./certificates-state.ts";
import type { ServingPair } from "./webhook-serving.ts";

export interface ServingCertificatesOptions {
  readonly client: Client;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly crypto: CryptoHost;
  /** Place of the Secret. */
  readonly namespace: string;
  readonly name: string;
  /** Names that the certificate must have. */
  readonly names: CertificateNames;
}

/** What is served, and what verifies it. */
export interface ServingMaterial extends ServingPair {
  /** Certificates to trust, in PEM; undefined if others inject them. */
  readonly caBundle?: string;
}

/** Attempts to write the Secret while other replicas write it too. */
const attemptsMax = 5;
const requestTimeoutMs = 10_000;
const day = 24 * 3_600_000;

/** The Secret with the certificates. */
export class ServingCertificates {
  readonly #options: ServingCertificatesOptions;
  readonly #expiry: Gauge;

  constructor(options: ServingCertificatesOptions) {
    this.#options = options;
    this.#expiry = options.metrics.gauge({
      name: "webhook_certificate_expiry_days",
      help: "Days until the certificate of the webhook server, and the authority that issued it, expire.",
      labels: ["certificate"],
    });
  }

  /** Reads the Secret, and creates, renews or repairs it if necessary. Rejects if the API server refuses or cannot be reached. */
  async sync(signal: AbortSignal): Promise<ServingMaterial> {
    const { namespace, name, log } = this.#options;
    for (let attempt = 1; ; attempt++) {
      const stored = await this.#read(signal);
      const next = nextCertificates(stored === undefined ? {} : textsOf(stored), {
        ...this.#options,
        authorityName: `${name} webhooks`,
        lifetimes: defaultLifetimes,
      });
      try {
        if (next.steps.length > 0) await this.#write(stored, next.texts, signal);
      } catch (error) {
        if (!(isAlreadyExists(error) || isConflict(error) || isNotFound(error)) || attempt === attemptsMax) throw error;
        continue;
      }
      if (next.steps.length > 0) log.info("webhook certificates renewed", { secret: `${namespace}/${name}`, steps: next.steps });
      return this.#material(next);
    }
  }

  #material({ texts, expiry }: NextCertificates): ServingMaterial {
    const now = this.#options.clock.now();
    this.#expiry.set((expiry.certificate - now) / day, { certificate: "serving" });
    this.#expiry.set((expiry.authority - now) / day, { certificate: "authority" });
    return {
      certificatePem: texts[secretKeys.certificate] ?? "",
      privateKeyPem: texts[secretKeys.privateKey] ?? "",
      caBundle: texts[secretKeys.bundle] ?? "",
    };
  }

  async #read(signal: AbortSignal): Promise<Secret | undefined> {
    const { client, namespace, name } = this.#options;
    try {
      return await client.get(Secret, name, { namespace, signal, timeoutMs: requestTimeoutMs });
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }

  async #write(stored: Secret | undefined, texts: SecretTexts, signal: AbortSignal): Promise<void> {
    const { client, namespace, name } = this.#options;
    const data = Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, btoa(text)]));
    const options = { namespace, signal, timeoutMs: requestTimeoutMs };
    if (stored === undefined) await client.create(Secret, { metadata: { name, namespace }, type: "kubernetes.io/tls", data }, options);
    else await client.update(Secret, { ...stored, data }, options);
  }
}

function textsOf({ data = {} }: Secret): SecretTexts {
  return Object.fromEntries(Object.entries(data).map(([key, text]) => [key, decoded(text)]));
}

function decoded(base64: string): string {
  try {
    return atob(base64);
  } catch {
    return "";
  }
}
