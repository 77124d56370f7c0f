/**
 * One step of a rolling update: the new ReplicaSet grows as far as surge allows, or old ones shrink while enough pods stay
 * available.
 *
 *     Deployment, ReplicaSets → growNew, shrinkOld → scalings, one after the other
 */
import { byCreation, replicasOf } from "../shared/replica-set-order.ts";
import type { ReplicaSetView } from "../shared/replica-set-order.ts";
import type { DeploymentView } from "./deployment-view.ts";
import { minAvailable, newReplicas } from "./fenceposts.ts";
import { activeSets } from "./new-and-old.ts";
import type { Scaling } from "./scale-replica-set.ts";

/** Returns the new ReplicaSet's next size; undefined when it has it. */
export function growNew(deployment: DeploymentView, newSet: ReplicaSetView, oldSets: readonly ReplicaSetView[]): Scaling | undefined {
  const [wanted, current] = [replicasOf(deployment), replicasOf(newSet)];
  const replicas = current >= wanted ? wanted : newReplicas(deployment, [...oldSets, newSet], current);
  return replicas === current ? undefined : { replicaSet: newSet, replicas };
}

/**
 * Returns which old ReplicaSets to shrink: first by unavailable pods, then by others. May name one twice, each time with its size
 * at that point. Returns none while one reports more available pods than it should have: its status lags behind its spec, and it is
 * synced again when it has caught up.
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

/** Removes unavailable pods, oldest ReplicaSet first. */
function shrinkUnhealthy(old: readonly ReplicaSetView[], budget: number): readonly Scaling[] {
  let left = budget;
  return old.flatMap((replicaSet) => {
    const unavailable = replicasOf(replicaSet) - availableOf(replicaSet);
    const taken = Math.min(left, unavailable);
    left -= taken;
    return taken === 0 ? [] : [{ replicaSet, replicas: replicasOf(replicaSet) - taken }];
  });
}

/** Removes so many pods, oldest ReplicaSet first. */
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
