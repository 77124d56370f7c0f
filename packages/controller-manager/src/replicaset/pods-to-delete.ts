/** Which surplus pods of a ReplicaSet to delete. */
import { rankedPodOrder } from "../shared/pod-order.ts";
import { isPodActive } from "../shared/pod-state.ts";
import type { PodView } from "../shared/pod-state.ts";

/**
 * Returns so many pods: the least useful first, and among equals those with the most related pods on their node, so that the rest
 * stays spread. Returns all in their given order when all are to be deleted.
 * @param related - pods of the ReplicaSet and of its siblings, which have the same Deployment
 */
export function podsToDelete(pods: readonly PodView[], related: readonly PodView[], count: number, now: number): readonly PodView[] {
  if (count >= pods.length) return pods;
  const onNode = new Map<string, number>();
  for (const pod of related) if (isPodActive(pod)) onNode.set(nodeOf(pod), (onNode.get(nodeOf(pod)) ?? 0) + 1);
  return pods.toSorted(rankedPodOrder({ rankOf: (pod) => onNode.get(nodeOf(pod)) ?? 0, now })).slice(0, count);
}

const nodeOf = ({ spec }: PodView): string => spec?.nodeName ?? "";
