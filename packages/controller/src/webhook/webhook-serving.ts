/**
 * Types of serving webhooks: the port, the certificates, and what is written to the cluster.
 *
 *     addWebhooks(manager, Webhooks, WebhookServingOptions) → server, certificates, registration as runnables of the manager
 */
import type { Transport } from "@drover/machinery";
import type { CryptoHost } from "@drover/machinery/x509";
import type { ListenAddress, Listening } from "../serving/listen.ts";
import type { WebhookTarget } from "./webhook.ts";

/** A certificate chain and its private key, both PEM. */
export interface ServingPair {
  readonly certificatePem: string;
  readonly privateKeyPem: string;
}

/** A port that serves HTTPS. */
export interface ListeningTls extends Listening {
  /** Serves new connections with another pair; existing connections keep theirs. Throws if key and certificate do not belong together. */
  use(pair: ServingPair): void;
}

/** Opens a port that serves HTTPS. Handlers get the whole request body, of at most `bodyBytesMax` bytes (413 beyond). */
export type ListenTls = (handler: Transport, address: ListenAddress, options: ListenTlsOptions) => Promise<ListeningTls>;

export interface ListenTlsOptions {
  readonly pair: ServingPair;
  readonly bodyBytesMax: number;
  /** PEM of authorities: only clients with a certificate that one of them issued get through the handshake. @default everyone does */
  readonly clientCaPem?: string;
}

/** Options of serving webhooks. */
export interface WebhookServingOptions {
  readonly listen: ListenTls;
  /** Keys and certificates; on Node, `nodeCrypto`. */
  readonly crypto: CryptoHost;
  /** Address to listen on. @default "", all addresses of this machine */
  readonly host?: string;
  /** Port to listen on; 0 lets the system choose one. @default 9443 */
  readonly port?: number;
  /** How the API server reaches the port. A function gets the address with the actual port: "127.0.0.1:9443". */
  readonly target: WebhookTarget | ((address: string) => WebhookTarget);
  /**
   * "issued": the program issues them from a CA of its own, kept in a Secret that all replicas share, and renews them in time.
   * A function: pairs from outside (files of a mounted Secret, cert-manager); called when the program starts and every ten seconds, it
   * returns the pair and the CA bundle to inject, undefined if someone else (cert-manager's cainjector) injects it.
   * @default "issued"
   */
  readonly certificates?: "issued" | (() => Promise<ServingPair & { readonly caBundle?: string }>);
  /**
   * PEM of the authorities that issue the certificates of API servers. Who presents no such certificate is refused in the handshake, probes
   * of this port too. An API server presents one if a kubeconfig of its admission configuration names it. @default everyone may connect
   */
  readonly clientCaPem?: string;
  /** Namespace of the Secret with the issued CA. */
  readonly namespace: string;
  /**
   * Namespace of the program, where its webhooks are not called for kinds that it does not define, so that they cannot prevent its start.
   * @default `namespace`
   */
  readonly ownNamespace?: string;
  /** Name of the Secret, and prefix of the configurations. Usually the name of the operator. */
  readonly name: string;
  /**
   * "apply": the program writes its webhook configurations, policies and the addresses in definitions, with the CA bundle.
   * "inject": they exist, and it only writes CA bundles. "off": neither. @default "apply"
   */
  readonly registration?: "apply" | "inject" | "off";
  /**
   * How long the port stays open after readiness fails, in milliseconds, so that the API server has stopped using this replica when it
   * closes. Reviews that are open then are still answered. @default 5000 behind a Service, 0 with a URL
   */
  readonly closeDelayMs?: number;
}
