/** A cluster of API server, scheduler and kubelets in virtual time; the one controller in it unlocks new nodes. */
import type { Client } from "@drover/client";
import type { Pod, PodSpec } from "@drover/api/core/v1";
import { testRuntime } from "@drover/machinery/testing";
import type { ManualClock } from "@drover/machinery/testing";
import type { Kubelets } from "../node/kubelets.ts";
import { startCluster } from "../start-cluster.ts";
import type { DevCluster } from "../start-cluster.ts";

export interface BareCluster extends AsyncDisposable {
  readonly cluster: DevCluster;
  readonly client: Client;
  readonly clock: ManualClock;
  readonly kubelets: Kubelets;
}

/** Starts the cluster with these nodes, each with two CPUs and a /29 of pod addresses, which is five. Its end takes virtual time. */
export async function bareCluster(...names: readonly string[]): Promise<BareCluster> {
  const runtime = testRuntime();
  const cluster = await startCluster({ runtime, nodes: 0, controllers: ["node-lifecycle-controller"] });
  const { client, kubelets } = cluster;
  for (const name of names) await addBareNode(kubelets, name);
  return {
    cluster,
    client,
    kubelets,
    clock: runtime.clock,
    [Symbol.asyncDispose]: async () => {
      const stopped = cluster.stop();
      await runtime.clock.advance(60_000);
      await stopped;
    },
  };
}

/** Adds a node; its name ends in a digit, which its addresses carry. */
export function addBareNode(kubelets: Kubelets, name: string): Promise<void> {
  const digit = name.at(-1) ?? "0";
  return kubelets.addNode({ name, podCidr: `10.244.${digit}.0/29`, address: `172.18.0.${digit}`, resources: { cpu: "2" } });
}

/** A pod in namespace "default" with one container. */
export const barePod = (name: string, { cpu = "100m", ...spec }: Partial<PodSpec> & { readonly cpu?: string } = {}): Pod => ({
  metadata: { name, namespace: "default" },
  spec: { containers: [{ name: "web", image: "web:1", resources: { requests: { cpu } } }], ...spec },
});
