/**
 * client-go's `rest.Config`: which cluster, as which user, and how fast.
 *
 *     clientcmd, inClusterConfig → RestConfig → restClientFor, newForConfig
 */
import { inClusterAccess } from "@drover/client";
import type { ClusterAccess } from "@drover/client";
import type { GroupVersion, Runtime, Transport } from "@drover/machinery";
import type { ClientGoPlace } from "../place.ts";
import { RestClient } from "./rest-client.ts";
import { tokenBucketRateLimiter } from "./token-bucket-rate-limiter.ts";

export interface RestConfig {
  /** The server's URL: "https://10.0.0.1:6443". */
  readonly host: string;
  /** Server, trust and credentials. */
  readonly access: ClusterAccess;
  /** Group and version of the resources, for `restClientFor`. @default none: requests name their whole path */
  readonly groupVersion?: GroupVersion;
  /** Name of the program in the server's audit log. @default made from the program's file name */
  readonly userAgent?: string;
  /** Requests per second. @default no limit */
  readonly qps?: number;
  /** Requests that may be sent at once before `qps` limits them. @default 10 */
  readonly burst?: number;
  /** Limit of one call in milliseconds, watches excepted; 0 is no limit. @default 0 */
  readonly timeoutMs?: number;
}

/** Returns the config of a way to a cluster. */
export function restConfigOf(access: ClusterAccess): RestConfig {
  return { host: access.server, access };
}

/** The config of the pod's service account: client-go's `InClusterConfig`. Rejects with a `KubeconfigError` outside a pod. */
export async function inClusterConfig({ host, runtime: { log } }: Pick<ClientGoPlace, "host" | "runtime">): Promise<RestConfig> {
  return restConfigOf(await inClusterAccess({ host, log }));
}

/** Returns a REST client for a config: client-go's `RESTClientFor`. Sends nothing by itself. */
export function restClientFor(config: RestConfig, { runtime, transportFor }: Pick<ClientGoPlace, "runtime" | "transportFor">): RestClient {
  return restClientOver(config, transportFor(config), runtime);
}

/** The same over a transport that exists. */
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
