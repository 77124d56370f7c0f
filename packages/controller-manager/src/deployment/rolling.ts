/**
 * One step of a rolling update: the new ReplicaSet grows as far as the surge allows, or old ones shrink as far as
 * enough pods stay available.
 *
 *     Deployment, ReplicaSets → growNew, shrinkOld → scalings, one after the other
 */
import { byCreation, replicasOf } from "../shared/replica-set-order.ts";
import type { ReplicaSetView } from "../shared/replica-set-order.ts";
import type { DeploymentView } from "./deployment-view.ts";
import { minAvailable, newReplicas } from "./fenceposts.ts";
import { activeSets } from "./new-and-old.ts";
import type { Scaling } from "./scale-replica-set.ts";

/** What the new ReplicaSet is to become; undefined when it is right as it is. */
export function growNew(deployment: DeploymentView, newSet: ReplicaSetView, oldSets: readonly ReplicaSetView[]): Scaling | undefined {
  const [wanted, current] = [replicasOf(deployment), replicasOf(newSet)];
  const replicas = current >= wanted ? wanted : newReplicas(deployment, [...oldSets, newSet], current);
  return replicas === current ? undefined : { replicaSet: newSet, replicas };
}

/**
 * Which old ReplicaSets are to shrink: first by pods that are of no use anyway, then by others. One may be named twice,
 * each time with the size it
 * is to have then. None while one says that more of its pods are available than it is to have: it has not caught up
 * with its size, and what it says cannot be
 * counted on; it is looked at again when it has.
 */
export function shrinkOld(deployment: DeploymentView, newSet: ReplicaSetView, oldSets: readonly ReplicaSetView[]): readonly Scaling[] {
  const old = activeSets(oldSets).toSorted(byCreation);
  if (old.length === 0 || old.some((replicaSet) => availableOf(replicaSet) > replicasOf(replicaSet))) return [];
  const needed = minAvailable(deployment);
  const newUnavailable = replicasOf(newSet) - availableOf(newSet);
  const budget = total([...old, newSet], replicasOf) - needed - newUnavailable;
  if (budget <= 0) return [];
  const unhealthy = shrinkUnhealthy(old, budget);
  const sizes = new Map(unhealthy.map(({ replicaSet, replicas }) => [replicaSet, replicas]));
  return [
    ...unhealthy,
    ...shrinkHealthy(old, (replicaSet) => sizes.get(replicaSet) ?? replicasOf(replicaSet), total([...old, newSet], availableOf) - needed),
  ];
}

/** Takes pods that are not available from the oldest first. */
function shrinkUnhealthy(old: readonly ReplicaSetView[], budget: number): readonly Scaling[] {
  let left = budget;
  return old.flatMap((replicaSet) => {
    const unavailable = replicasOf(replicaSet) - availableOf(replicaSet);
    const taken = Math.min(left, unavailable);
    left -= taken;
    return taken === 0 ? [] : [{ replicaSet, replicas: replicasOf(replicaSet) - taken }];
  });
}

/** Takes so many pods, of the oldest first. */
export function shrinkHealthy(
  old: readonly ReplicaSetView[],
  sizeOf: (replicaSet: ReplicaSetView) => number,
  budget: number,
): readonly Scaling[] {
  let left = Math.max(0, budget);
  return old.flatMap((replicaSet) => {
    const taken = Math.min(left, sizeOf(replicaSet));
    left -= taken;
    return taken === 0 ? [] : [{ replicaSet, replicas: sizeOf(replicaSet) - taken }];
  });
}

const availableOf = ({ status }: ReplicaSetView): number => status?.availableReplicas ?? 0;

function total(replicaSets: readonly ReplicaSetView[], count: (replicaSet: ReplicaSetView) => number): number {
  return replicaSets.reduce((sum, replicaSet) => sum + count(replicaSet), 0);
}
