/**
 * A connection for checks: short timeouts, no retries, no log, and the time of the server.
 *
 *     ClusterAccess → examine → ExaminedCluster
 */
import type { Client, ClusterAccess, DiscoveryClient, Host } from "@drover/client";
import { definedOnly } from "@drover/machinery";
import { connect, firstHeader, nodeRuntime } from "drover/client";

export interface ExaminedCluster {
  readonly access: ClusterAccess;
  readonly client: Client;
  readonly discovery: DiscoveryClient;
  /** Clock of the server minus ours, from the newest answer; undefined before the first. */
  readonly skewMs: () => number | undefined;
  readonly close: () => Promise<void>;
}

/** How to reach the cluster, as `ConnectOptions` has it. */
export interface ClusterPlace {
  /** @default as kubectl finds it */
  readonly kubeconfig: string | undefined;
  /** @default the current one */
  readonly context: string | undefined;
}

/** Sends no request. Rejects with a `KubeconfigError` if there is no such cluster. @param requestMs - timeout of each request */
export async function examine({ kubeconfig, context }: ClusterPlace, host: Host, requestMs: number): Promise<ExaminedCluster> {
  let skewMs: number | undefined;
  const connection = await connect({
    ...definedOnly({ kubeconfig, context }),
    host,
    runtime: nodeRuntime({ write: () => undefined }),
    format: "json",
    transport: {
      timeoutMs: requestMs,
      retry: { retriesMax: 0 },
      limits: { addressTimeoutMs: requestMs },
      wrappers: [
        (next) => async (request) => {
          const response = await next(request);
          const serverMs = Date.parse(firstHeader(response.headers, "date") ?? "");
          // The header has whole seconds.
          if (!Number.isNaN(serverMs)) skewMs = serverMs + 500 - Date.now();
          return response;
        },
      ],
    },
  });
  const { access, client, discovery } = connection;
  return { access, client, discovery, skewMs: () => skewMs, close: () => connection.close() };
}
