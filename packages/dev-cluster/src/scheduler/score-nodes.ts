/** Scores the nodes that fit a pod. */
import { preferenceFor } from "@drover/controller-manager";
import type { ClusterView } from "./cluster-view.ts";
import type { LoadedNode } from "./node-load.ts";
import type { PlacedPod } from "./placed-pod.ts";
import { dislikedTaints } from "./plugins/node-taints.ts";
import { roomLeft } from "./plugins/node-resources.ts";
import { companyScores } from "./plugins/pod-affinity-score.ts";
import { spreadScores } from "./plugins/topology-spread-score.ts";

/** kube-scheduler's weights of the same plugins. */
const weights = { room: 1, preference: 2, taints: 3, spread: 2, company: 2 } as const;

/** Returns the nodes with the highest score, in their given order. */
export function bestNodes(pod: PlacedPod, view: ClusterView, nodes: readonly LoadedNode[]): readonly LoadedNode[] {
  if (nodes.length < 2) return nodes;
  const room = roomLeft(pod, nodes);
  const preferences = normalised(nodes.map(({ node }) => preferenceFor(pod.pod, node)));
  const taints = reversed(dislikedTaints(pod, nodes));
  // Pods without constraints are spread by owner.
  const spread = spreadScores(pod, view, nodes) ?? reversed(nodes.map(({ load }) => load.siblings(pod.owner)));
  const company = companyScores(pod, view, nodes) ?? [];
  const scores = nodes.map(
    (_, index) =>
      weights.room * (room[index] ?? 0) +
      weights.preference * (preferences[index] ?? 0) +
      weights.taints * (taints[index] ?? 0) +
      weights.spread * (spread[index] ?? 0) +
      weights.company * (company[index] ?? 0),
  );
  const best = Math.max(...scores);
  return nodes.filter((_, index) => scores[index] === best);
}

/** Scales to 0–100, the highest at 100; all 0 when every value is 0. */
function normalised(values: readonly number[]): readonly number[] {
  const highest = Math.max(0, ...values);
  return highest === 0 ? values.map(() => 0) : values.map((value) => Math.floor((value * 100) / highest));
}

/** The same reversed: the highest at 0. */
const reversed = (values: readonly number[]): readonly number[] => normalised(values).map((value) => 100 - value);
