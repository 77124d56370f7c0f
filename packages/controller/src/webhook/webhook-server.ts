/**
 * The webhook server as a runnable of a manager: opens the port, keeps certificates and registration up to date, and drains on stop.
 *
 *     certificates → WebhookRegistration → ListeningTls.use        every ten seconds
 */
import { abortable, deadline, definedOnly, errorText, sleep } from "@drover/machinery";
import type { Clock, Gauge, Log, Metrics, Transport } from "@drover/machinery";
import type { CryptoHost } from "@drover/machinery/x509";
import type { Runnable } from "../manager/runnable.ts";
import type { PermissionNeed } from "../permissions/permission-need.ts";
import { certificatesIn } from "./certificates-state.ts";
import type { WebhookRegistration } from "./registration.ts";
import { reviewBytes } from "./review-body.ts";
import type { ServingMaterial } from "./serving-certificates.ts";
import type { WebhookTarget } from "./webhook.ts";
import type { ListeningTls, ListenTls } from "./webhook-serving.ts";

export interface WebhookServerOptions {
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly crypto: CryptoHost;
  readonly listen: ListenTls;
  readonly host: string;
  readonly port: number;
  readonly handler: Transport;
  readonly target: WebhookTarget | ((address: string) => WebhookTarget);
  /** Returns what to serve now. */
  readonly certificates: (signal: AbortSignal) => Promise<ServingMaterial>;
  readonly clientCaPem?: string;
  readonly registration: WebhookRegistration;
  readonly closeDelayMs: number;
  readonly needs: readonly PermissionNeed[];
}

/** Certificates and registration are compared this often. */
const periodMs = 10_000;
const firstRetryMs = 1000;
const certificatesTimeoutMs = 30_000;
const dayMs = 24 * 3_600_000;

/** Serves webhooks from `run` on, with a check for readiness. */
export class WebhookServer implements Runnable {
  readonly name = "webhooks";
  readonly group = "server";
  readonly needsLease = false;
  readonly needs: readonly PermissionNeed[];
  readonly #options: WebhookServerOptions;
  readonly #expiry: Gauge;
  readonly #opened: Promise<void>;
  #open: () => void = () => undefined;
  #served: ServingMaterial | undefined;
  #isRegistered = false;
  #isStopping = false;
  /** The last problem that was logged: each is logged once until it changes. */
  #problem = "";

