/** Topology spread constraints with ScheduleAnyway: how evenly pods would be spread. */
import { getOwn } from "@drover/machinery";
import type { ClusterView } from "../cluster-view.ts";
import type { LoadedNode } from "../node-load.ts";
import type { PlacedPod } from "../placed-pod.ts";
import { domainCounts, hasAllKeys, matchingPods, spreadConstraints } from "./topology-spread.ts";

const hostname = "kubernetes.io/hostname";

/**
 * Returns scores from 0 to 100, 100 for the emptiest domains; nodes without the labels get 0. Undefined when the pod has no such
 * constraint.
 */
export function spreadScores(pod: PlacedPod, view: ClusterView, feasible: readonly LoadedNode[]): readonly number[] | undefined {
  const constraints = spreadConstraints(pod.pod, "ScheduleAnyway");
  if (constraints.length === 0) return undefined;
  const scored = feasible.filter(({ labels }) => hasAllKeys(labels, constraints));
  const counted = constraints.map((constraint) => {
    const { topologyKey } = constraint;
    const domains =
      topologyKey === hostname
        ? undefined
        : domainCounts(
            pod,
            constraint,
            view.nodes.filter(({ labels }) => hasAllKeys(labels, constraints)),
          );
    const size = topologyKey === hostname ? scored.length : new Set(scored.map(({ labels }) => getOwn(labels, topologyKey))).size;
    // The fewer domains, the less one more pod weighs.
    return { constraint, domains, weight: Math.log(size + 2) };
  });
  const raw = new Map(
    scored.map((node) => [
      node.name,
      Math.round(
        counted.reduce((sum, { constraint, domains, weight }) => {
          const count =
            domains === undefined
              ? matchingPods(node, constraint, pod.namespace)
              : (domains.get(getOwn(node.labels, constraint.topologyKey) ?? "") ?? 0);
          return sum + count * weight + constraint.maxSkew - 1;
        }, 0),
      ),
    ]),
  );
  const [least, most] = [Math.min(...raw.values()), Math.max(0, ...raw.values())];
  return feasible.map(({ name }) => {
    const score = raw.get(name);
    if (score === undefined) return 0;
    return most === 0 ? 100 : Math.floor((100 * (most + least - score)) / most);
  });
}
