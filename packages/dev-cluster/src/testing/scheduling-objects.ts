/** Nodes and pods as the scheduler sees them, for its tests. */
import type { PodSpec } from "@drover/api/core/v1";
import type { ClusterView } from "../scheduler/cluster-view.ts";
import { NodeLoad } from "../scheduler/node-load.ts";
import type { LoadedNode } from "../scheduler/node-load.ts";
import { placedPod } from "../scheduler/placed-pod.ts";
import type { PlacedPod } from "../scheduler/placed-pod.ts";
import { amountsOf } from "../scheduler/resource-amounts.ts";

export interface PodInOptions {
  readonly namespace?: string;
  readonly labels?: Record<string, string>;
  readonly priority?: number;
  readonly cpu?: string;
  readonly isLeaving?: boolean;
  readonly spec?: Partial<PodSpec>;
}

/** A pod in namespace "shop" without requests. */
export function podIn(
  name: string,
  { namespace = "shop", labels = {}, priority = 0, cpu, isLeaving = false, spec = {} }: PodInOptions = {},
): PlacedPod {
  return placedPod({
    metadata: { name, namespace, uid: `${namespace}/${name}`, labels, ...(isLeaving ? { deletionTimestamp: "2026-01-01T00:00:00Z" } : {}) },
    spec: {
      priority,
      containers: [{ name: "a", image: "a", ...(cpu === undefined ? {} : { resources: { requests: { cpu } } }) }],
      ...spec,
    },
  });
}

/** A node with two CPUs and room for ten pods. */
export function nodeIn(name: string, labels: Record<string, string> = {}): LoadedNode {
  return {
    name,
    labels,
    node: { metadata: { name, labels } },
    load: new NodeLoad(),
    allocatable: amountsOf({ cpu: "2", memory: "4Gi", pods: "10" }),
  };
}

export function placeIn(node: LoadedNode | undefined, ...pods: readonly PlacedPod[]): void {
  for (const pod of pods) node?.load.put(pod);
}

export function viewOf(nodes: readonly LoadedNode[], namespaces: Readonly<Record<string, Record<string, string>>> = {}): ClusterView {
  return { nodes, namespaceLabels: (name) => namespaces[name], claim: () => undefined, budgets: () => [] };
}
