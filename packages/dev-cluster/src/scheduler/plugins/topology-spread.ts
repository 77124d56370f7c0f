/** Topology spread constraints with DoNotSchedule: pods spread evenly over zones, hosts or other labels. */
import type { Pod, TopologySpreadConstraint } from "@drover/api/core/v1";
import { getOwn, selectorFromLabelSelector } from "@drover/machinery";
import { selectsNode } from "@drover/controller-manager";
import type { DeepReadonly, LabelSelector, Selector } from "@drover/machinery";
import type { LoadedNode } from "../node-load.ts";
import type { PlacedPod } from "../placed-pod.ts";
import { final, forNow } from "../refusal.ts";
import type { FilterPlugin } from "../refusal.ts";
import { isKept } from "./node-taints.ts";

export interface SpreadConstraint {
  readonly topologyKey: string;
  readonly maxSkew: number;
  readonly minDomains: number;
  readonly selector: Selector;
  /** Whether pods of this node count at all. */
  readonly counts: (node: LoadedNode) => boolean;
}

const uneven = forNow("node(s) didn't match pod topology spread constraints");
const unlabelled = final("node(s) didn't match pod topology spread constraints (missing required label)");

/** A domain, with this pod, may have at most `maxSkew` pods more than the emptiest domain. */
export const topologySpread: FilterPlugin = (pod, { nodes }) => {
  const constraints = spreadConstraints(pod.pod, "DoNotSchedule");
  if (constraints.length === 0) return undefined;
  const counted = constraints.map((constraint) => {
    const domains = domainCounts(
      pod,
      constraint,
      nodes.filter(({ labels }) => hasAllKeys(labels, constraints)),
    );
    const fewest = domains.size < constraint.minDomains ? 0 : Math.min(...domains.values());
    return { ...constraint, domains, fewest, self: constraint.selector.matches(pod.labels) ? 1 : 0 };
  });
  return ({ labels }) => {
    for (const { topologyKey, maxSkew, domains, fewest, self } of counted) {
      const domain = getOwn(labels, topologyKey);
      if (domain === undefined) return unlabelled;
      if ((domains.get(domain) ?? 0) + self - fewest > maxSkew) return uneven;
    }
    return undefined;
  };
};

/** Returns a pod's constraints of one kind: required or preferred. */
export function spreadConstraints(
  pod: DeepReadonly<Pod>,
  action: TopologySpreadConstraint["whenUnsatisfiable"],
): readonly SpreadConstraint[] {
  return (pod.spec?.topologySpreadConstraints ?? [])
    .filter(({ whenUnsatisfiable }) => whenUnsatisfiable === action)
    .map((constraint) => {
      const { topologyKey, maxSkew, minDomains = 1, nodeAffinityPolicy = "Honor", nodeTaintsPolicy = "Ignore" } = constraint;
      const counts = ({ node }: LoadedNode): boolean =>
        (nodeAffinityPolicy !== "Honor" || selectsNode(pod, node)) && (nodeTaintsPolicy !== "Honor" || !isKept(pod, node));
      return {
        topologyKey,
        maxSkew,
        minDomains,
        selector: selectorFromLabelSelector(selectorOf(constraint, pod.metadata.labels ?? {})),
        counts,
      };
    });
}

export const hasAllKeys = (labels: Readonly<Record<string, string>>, constraints: readonly SpreadConstraint[]): boolean =>
  constraints.every(({ topologyKey }) => Object.hasOwn(labels, topologyKey));

/** Returns the number of matching pods of each domain. */
export function domainCounts({ namespace }: PlacedPod, constraint: SpreadConstraint, nodes: readonly LoadedNode[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const node of nodes) {
    const domain = getOwn(node.labels, constraint.topologyKey);
    if (domain !== undefined && constraint.counts(node))
      counts.set(domain, (counts.get(domain) ?? 0) + matchingPods(node, constraint, namespace));
  }
  return counts;
}

/** Terminating pods do not count; an empty selector matches none. */
export function matchingPods({ load }: LoadedNode, { selector }: SpreadConstraint, namespace: string): number {
  if (selector.isEverything) return 0;
  let count = 0;
  for (const pod of load.pods) if (!pod.isLeaving && pod.namespace === namespace && selector.matches(pod.labels)) count++;
  return count;
}

/** With the pod's own values of `matchLabelKeys`. */
function selectorOf(
  { labelSelector, matchLabelKeys = [] }: DeepReadonly<TopologySpreadConstraint>,
  labels: Readonly<Record<string, string>>,
): DeepReadonly<LabelSelector> | undefined {
  const keys = matchLabelKeys.filter((key) => Object.hasOwn(labels, key));
  if (keys.length === 0) return labelSelector;
  const more = keys.map((key) => ({ key, operator: "In" as const, values: [getOwn(labels, key) ?? ""] }));
  return { ...labelSelector, matchExpressions: [...(labelSelector?.matchExpressions ?? []), ...more] };
}
