/** Preferred pod affinity in both directions: of the pod and of the pods on each node. */
import { getOwn } from "@drover/machinery";
import type { ClusterView } from "../cluster-view.ts";
import type { LoadedNode } from "../node-load.ts";
import type { PlacedPod } from "../placed-pod.ts";
import { matchesPod } from "../pod-terms.ts";
import type { PodTerm } from "../pod-terms.ts";

/** Weight of an existing pod that requires this one nearby. */
const requiredWeight = 1;

/** Returns scores from 0 to 100, scaled to the range found; undefined without any preference. */
export function companyScores(
  pod: PlacedPod,
  { nodes, namespaceLabels }: ClusterView,
  feasible: readonly LoadedNode[],
): readonly number[] | undefined {
  const { preferred = [], avoided = [] } = pod.terms ?? {};
  const hasWishes = preferred.length + avoided.length > 0;
  const weights = new Map<string, Map<string, number>>();
  const add = ({ topologyKey }: PodTerm, { labels }: LoadedNode, weight: number): void => {
    const value = getOwn(labels, topologyKey);
    if (value === undefined) return;
    const values = weights.get(topologyKey) ?? new Map<string, number>();
    weights.set(topologyKey, values.set(value, (values.get(value) ?? 0) + weight));
  };
  const meets = (term: PodTerm, other: PlacedPod): boolean => matchesPod(term, other, namespaceLabels);
  for (const node of nodes) {
    for (const other of hasWishes ? node.load.pods : node.load.withTerms) {
      for (const term of preferred) if (meets(term, other)) add(term, node, term.weight);
      for (const term of avoided) if (meets(term, other)) add(term, node, -term.weight);
      for (const term of other.terms?.affinity ?? []) if (meets(term, pod)) add(term, node, requiredWeight);
      for (const term of other.terms?.preferred ?? []) if (meets(term, pod)) add(term, node, term.weight);
      for (const term of other.terms?.avoided ?? []) if (meets(term, pod)) add(term, node, -term.weight);
    }
  }
  if (weights.size === 0) return undefined;
  const sums = feasible.map(({ labels }) =>
    [...weights].reduce((sum, [key, values]) => sum + (Object.hasOwn(labels, key) ? (values.get(getOwn(labels, key) ?? "") ?? 0) : 0), 0),
  );
  const [least, most] = [Math.min(...sums), Math.max(...sums)];
  return sums.map((sum) => (most === least ? 0 : Math.floor((100 * (sum - least)) / (most - least))));
}
