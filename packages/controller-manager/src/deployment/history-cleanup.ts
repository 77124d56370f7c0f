/** Which old ReplicaSets to delete: empty ones of the lowest revisions, beyond the limit. */
import { replicasOf } from "../shared/replica-set-order.ts";
import type { ReplicaSetView } from "../shared/replica-set-order.ts";
import { byRevision } from "./deployment-revision.ts";
import { historyLimit } from "./deployment-view.ts";
import type { DeploymentView } from "./deployment-view.ts";

/** Considers only as many of the oldest as exceed the limit. One that has pods, or may have, is skipped and not replaced by another. */
export function setsToForget(deployment: DeploymentView, oldSets: readonly ReplicaSetView[]): readonly ReplicaSetView[] {
  const limit = historyLimit(deployment);
  if (limit === undefined) return [];
  const alive = oldSets.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
  return alive
    .toSorted(byRevision)
    .slice(0, Math.max(0, alive.length - limit))
    .filter(isEmpty);
}

function isEmpty(replicaSet: ReplicaSetView): boolean {
  const { metadata, status } = replicaSet;
  return (status?.replicas ?? 0) === 0 && replicasOf(replicaSet) === 0 && (metadata.generation ?? 0) <= (status?.observedGeneration ?? 0);
}
