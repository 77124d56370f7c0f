/** Which of the nodes that a pod can be on suits it best. */
import type { Pod } from "@drover/api/core/v1";
import { tolerates } from "@drover/controller-manager";
import type { DeepReadonly } from "@drover/machinery";
import type { LoadedNode, PlacedPod } from "./node-load.ts";
import { preferenceFor } from "./node-selection.ts";

/** kube-scheduler's weights of the same things. */
const weights = { room: 1, preference: 2, taints: 3, spread: 2 } as const;
/** A container that asks for nothing takes something all the same. */
const assumed: ReadonlyMap<string, number> = new Map([["cpu", 100], ["memory", 200 * 1024 ** 2]]);

/** The nodes with the highest score, in the order they came in. */
export function bestNodes(pod: DeepReadonly<Pod>, placed: PlacedPod, nodes: readonly LoadedNode[]): readonly LoadedNode[] {
  const preferences = normalised(nodes.map(({ node }) => preferenceFor(pod, node)));
  const taints = normalised(nodes.map(({ node }) => dislikedTaints(pod, node.spec?.taints ?? [])));
  const siblings = normalised(nodes.map(({ load }) => load.siblings(placed.owner)));
  const scores = nodes.map((node, index) => weights.room * roomOn(node, placed) + weights.preference * (preferences[index] ?? 0)
    + weights.taints * (100 - (taints[index] ?? 0)) + weights.spread * (100 - (siblings[index] ?? 0)));
  const best = Math.max(...scores);
  return nodes.filter((_, index) => scores[index] === best);
}

type Taints = NonNullable<NonNullable<LoadedNode["node"]["spec"]>["taints"]>;

const dislikedTaints = ({ spec }: DeepReadonly<Pod>, taints: Taints): number => taints.filter((taint) => taint.effect === "PreferNoSchedule" && !tolerates(spec?.tolerations, taint)).length;

/** How much of the node is left with the pod on it, from 0 to 100: the mean over cpu and memory. */
function roomOn({ load, allocatable }: LoadedNode, { request }: PlacedPod): number {
  const shares = [...assumed].map(([resource, least]) => {
    const all = allocatable.get(resource) ?? 0;
    return all === 0 ? 0 : Math.max(0, (all - load.requested(resource) - (request.get(resource) ?? least)) / all);
  });
  return Math.floor((shares.reduce((sum, share) => sum + share, 0) * 100) / shares.length);
}

/** From 0 to 100, the highest at 100; all at 0 when there is none. */
function normalised(values: readonly number[]): readonly number[] {
  const highest = Math.max(0, ...values);
  return highest === 0 ? values.map(() => 0) : values.map((value) => Math.floor((value * 100) / highest));
}
