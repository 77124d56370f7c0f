/** The strategy Recreate: all old pods must be gone before the first new one is created. */
import { isPodFinished } from "../shared/pod-state.ts";
import type { PodView } from "../shared/pod-state.ts";
import type { ReplicaSetView } from "../shared/replica-set-order.ts";

/**
 * Whether an old pod may still run: an old ReplicaSet reports pods, or a pod of an old ReplicaSet has neither succeeded nor failed.
 * Terminating pods and pods in phase Unknown count.
 * @param podsOf - returns the pods that a ReplicaSet controls, in any state
 */
export function oldPodsRunning(oldSets: readonly ReplicaSetView[], podsOf: (replicaSet: ReplicaSetView) => readonly PodView[]): boolean {
  return (
    oldSets.some(({ status }) => (status?.replicas ?? 0) > 0) ||
    oldSets.some((replicaSet) => podsOf(replicaSet).some((pod) => !isPodFinished(pod)))
  );
}
