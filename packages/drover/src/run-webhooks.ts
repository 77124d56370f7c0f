/**
 * Decides how the API server reaches the webhooks of this process: through a Service in a pod, else at an address of this machine.
 *
 *     RunWebhooksOptions, ClusterAccess → webhookServing → OperatorWebhooks
 */
import type { ClusterAccess } from "@drover/client";
import type { WebhookServingOptions } from "@drover/controller";
import { definedOnly } from "@drover/machinery";
import { MistakeError } from "@drover/patterns";
import type { OperatorWebhooks } from "@drover/patterns";

/** Options for serving webhooks: `app.run({ webhooks })`. */
export interface RunWebhooksOptions extends Pick<WebhookServingOptions, "certificates" | "clientCaPem" | "registration" | "closeDelayMs"> {
  /**
   * Address of this machine that the API server reaches, instead of a Service: "172.17.0.1" for a cluster in containers on this machine.
   * @default "127.0.0.1" if the API server is on this machine; none in a pod
   */
  readonly host?: string;
  /** Port to listen on; 0 lets the system choose one. @default 9443 in a pod, else 0 */
  readonly port?: number;
  /** Service that leads to the pods of the operator. @default the operator's name in the pod's namespace, port 443 */
  readonly service?: { readonly name?: string; readonly namespace?: string; readonly port?: number };
  /** Namespace of the Secret with issued certificates. @default the pod's namespace, else that of the connection */
  readonly namespace?: string;
}

/** Where this process runs. */
export interface WebhookSite {
  /** Name of the operator. */
  readonly name: string;
  /** The pod's namespace; undefined outside a pod. */
  readonly podNamespace: string | undefined;
  readonly access: Pick<ClusterAccess, "server">;
  /** Namespace of the connection. */
  readonly namespace: string;
  /** Whether the API server calls this process, so that it must reach it. */
  readonly server: boolean;
}

/** Returns the options. Throws `MistakeError` if the API server cannot reach this machine as far as is known. */
export function webhookServing(
  options: RunWebhooksOptions,
  { name, podNamespace, access, namespace, server }: WebhookSite,
  parts: Pick<WebhookServingOptions, "listen" | "crypto">,
): OperatorWebhooks {
  const { host, service, certificates, clientCaPem, registration, closeDelayMs } = options;
  const shared = { ...parts, ...definedOnly({ certificates, clientCaPem, registration, closeDelayMs }) };
  if (host !== undefined && service !== undefined)
    throw new MistakeError({
      where: "webhooks",
      what: "the API server calls either the Service or the host, and both are given",
      fix: "app.run({ webhooks: { service } }) in a cluster, app.run({ webhooks: { host } }) on your machine",
    });
  if (host === undefined && (podNamespace !== undefined || service !== undefined)) {
    const home = options.namespace ?? podNamespace ?? namespace;
    return {
      ...shared,
      port: options.port ?? 9443,
      target: { service: { name, namespace: home, ...definedOnly({ ...service }) } },
      namespace: home,
    };
  }
  const reached = host ?? (isThisMachine(access.server) ? "127.0.0.1" : undefined);
  if (reached === undefined && server && registration !== "off") throw unreachable(access.server);
  const address = reached ?? "127.0.0.1";
  return {
    ...shared,
    host: isLoopback(address) ? address : "",
    port: options.port ?? 0,
    target: (listening) => ({ url: `https://${urlHost(address)}:${listening.slice(listening.lastIndexOf(":") + 1)}` }),
    namespace: options.namespace ?? podNamespace ?? namespace,
    // Outside a pod its webhooks cannot keep it from starting.
    ownNamespace: podNamespace ?? "kube-system",
  };
}

const unreachable = (server: string): MistakeError =>
  new MistakeError({
    where: "webhooks",
    what: `the API server at ${server} is not on this machine, so it cannot call webhooks at 127.0.0.1`,
    code: "DRV0601",
    fix: `app.run({ webhooks: { host: "192.0.2.7" } }): an address of this machine that the API server reaches\nor app.run({ webhooks: false }): without them, for a quick try`,
  });

/** Reports whether the URL leads to this machine. */
function isThisMachine(server: string): boolean {
  try {
    return isLoopback(new URL(server).hostname.replace(/^\[|\]$/g, ""));
  } catch {
    return false;
  }
}

const isLoopback = (host: string): boolean => host === "localhost" || host === "::1" || /^127(\.\d{1,3}){3}$/.test(host);

const urlHost = (host: string): string => (host.includes(":") ? `[${host}]` : host);
