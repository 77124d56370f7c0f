/**
 * The whole client on a network of the test's choice: from typed verbs through every wrapper to the connections.
 *
 *     runtime, connect → clusterRig → Client, Transport
 */
import type { Runtime } from "@drover/machinery";
import { createClient } from "../verbs/client.ts";
import type { Client } from "../verbs/client.ts";
import type { ClusterAccess } from "../kubeconfig/cluster-access.ts";
import { clusterTransport } from "../transport/cluster-transport.ts";
import type { ClusterTransport, ClusterTransportDeps } from "../transport/cluster-transport.ts";
import { memoryHost } from "./memory-host.ts";

export interface ClusterRigOptions {
  readonly runtime: Runtime;
  /** `nodeTransport`, or that of a `faultServer`. */
  readonly connect: ClusterTransportDeps["connect"];
  /** Access to the cluster. @default http://api.internal:6443, without credentials */
  readonly access?: Partial<ClusterAccess>;
  /** Other dependencies. @default a host without files, all defaults */
  readonly deps?: Partial<ClusterTransportDeps>;
}

export interface ClusterRig {
  readonly client: Client;
  readonly transport: ClusterTransport;
}

/** Returns a client in the namespace `shop`. */
export function clusterRig({ runtime, connect, access = {}, deps = {} }: ClusterRigOptions): ClusterRig {
  const transport = clusterTransport(
    { server: "http://api.internal:6443", trust: {}, credentials: {}, namespace: "shop", ...access },
    { ...runtime, host: memoryHost(), isPair: (certificate, key) => certificate === key.reveal(), connect, userAgent: "test", ...deps },
  );
  return { transport, client: createClient({ ...runtime, transport, namespace: "shop", fieldManager: "test" }) };
}
