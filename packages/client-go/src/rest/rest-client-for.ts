/**
 * Creates a REST client from a `RestConfig`.
 *
 *     clientcmd, inClusterConfig → RestConfig → restClientFor, newForConfig
 */
import { inClusterAccess } from "@drover/client";
import type { ClusterAccess } from "@drover/client";
import type { Runtime, Transport } from "@drover/machinery";
import type { ClientGoPlace } from "./place.ts";
import { RestClient } from "./rest-client.ts";
import type { RestConfig } from "./rest-config.ts";
import { tokenBucketRateLimiter } from "./token-bucket-rate-limiter.ts";

/** Returns the config of a `ClusterAccess`. */
export function restConfigOf(access: ClusterAccess): RestConfig {
  return { host: access.server, access };
}

/** Returns the config of the pod's service account: client-go's `InClusterConfig`. Rejects with a `KubeconfigError` outside a pod. */
export async function inClusterConfig({ host, runtime: { log } }: Pick<ClientGoPlace, "host" | "runtime">): Promise<RestConfig> {
  return restConfigOf(await inClusterAccess({ host, log }));
}

/** Returns a REST client for a config: client-go's `RESTClientFor`. Sends nothing by itself. */
export function restClientFor(config: RestConfig, { runtime, transportFor }: Pick<ClientGoPlace, "runtime" | "transportFor">): RestClient {
  return restClientOver(config, transportFor(config), runtime);
}

/** Returns a REST client over an existing transport. */
export function restClientOver(
  { host, groupVersion, qps, burst = 10, timeoutMs = 0 }: Omit<RestConfig, "access">,
  transport: Transport,
  { clock, log }: Pick<Runtime, "clock" | "log">,
): RestClient {
  return new RestClient({
    transport,
    clock,
    log,
    host,
    ...(groupVersion === undefined ? {} : { groupVersion }),
    ...(timeoutMs === 0 ? {} : { timeoutMs }),
    ...(qps === undefined ? {} : { rateLimiter: tokenBucketRateLimiter({ qps, burst, clock }) }),
  });
}
