/**
 * Connects to a cluster: finds it, authenticates, and creates everything that talks to it.
 *
 *     connect() → openConnection → Connection: client, discovery, mapper, pods
 */
import type { Connection, ConnectOptions } from "./connection.ts";
import { nodeHost } from "./node-host.ts";
import { nodeRuntime } from "./node-runtime.ts";

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
  const { runtime = nodeRuntime(), host = nodeHost() } = options;
  // Kubeconfigs, credentials and sockets are a fifth of the code of an operator; imported here, a test does not load them.
  const { openConnection } = await import("./open-connection.ts");
  return openConnection({ ...options, runtime, host });
}
