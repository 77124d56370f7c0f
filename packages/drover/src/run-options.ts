/** Options of a run of an operator in this process. */
import type { Host } from "@drover/client";
import type { Tape } from "@drover/controller";
import type { OptionNames } from "@drover/machinery";
import type { OperatorPlace } from "@drover/patterns";
import type { Connection, ConnectOptions } from "./connection.ts";
import type { DebugOptions } from "./debug/debug-options.ts";
import type { NodeLeaderElectionOptions, NodeManagerOptions, NodeShardsOptions } from "./node-manager.ts";
import type { NodeRuntime } from "./node-runtime.ts";
import type { RunWebhooksOptions } from "./run-webhooks.ts";
import type { ThreadsOptions } from "./thread-role.ts";

/** Options of `app.run`. */
export interface RunOptions extends Pick<OperatorPlace, "permissions" | "install" | "watchNamespaces" | "graceMs" | "syncTimeoutMs"> {
  /**
   * Cluster to connect to, and how: `{ transport: { http2: true } }`, `{ snapshot }`. @default the one kubectl or a pod would reach from
   * here, over HTTP/1.1 unless `DROVER_HTTP2=1`
   */
  readonly cluster?: Omit<ConnectOptions, "runtime" | "host">;
  /**
   * An existing connection: the operator shares its caches and watches, and leaves it open; `cluster` is ignored.
   * @default a new connection
   */
  readonly connection?: Connection;
  /**
   * Whether to use leader election, and its options; name and namespace default to the operator's and the pod's.
   * @default true in a pod without `shards`, else false
   */
  readonly leaderElection?: boolean | Partial<NodeLeaderElectionOptions>;
  /**
   * Shares the objects among replicas: each reconciles its part. Name and namespace default to the operator's and the pod's. Not together
   * with `leaderElection`. @default no shards
   */
  readonly shards?: Partial<NodeShardsOptions>;
  /**
   * Number of threads that reconcile, for reconciles that need more than one core: each has its own connection and caches, and a part of
   * the objects. The main thread keeps leases, webhooks and probes. Threads run the file that Node was started with, or
   * `{ count: 2, entry: url }` another module that reaches the same call. @default 1, in the main thread
   */
  readonly threads?: number | ThreadsOptions;
  /** Probes and metrics, or false for none. @default port 8080 in a pod, else none */
  readonly serving?: false | NonNullable<NodeManagerOptions["serving"]>;
  /**
   * How the API server reaches the webhooks of the operator; false serves none, and fails if a definition needs conversions. Without
   * webhooks in the declaration no port is opened. @default a Service in a pod, else a port on this machine
   */
  readonly webhooks?: false | RunWebhooksOptions;
  /** Records the runs, for `why` and the debug endpoint; false records nothing. @default the newest 4,096 runs, in at most 6 MiB */
  readonly tape?: false | Tape;
  /**
   * Endpoint on the loopback address that answers `drover status`, `drover why` and others, and enqueues for `drover reconcile`; false
   * opens none.
   * @default the environment variable DROVER_DEBUG ("off", or a port), or port 4679, or another free one if that is in use
   */
  readonly debug?: false | DebugOptions;
  /** Stops the operator. @default aborts on the first SIGINT or SIGTERM */
  readonly signal?: AbortSignal;
  /** Clock, random numbers, log and metrics. @default `nodeRuntime()` */
  readonly runtime?: NodeRuntime;
  /** Environment, files and programs. @default `nodeHost()` */
  readonly host?: Host;
}

/** Names of the options of `app.run`. */
export const runOptionNames: OptionNames<RunOptions> = {
  tape: true,
  debug: true,
  permissions: true,
  install: true,
  watchNamespaces: true,
  graceMs: true,
  syncTimeoutMs: true,
  cluster: true,
  connection: true,
  leaderElection: true,
  shards: true,
  threads: true,
  serving: true,
  webhooks: true,
  signal: true,
  runtime: true,
  host: true,
};
