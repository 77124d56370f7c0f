/**
 * The status of a Deployment: the pods of all its ReplicaSets, and whether enough are available.
 *
 *     ReplicaSets → deploymentStatus → (progress.ts) → sameDeploymentStatus? → written
 */
import { definedOnly, formatTime, semanticEqual } from "@drover/machinery";
import { replicasOf } from "../shared/replica-set-order.ts";
import type { ReplicaSetView } from "../shared/replica-set-order.ts";
import { withDeploymentCondition } from "./deployment-conditions.ts";
import type { DeploymentStatusView, DeploymentView } from "./deployment-view.ts";
import { maxUnavailable } from "./fenceposts.ts";
import { allSets } from "./new-and-old.ts";
import type { NewAndOld } from "./new-and-old.ts";

/** Returns the counts and the condition Available; other conditions stay as they are. */
export function deploymentStatus(deployment: DeploymentView, sets: NewAndOld, now: number): DeploymentStatusView {
  const all = allSets(sets);
  const available = sum(all, ({ status }) => status?.availableReplicas);
  const terminating = terminatingReplicas(all);
  const { collisionCount, conditions } = deployment.status ?? {};
  const time = formatTime(now);
  const hasEnough = available >= replicasOf(deployment) - maxUnavailable(deployment);
  return {
    observedGeneration: deployment.metadata.generation ?? 0,
    replicas: sum(all, ({ status }) => status?.replicas),
    updatedReplicas: sets.newSet?.status?.replicas ?? 0,
    readyReplicas: sum(all, ({ status }) => status?.readyReplicas),
    availableReplicas: available,
    unavailableReplicas: Math.max(0, sum(all, replicasOf) - available),
    ...definedOnly({ terminatingReplicas: terminating, collisionCount }),
    conditions: withDeploymentCondition(
      conditions,
      hasEnough
        ? {
            type: "Available",
            status: "True",
            reason: "MinimumReplicasAvailable",
            message: "Deployment has minimum availability.",
            lastUpdateTime: time,
            lastTransitionTime: time,
          }
        : {
            type: "Available",
            status: "False",
            reason: "MinimumReplicasUnavailable",
            message: "Deployment does not have minimum availability.",
            lastUpdateTime: time,
            lastTransitionTime: time,
          },
    ),
  };
}

/**
 * Returns the terminating pods of all ReplicaSets; undefined when an observed one does not report them. Those not observed yet
 * count as 0.
 */
export function terminatingReplicas(replicaSets: readonly ReplicaSetView[]): number | undefined {
  const counts = replicaSets.flatMap(({ status }) =>
    status?.terminatingReplicas === undefined && (status?.observedGeneration ?? 0) === 0 ? [] : [status?.terminatingReplicas],
  );
  return counts.reduce<number | undefined>((total, count) => (total === undefined || count === undefined ? undefined : total + count), 0);
}

/** Whether writing the second over the first would change nothing. */
export function sameDeploymentStatus(before: DeploymentStatusView | undefined, after: DeploymentStatusView): boolean {
  const counts = [
    "observedGeneration",
    "replicas",
    "updatedReplicas",
    "readyReplicas",
    "availableReplicas",
    "unavailableReplicas",
  ] as const;
  return (
    counts.every((count) => (before?.[count] ?? 0) === (after[count] ?? 0)) &&
    before?.terminatingReplicas === after.terminatingReplicas &&
    before?.collisionCount === after.collisionCount &&
    semanticEqual(before?.conditions, after.conditions)
  );
}

/** Whether all pods have the current template, exist and are available. */
export function isComplete(deployment: DeploymentView, status: DeploymentStatusView | undefined): boolean {
  const replicas = replicasOf(deployment);
  const { updatedReplicas = 0, replicas: total = 0, availableReplicas = 0, observedGeneration = 0 } = status ?? {};
  return (
    updatedReplicas === replicas &&
    total === replicas &&
    availableReplicas === replicas &&
    observedGeneration >= (deployment.metadata.generation ?? 0)
  );
}

function sum(replicaSets: readonly ReplicaSetView[], count: (replicaSet: ReplicaSetView) => number | undefined): number {
  return replicaSets.reduce((total, replicaSet) => total + (count(replicaSet) ?? 0), 0);
}
