/**
 * A manager of this process: its metrics, its port, its identity, and the namespace it lives in.
 *
 *     nodeManager({ runtime, cluster, leaderElection: { name } }) → createManager
 */
import { hostname } from "node:os";
import { inClusterNamespace, isInCluster } from "@drover/client";
import type { Host } from "@drover/client";
import { createManager } from "@drover/controller";
import type { LeaderElectionOptions, Manager, ManagerOptions, ServingOptions } from "@drover/controller";
import type { NodeRuntime } from "./node-runtime.ts";
import { nodeHost } from "./node-host.ts";
import { serveHttp } from "./serve-http.ts";

export interface NodeLeaderElectionOptions extends Omit<LeaderElectionOptions, "identity" | "namespace"> {
  /** What the lease calls us; no two processes may share it, one after the other included. @default the host name, "_" and a fresh uid */
  readonly identity?: string;
  /** Where the lease is. @default the namespace of the pod this runs in */
  readonly namespace?: string;
}

export interface NodeManagerOptions extends Omit<ManagerOptions, "runtime" | "leaderElection" | "serving"> {
  readonly runtime: NodeRuntime;
  /** @default without: whatever needs a lease runs at once */
  readonly leaderElection?: NodeLeaderElectionOptions;
  /** @default nothing is served */
  readonly serving?: Omit<ServingOptions, "listen"> & Partial<Pick<ServingOptions, "listen">>;
  /** Environment and files. @default `nodeHost()`: the real ones */
  readonly host?: Host;
}

/** Rejects when there is to be a lease and it cannot be told in which namespace. */
export async function nodeManager({ leaderElection, serving, host = nodeHost(), ...options }: NodeManagerOptions): Promise<Manager> {
  const { runtime } = options;
  return createManager({
    ...options,
    ...(serving === undefined ? {} : { serving: { listen: serveHttp, ...serving } }),
    ...(leaderElection === undefined
      ? {}
      : {
          leaderElection: {
            identity: `${hostname()}_${runtime.uid()}`,
            ...leaderElection,
            namespace: leaderElection.namespace ?? (await leaseNamespace(host)),
          },
        }),
  });
}

/** Where this process has its lease. Rejects when it does not run in a pod. */
export async function leaseNamespace(host: Host): Promise<string> {
  if (!(await isInCluster(host)) && (host.env["POD_NAMESPACE"] ?? "") === "")
    throw new Error("the lease needs a namespace: this process does not run in a pod, so set leaderElection.namespace");
  return inClusterNamespace(host);
}
