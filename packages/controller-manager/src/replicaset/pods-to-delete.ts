/** Which pods of a ReplicaSet go when it has too many. */
import { rankedPodOrder } from "../shared/pod-order.ts";
import { isPodActive } from "../shared/pod-state.ts";
import type { PodView } from "../shared/pod-state.ts";

/**
 * So many of the pods: those that do the least, and of pods that are alike those with the most related ones on their
 * node, so that what is left is
 * spread. All of them in the order they came when all are to go.
 * @param related - pods of the ReplicaSet and of its siblings, which have the same Deployment
 */
export function podsToDelete(pods: readonly PodView[], related: readonly PodView[], count: number, now: number): readonly PodView[] {
  if (count >= pods.length) return pods;
  const onNode = new Map<string, number>();
  for (const pod of related) if (isPodActive(pod)) onNode.set(nodeOf(pod), (onNode.get(nodeOf(pod)) ?? 0) + 1);
  return pods.toSorted(rankedPodOrder({ rankOf: (pod) => onNode.get(nodeOf(pod)) ?? 0, now })).slice(0, count);
}

const nodeOf = ({ spec }: PodView): string => spec?.nodeName ?? "";
