/** Which old ReplicaSets are not worth keeping: those of the lowest revisions beyond the limit, if nothing is left in them. */
import { replicasOf } from "../shared/replica-set-order.ts";
import type { ReplicaSetView } from "../shared/replica-set-order.ts";
import { byRevision } from "./deployment-revision.ts";
import { historyLimit } from "./deployment-view.ts";
import type { DeploymentView } from "./deployment-view.ts";

/** Only among the first beyond the limit is looked; one that still has pods, or may have, is passed over and no other taken for it. */
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
