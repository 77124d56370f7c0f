/** When all old pods must be gone before the first new one comes. */
import { isPodFinished } from "../shared/pod-state.ts";
import type { PodView } from "../shared/pod-state.ts";
import type { ReplicaSetView } from "../shared/replica-set-order.ts";

/**
 * Whether an old pod may still be doing something: an old ReplicaSet says it has pods, or a pod that is not the new
 * one's has neither succeeded
 * nor failed. One that is being deleted still counts, and so does one of which nobody knows.
 * @param podsOf - the pods that a ReplicaSet controls, whatever their state
 */
export function oldPodsRunning(oldSets: readonly ReplicaSetView[], podsOf: (replicaSet: ReplicaSetView) => readonly PodView[]): boolean {
  return (
    oldSets.some(({ status }) => (status?.replicas ?? 0) > 0) ||
    oldSets.some((replicaSet) => podsOf(replicaSet).some((pod) => !isPodFinished(pod)))
  );
}
