/** Input of a scheduling decision: all nodes with their pods, and other objects that pods refer to. */
import type { PersistentVolumeClaim } from "@drover/api/core/v1";
import type { PodDisruptionBudget } from "@drover/api/policy/v1";
import type { DeepReadonly } from "@drover/machinery";
import type { LoadedNode, NodeLoad } from "./node-load.ts";
import type { NamespaceLabels } from "./pod-terms.ts";

export interface ClusterView {
  readonly nodes: readonly LoadedNode[];
  readonly namespaceLabels: NamespaceLabels;
  readonly claim: (namespace: string, name: string) => DeepReadonly<PersistentVolumeClaim> | undefined;
  readonly budgets: () => Iterable<DeepReadonly<PodDisruptionBudget>>;
}

/** Returns the view with another load on one node. */
export function withLoad(
  view: ClusterView,
  { name }: LoadedNode,
  load: NodeLoad,
): { readonly view: ClusterView; readonly node: LoadedNode } {
  const nodes = view.nodes.map((each) => (each.name === name ? { ...each, load } : each));
  const node = nodes.find((each) => each.name === name);
  if (node === undefined) throw new Error(`node ${name} is not one of the ${nodes.length} in view`);
  return { view: { ...view, nodes }, node };
}