  constructor(options: WebhookServerOptions) {
    this.#options = options;
    this.needs = options.needs;
    this.#expiry = options.metrics.gauge({
      name: "webhook_certificate_expiry_days",
      help: "Days until the certificate of the webhook server, and the authority that issued it, expire.",
      labels: ["certificate"],
    });
    this.#opened = new Promise((resolve) => (this.#open = resolve));
  }

  /** Resolves when the port is open and registration was tried: if it failed, the check of permissions after it explains why. */
  async ready(signal: AbortSignal): Promise<void> {
    await abortable(this.#opened, signal);
  }

  /** Throws unless the server serves a valid pair that the registered bundle verifies, and is not stopping. */
  check(): void {
    const { crypto, clock } = this.#options;
    if (this.#isStopping) throw new Error("the webhook server is stopping");
    if (this.#served === undefined) throw new Error("the webhook server has not started yet");
    if (!this.#isRegistered) throw new Error("the webhooks are not registered yet");
    const problem = materialProblem(this.#served, crypto, clock.now());
    if (problem !== undefined) throw new Error(problem);
  }

  async run(signal: AbortSignal): Promise<void> {
    const { listen, handler, host, port, target, log, clientCaPem } = this.#options;
    const first = await this.#first(signal);
    if (first === undefined) return;
    const listening = await listen(
      handler,
      { host, port },
      { pair: first, bodyBytesMax: reviewBytes.limit, ...definedOnly({ clientCaPem }) },
    );
    this.#served = first;
    log.info("serving webhooks", { address: listening.address });
    const closing = new AbortController();
    const serving = listening.run(closing.signal);
    try {
      const reached = typeof target === "function" ? target(listening.address) : target;
      await Promise.race([serving, this.#follow(listening, reached, signal)]);
    } finally {
      this.#isStopping = true;
      closing.abort(signal.reason);
      await serving;
    }
  }

  /** Returns the first material, or undefined if the signal aborts before there is any. */
  async #first(signal: AbortSignal): Promise<ServingMaterial | undefined> {
    while (!signal.aborted) {
      try {
        const material = await this.#material(signal);
        const problem = materialProblem(material, this.#options.crypto, this.#options.clock.now());
        if (problem === undefined) return material;
        this.#note(problem);
      } catch (error) {
        if (!signal.aborted) this.#note("cannot get the certificates of the webhook server", error);
      }
      await this.#pause(firstRetryMs, signal);
    }
    return undefined;
  }

  /** Certificates may come from code of the user, which may hang. */
  async #material(parent: AbortSignal): Promise<ServingMaterial> {
    const { certificates, clock } = this.#options;
    const { signal, release } = deadline(clock, certificatesTimeoutMs, { signal: parent });
    try {
      return await abortable(
        Promise.resolve().then(() => certificates(signal)),
        signal,
      );
    } finally {
      release();
    }
  }

  async #follow(listening: ListeningTls, target: WebhookTarget, signal: AbortSignal): Promise<void> {
    const { clock, closeDelayMs } = this.#options;
    while (!signal.aborted) {
      await this.#round(listening, target, signal);
      this.#open();
      await this.#pause(periodMs, signal);
    }
    this.#isStopping = true;
    if (closeDelayMs > 0) await sleep(clock, closeDelayMs);
  }

  /** The API server gets a new bundle before a certificate is served that needs it. */
  async #round(listening: ListeningTls, target: WebhookTarget, signal: AbortSignal): Promise<void> {
    const { registration, crypto, clock } = this.#options;
    try {
      const next = await this.#material(signal);
      const problem = materialProblem(next, crypto, clock.now());
      if (problem !== undefined) return this.#note(`${problem}; still serving the last certificate`);
      const { caBundle } = next;
      this.#isRegistered = await registration.sync({ target, ...(caBundle === undefined ? {} : { caBundle }) }, signal);
      if (this.#isRegistered || this.#isUseless(next)) this.#use(listening, next);
      this.#showExpiry();
      if (this.#isRegistered) this.#problem = "";
      else this.#note("the API server does not have the CA bundle of the webhook server yet");
    } catch (error) {
      if (!signal.aborted) this.#note("cannot update certificates or registration of webhooks", error);
    }
  }

  /** Whether no client accepts the served pair any more, so that waiting for the registration helps nobody. */
  #isUseless({ caBundle }: ServingMaterial): boolean {
    const { crypto, clock } = this.#options;
    if (this.#served === undefined) return true;
    const { certificatePem, privateKeyPem } = this.#served;
    const pair = caBundle === undefined ? { certificatePem, privateKeyPem } : { certificatePem, privateKeyPem, caBundle };
    return materialProblem(pair, crypto, clock.now()) !== undefined;
  }

  #use(listening: ListeningTls, next: ServingMaterial): void {
    const served = this.#served;
    if (served?.certificatePem !== next.certificatePem || served.privateKeyPem !== next.privateKeyPem) {
      listening.use(next);
      this.#options.log.info("serving a new webhook certificate", {
        fingerprint: this.#options.crypto.readCertificate(next.certificatePem).fingerprint,
      });
    }
    this.#served = next;
  }

  #showExpiry(): void {
    if (this.#served === undefined) return;
    const { crypto, clock } = this.#options;
    const leaf = crypto.readCertificate(this.#served.certificatePem);
    const days = (notAfter: number): number => (notAfter - clock.now()) / dayMs;
    this.#expiry.set(days(leaf.notAfter), { certificate: "serving" });
    const authority = certificatesIn(this.#served.caBundle).find((pem) => leaf.isIssuedBy(pem));
    if (authority !== undefined) this.#expiry.set(days(crypto.readCertificate(authority).notAfter), { certificate: "authority" });
  }

  async #pause(delayMs: number, signal: AbortSignal): Promise<void> {
    await sleep(this.#options.clock, delayMs, { signal }).catch(() => undefined);
  }

  #note(message: string, error?: unknown): void {
    const text = `${message}: ${error === undefined ? "" : errorText(error)}`;
    if (text === this.#problem) return;
    this.#problem = text;
    this.#options.log.warn(message, error === undefined ? {} : { error });
  }
}

/** Returns why a pair cannot be served; undefined if it can. */
function materialProblem(
  { certificatePem, privateKeyPem, caBundle }: ServingMaterial,
  crypto: CryptoHost,
  now: number,
): string | undefined {
  try {
    const facts = crypto.readCertificate(certificatePem);
    if (!(now >= facts.notBefore && now < facts.notAfter)) return "the certificate of the webhook server is not valid now";
    if (!crypto.isPair(certificatePem, privateKeyPem)) return "the key of the webhook server does not belong to its certificate";
    if (caBundle === undefined || isVerified(certificatePem, caBundle, crypto)) return undefined;
    return "the CA bundle does not verify the certificate of the webhook server";
  } catch {
    return "the certificate of the webhook server cannot be read";
  }
}

/** Whether the bundle has the issuer of the certificate, or of the last one of its chain. */
function isVerified(chain: string, caBundle: string, crypto: CryptoHost): boolean {
  const authorities = certificatesIn(caBundle);
  return certificatesIn(chain).some((certificate) =>
    authorities.some((authority) => authority === certificate || crypto.readCertificate(certificate).isIssuedBy(authority)),
  );
}
