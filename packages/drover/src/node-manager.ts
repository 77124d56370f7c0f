/**
 * Creates a manager with the metrics, port, identity and namespace of this process.
 *
 *     nodeManager({ runtime, cluster, leaderElection: { name } }) → createManager
 */
import { hostname } from "node:os";
import { inClusterNamespace, isInCluster } from "@drover/client";
import type { Host } from "@drover/client";
import { createManager } from "@drover/controller";
import type { LeaderElectionOptions, Manager, ManagerOptions, ServingOptions, ShardsOptions } from "@drover/controller";
import { definedOnly } from "@drover/machinery";
import { tapeBeside } from "./because-tape.ts";
import type { NodeRuntime } from "./node-runtime.ts";
import { nodeHost } from "./node-host.ts";
import { serveHttp } from "./serve-http.ts";
import { threadRole } from "./thread-role.ts";
import type { ThreadsOptions } from "./thread-role.ts";

/** Leader election with defaults for identity and namespace. */
export interface NodeLeaderElectionOptions extends Omit<LeaderElectionOptions, "identity" | "namespace"> {
  /** Identity in the lease; must be unique per process start. @default host name, "_" and a new uid */
  readonly identity?: string;
  /** Namespace of the lease. @default the pod's namespace */
  readonly namespace?: string;
}

/** Shards with defaults for identity and namespace. */
export interface NodeShardsOptions extends Omit<ShardsOptions, "identity" | "namespace"> {
  /** Identity in the leases; must be unique per process start. @default host name, "_" and a new uid */
  readonly identity?: string;
  /** Namespace of the leases. @default the pod's namespace */
  readonly namespace?: string;
}

type Replaced = "runtime" | "leaderElection" | "serving" | "shards" | "threads" | "thread";

/** Options of `nodeManager`. */
export interface NodeManagerOptions extends Omit<ManagerOptions, Replaced> {
  readonly runtime: NodeRuntime;
  /** Leader election. @default none: everything runs at once */
  readonly leaderElection?: NodeLeaderElectionOptions;
  /** Shares the keys of controllers among replicas, instead of `leaderElection`. @default every replica reconciles all keys */
  readonly shards?: NodeShardsOptions;
  /**
   * Number of threads that reconcile, for reconciles that need more than one core: each runs this program again, with its own connection,
   * caches and part of the keys. The main thread keeps leases, probes and other runnables. Threads run the file that Node was started
   * with, or `{ count: 2, entry: url }` another module that reaches the same call. @default 1, in the main thread
   */
  readonly threads?: number | ThreadsOptions;
  /** HTTP server for probes and metrics. @default none */
  readonly serving?: Omit<ServingOptions, "listen"> & Partial<Pick<ServingOptions, "listen">>;
  /** Environment and files. @default `nodeHost()` */
  readonly host?: Host;
}

/** Creates the manager. Rejects if there are leader election or shards and the namespace of the lease is unknown. */
export async function nodeManager({
  leaderElection,
  shards,
  serving,
  host = nodeHost(),
  threads,
  tape: givenTape,
  ...rest
}: NodeManagerOptions): Promise<Manager> {
  const { runtime } = rest;
  const options = { ...rest, ...definedOnly({ tape: tapeBeside(givenTape, { runtime, host }) }) };
  const role = threadRole(leaderElection?.name ?? shards?.name ?? "manager", threads);
  if (role === "elsewhere") return idleManager(options);
  if (role.thread !== undefined) return createManager({ ...options, ...role });
  return createManager({
    ...options,
    ...role,
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
    ...(shards === undefined
      ? {}
      : {
          shards: {
            identity: `${hostname()}_${runtime.uid()}`,
            ...shards,
            namespace: shards.namespace ?? (await leaseNamespace(host, "shards")),
          },
        }),
  });
}

/** The manager of a thread that was started for another manager of this program: it can be filled, and does not run. */
function idleManager(options: ManagerOptions): Manager {
  const run = (signal: AbortSignal): Promise<void> =>
    new Promise((resolve) => {
      if (signal.aborted) resolve();
      else signal.addEventListener("abort", () => resolve(), { once: true });
    });
  return Object.defineProperty(createManager(options), "run", { value: run });
}

/** Returns the namespace of the lease. Rejects if the process does not run in a pod. */
export async function leaseNamespace(host: Host, option: "leaderElection" | "shards" = "leaderElection"): Promise<string> {
  if (!(await isInCluster(host)) && (host.env["POD_NAMESPACE"] ?? "") === "")
    throw new Error(`the lease needs a namespace: this process does not run in a pod, so set ${option}.namespace`);
  return inClusterNamespace(host);
}
