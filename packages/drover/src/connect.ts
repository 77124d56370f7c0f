/**
 * Connects to a cluster: finds it, authenticates, and creates everything that talks to it.
 *
 *     connect() → openConnection → Connection: client, discovery, mapper, pods
 */
import { checkOptions } from "@drover/machinery";
import type { OptionNames } from "@drover/machinery";
import type { Connection, ConnectOptions } from "./connection.ts";
import { nodeHost } from "./node-host.ts";
import { nodeRuntime } from "./node-runtime.ts";

const optionNames = {
  from: true,
  kubeconfig: true,
  impersonate: true,
  access: true,
  context: true,
  cluster: true,
  user: true,
  namespace: true,
  clusterFields: true,
  userFields: true,
  fieldManager: true,
  onWarning: true,
  userAgent: true,
  transport: true,
  webSocket: true,
  format: true,
  snapshot: true,
  runtime: true,
  host: true,
  sockets: true,
} satisfies OptionNames<ConnectOptions>;

/**
 * Connects to the cluster that kubectl or a pod would reach from here. Sends nothing before the first request.
 *
 *     await using cluster = await connect();
 *     for await (const pod of cluster.client.listAll(Pod)) console.log(pod.metadata.name);
 *
 * Rejects with a `KubeconfigError` that names file, entry and fix if no cluster is found; with `TypeError` for
 * contradicting options.
 */
export async function connect(options: ConnectOptions = {}): Promise<Connection> {
  checkOptions("connect", options, optionNames);
  const { runtime = nodeRuntime(), host = nodeHost() } = options;
  // Kubeconfigs, credentials and sockets are a fifth of the code of an operator; imported here, a test does not load them.
  const { openConnection } = await import("./open-connection.ts");
  return openConnection({ ...options, runtime, host });
}
