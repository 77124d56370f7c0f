/**
 * How a Deployment that was scaled, or is paused, resizes its ReplicaSets: the only active one, or during a rollout all of them in
 * proportion, so that scaling neither speeds up nor undoes the rollout.
 *
 *     isScalingEvent → scalingPlan → scalings
 */
import { bySizeNewer, bySizeOlder, replicasOf } from "../shared/replica-set-order.ts";
import type { ReplicaSetView } from "../shared/replica-set-order.ts";
import { desiredReplicasAnnotation, maxReplicasAnnotation, replicasAnnotation } from "./deployment-annotations.ts";
import { isRollingUpdate } from "./deployment-view.ts";
import type { DeploymentView } from "./deployment-view.ts";
import { maxSurge } from "./fenceposts.ts";
import { activeOrLatest, activeSets, allSets } from "./new-and-old.ts";
import type { NewAndOld } from "./new-and-old.ts";
import type { Scaling } from "./scale-replica-set.ts";

/** Whether an active ReplicaSet was last scaled for another size of the Deployment. */
export function isScalingEvent(deployment: DeploymentView, sets: NewAndOld): boolean {
  return activeSets(allSets(sets)).some((replicaSet) => {
    const desired = replicasAnnotation(replicaSet, desiredReplicasAnnotation);
    return desired !== undefined && desired !== replicasOf(deployment);
  });
}

/** Returns the new size of each ReplicaSet. In proportion it names all that have pods, because their annotations need an update too. */
export function scalingPlan(deployment: DeploymentView, sets: NewAndOld): readonly Scaling[] {
  const replicas = replicasOf(deployment);
  const only = activeOrLatest(sets);
  if (only !== undefined) return replicasOf(only) === replicas ? [] : [{ replicaSet: only, replicas }];
  if (isSaturated(deployment, sets.newSet)) return activeSets(sets.oldSets).map((replicaSet) => ({ replicaSet, replicas: 0 }));
  return isRollingUpdate(deployment) ? proportionalPlan(deployment, activeSets(allSets(sets))) : [];
}

/** Whether a ReplicaSet has all desired pods, its annotation says so, and all are available. */
export function isSaturated(deployment: DeploymentView, replicaSet: ReplicaSetView | undefined): boolean {
  const replicas = replicasOf(deployment);
  return (
    replicaSet !== undefined &&
    replicasOf(replicaSet) === replicas &&
    replicasAnnotation(replicaSet, desiredReplicasAnnotation) === replicas &&
    (replicaSet.status?.availableReplicas ?? 0) === replicas
  );
}

function proportionalPlan(deployment: DeploymentView, active: readonly ReplicaSetView[]): readonly Scaling[] {
  const allowed = replicasOf(deployment) > 0 ? replicasOf(deployment) + maxSurge(deployment) : 0;
  const toAdd = allowed - active.reduce((sum, replicaSet) => sum + replicasOf(replicaSet), 0);
  const sorted = toAdd === 0 ? active : active.toSorted(toAdd > 0 ? bySizeNewer : bySizeOlder);
  let added = 0;
  const shares = sorted.map((replicaSet) => {
    const share = proportion(deployment, replicaSet, { toAdd, added });
    added += share;
    return { replicaSet, replicas: replicasOf(replicaSet) + share, isForced: true };
  });
  // The rounding remainder goes to the first, which is the largest.
  return shares.map((scaling, index) => (index === 0 ? { ...scaling, replicas: Math.max(0, scaling.replicas + toAdd - added) } : scaling));
}

/** Returns how many of the remaining pods a ReplicaSet gains or loses. */
export function proportion(
  deployment: DeploymentView,
  replicaSet: ReplicaSetView,
  { toAdd, added }: { readonly toAdd: number; readonly added: number },
): number {
  if (replicasOf(replicaSet) === 0 || toAdd === added || toAdd === 0) return 0;
  const share = fraction(deployment, replicaSet);
  return toAdd > 0 ? Math.min(share, toAdd - added) : Math.max(share, toAdd - added);
}

/** Its proportional size minus its current one, relative to the Deployment's maximum when it was last scaled. */
export function fraction(deployment: DeploymentView, replicaSet: ReplicaSetView): number {
  const size = replicasOf(replicaSet);
  if (replicasOf(deployment) === 0) return -size;
  const before = replicasAnnotation(replicaSet, maxReplicasAnnotation) || (deployment.status?.replicas ?? 0);
  return before === 0 ? 0 : Math.round((size * (replicasOf(deployment) + maxSurge(deployment))) / before) - size;
}
