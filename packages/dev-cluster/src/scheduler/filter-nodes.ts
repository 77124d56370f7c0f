/**
 * Which nodes a pod fits. The first plugin that rejects a node gives the reason.
 *
 *     pod, view → nodeFilter: every plugin prepared for this pod → filterNodes: a refusal or undefined for each node
 */
import { withLoad } from "./cluster-view.ts";
import type { ClusterView } from "./cluster-view.ts";
import type { LoadedNode } from "./node-load.ts";
import type { PlacedPod } from "./placed-pod.ts";
import { nodeAffinity } from "./plugins/node-affinity.ts";
import { nodePorts } from "./plugins/node-ports.ts";
import { nodeResources } from "./plugins/node-resources.ts";
import { nodeTaints } from "./plugins/node-taints.ts";
import { nodeUnschedulable } from "./plugins/node-unschedulable.ts";
import { podAffinity } from "./plugins/pod-affinity.ts";
import { topologySpread } from "./plugins/topology-spread.ts";
import type { FilterPlugin, NodeFilter, Refusal } from "./refusal.ts";

/** In kube-scheduler's order. */
const plugins: readonly FilterPlugin[] = [
  nodeUnschedulable,
  nodeTaints,
  nodeAffinity,
  nodePorts,
  nodeResources,
  topologySpread,
  podAffinity,
];

/** Pods nominated for a node, by its name, while victims are still terminating. */
export type Promised = (node: string) => readonly PlacedPod[];

/** All plugins combined. */
function nodeFilter(pod: PlacedPod, view: ClusterView): NodeFilter {
  const filters = plugins.flatMap((plugin) => plugin(pod, view) ?? []);
  return (node) => {
    for (const filter of filters) {
      const refusal = filter(node);
      if (refusal !== undefined) return refusal;
    }
    return undefined;
  };
}

/** Returns a refusal for each node of the view; undefined where the pod fits. */
export function filterNodes(pod: PlacedPod, view: ClusterView, promised: Promised): readonly (Refusal | undefined)[] {
  const filter = nodeFilter(pod, view);
  return view.nodes.map((node) => filter(node) ?? refusalBeside(promised, pod, view, node));
}

/** The same for one node. */
export function filterNode(pod: PlacedPod, view: ClusterView, node: LoadedNode, promised: Promised): Refusal | undefined {
  return nodeFilter(pod, view)(node) ?? refusalBeside(promised, pod, view, node);
}

/** Nominated pods of equal or higher priority must fit beside this one; the pod must also fit without them. */
function refusalBeside(promised: Promised, pod: PlacedPod, view: ClusterView, node: LoadedNode): Refusal | undefined {
  const others = promised(node.name).filter(({ uid, priority }) => uid !== pod.uid && priority >= pod.priority);
  if (others.length === 0) return undefined;
  const load = node.load.copy();
  for (const other of others) load.put(other);
  const supposed = withLoad(view, node, load);
  return nodeFilter(pod, supposed.view)(supposed.node);
}
