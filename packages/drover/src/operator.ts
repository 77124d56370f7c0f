/**
 * An operator that runs in this process: from kubeconfig or pod to termination signals.
 *
 *     operator({ name }) → controller(…) → run() → connect, lease, probes, stopSignal
 */
import { hostname } from "node:os";
import { isInCluster } from "@drover/client";
import type { Host } from "@drover/client";
import { createOperator } from "@drover/patterns";
import type { Operator, OperatorOptions, OperatorPlace } from "@drover/patterns";
import { connect } from "./connect.ts";
import type { Connection, ConnectOptions } from "./connect.ts";
import { nodeHost } from "./node-host.ts";
import { leaseNamespace } from "./node-manager.ts";
import type { NodeLeaderElectionOptions, NodeManagerOptions } from "./node-manager.ts";
import { nodeRuntime } from "./node-runtime.ts";
import type { NodeRuntime } from "./node-runtime.ts";
import { serveHttp } from "./serve-http.ts";
import { stopSignal } from "./stop-signals.ts";

/** Options of `app.run`. */
export interface RunOptions extends Pick<
  OperatorPlace,
  "tape" | "permissions" | "install" | "watchNamespaces" | "graceMs" | "syncTimeoutMs"
> {
  /** Cluster to connect to. @default the one kubectl or a pod would reach from here */
  readonly cluster?: Omit<ConnectOptions, "runtime" | "host">;
  /**
   * An existing connection: the operator shares its caches and watches, and leaves it open; `cluster` is ignored.
   * @default a new connection
   */
  readonly connection?: Connection;
  /**
   * Whether to use leader election, and its options; name and namespace default to the operator's and the pod's.
   * @default true in a pod, else false
   */
  readonly leaderElection?: boolean | Partial<NodeLeaderElectionOptions>;
  /** Probes and metrics, or false for none. @default port 8080 in a pod, else none */
  readonly serving?: false | NonNullable<NodeManagerOptions["serving"]>;
  /** Stops the operator. @default aborts on the first SIGINT or SIGTERM */
  readonly signal?: AbortSignal;
  /** Clock, random numbers, log and metrics. @default `nodeRuntime()` */
  readonly runtime?: NodeRuntime;
  /** Environment, files and programs. @default `nodeHost()` */
  readonly host?: Host;
}

/** An operator that can run in this process. */
export interface RunnableOperator extends Operator {
  /**
   * Connects, installs CRDs, and runs until `signal` aborts; then waits for running reconciles and resolves. Rejects
   * with the manager's error, and with `KubeconfigError` if no cluster is found.
   */
  run(options?: RunOptions): Promise<void>;
}

/** Creates an operator without controllers: add them with `app.controller(Kind, { … })`, then call `await app.run()`. */
export function operator(options: OperatorOptions): RunnableOperator {
  const declared = createOperator(options);
  return { ...declared, run: (runOptions = {}) => runOperator(declared, runOptions) };
}

async function runOperator(declared: Operator, options: RunOptions): Promise<void> {
  const { runtime = nodeRuntime(), host = nodeHost() } = options;
  const isInPod = await isInCluster(host);
  const {
    cluster = {},
    leaderElection = isInPod,
    serving = isInPod ? {} : false,
    signal = stopSignal(),
    connection: given,
    runtime: _runtime,
    host: _host,
    ...place
  } = options;
  await using own = given === undefined ? await connect({ ...cluster, runtime, host }) : undefined;
  const connection = given ?? own;
  if (connection === undefined) return;
  const lease =
    leaderElection === false
      ? {}
      : { leaderElection: await leaseOf(declared.name, leaderElection === true ? {} : leaderElection, { runtime, host }) };
  const port = serving === false ? {} : { serving: { listen: serveHttp, ...serving } };
  await declared
    .runOn({
      ...place,
      runtime,
      transport: connection.transport,
      cluster: connection.cluster,
      namespace: connection.namespace,
      ...lease,
      ...port,
    })
    .run(signal);
}

async function leaseOf(
  name: string,
  options: Partial<NodeLeaderElectionOptions>,
  { runtime, host }: { readonly runtime: NodeRuntime; readonly host: Host },
): Promise<NonNullable<OperatorPlace["leaderElection"]>> {
  return { identity: `${hostname()}_${runtime.uid()}`, name, ...options, namespace: options.namespace ?? (await leaseNamespace(host)) };
}
