/**
 * Whether a rollout makes progress: the condition Progressing, and when to check it again.
 *
 *     deploymentStatus → rolloutStatus → written, or unchanged: progressCheckMs → requeue
 */
import { formatTime } from "@drover/machinery";
import { timeMs } from "../shared/object-time.ts";
import { findDeploymentCondition, withDeploymentCondition, withoutDeploymentCondition } from "./deployment-conditions.ts";
import type { StatedDeploymentCondition } from "./deployment-conditions.ts";
import { deploymentStatus, isComplete } from "./deployment-status.ts";
import { progressDeadline } from "./deployment-view.ts";
import type { DeploymentConditionView, DeploymentStatusView, DeploymentView } from "./deployment-view.ts";
import { allSets } from "./new-and-old.ts";
import type { NewAndOld } from "./new-and-old.ts";

/** Type of the condition. */
export const progressing = "Progressing";
/** Reason of a complete rollout. */
export const availableReason = "NewReplicaSetAvailable";
/** Reason of a rollout without progress for too long. */
export const timedOutReason = "ProgressDeadlineExceeded";

/**
 * Returns the status during a rollout: with Progressing, if there is a deadline, and with the failure that keeps ReplicaSets from
 * having their pods.
 */
export function rolloutStatus(deployment: DeploymentView, sets: NewAndOld, now: number): DeploymentStatusView {
  const status = deploymentStatus(deployment, sets, now);
  const deadline = progressDeadline(deployment);
  const conditions =
    deadline === undefined ? withoutDeploymentCondition(status.conditions, progressing) : progressConditions(deployment, status, sets, now);
  const failure = replicaFailure(sets);
  return {
    ...status,
    conditions:
      failure === undefined ? withoutDeploymentCondition(conditions, "ReplicaFailure") : withDeploymentCondition(conditions, failure),
  };
}

/** A stated progress stays until another replaces it. */
function progressConditions(
  deployment: DeploymentView,
  status: DeploymentStatusView,
  { newSet }: NewAndOld,
  now: number,
): readonly DeploymentConditionView[] {
  const { conditions = [] } = status;
  const current = findDeploymentCondition(deployment.status?.conditions, progressing);
  if (status.replicas === status.updatedReplicas && current?.reason === availableReason) return conditions;
  const who = newSet === undefined ? `Deployment "${deployment.metadata.name}"` : `ReplicaSet "${newSet.metadata.name}"`;
  const time = formatTime(now);
  const say = (state: "True" | "False", reason: string, what: string): StatedDeploymentCondition => ({
    type: progressing,
    status: state,
    reason,
    message: `${who} ${what}`,
    lastUpdateTime: time,
    lastTransitionTime: time,
  });
  if (isComplete(deployment, status))
    return withDeploymentCondition(conditions, say("True", availableReason, "has successfully progressed."));
  if (isProgressing(deployment, status)) {
    // Stated again each time, because the deadline counts from its last update.
    const said = say("True", "ReplicaSetUpdated", "is progressing.");
    return [
      ...withoutDeploymentCondition(conditions, progressing),
      {
        ...said,
        ...(current?.status === "True" && current.lastTransitionTime !== undefined
          ? { lastTransitionTime: current.lastTransitionTime }
          : {}),
      },
    ];
  }
  return isTimedOut(deployment, status, now)
    ? withDeploymentCondition(conditions, say("False", timedOutReason, "has timed out progressing."))
    : conditions;
}

/** Whether more pods are new, fewer are old, or more are ready or available than in the written status. */
export function isProgressing({ status: before = {} }: DeploymentView, status: DeploymentStatusView): boolean {
  const { replicas = 0, updatedReplicas = 0, readyReplicas = 0, availableReplicas = 0 } = status;
  const {
    replicas: replicasBefore = 0,
    updatedReplicas: updatedBefore = 0,
    readyReplicas: readyBefore = 0,
    availableReplicas: availableBefore = 0,
  } = before;
  return (
    updatedReplicas > updatedBefore ||
    replicas - updatedReplicas < replicasBefore - updatedBefore ||
    readyReplicas > readyBefore ||
    availableReplicas > availableBefore
  );
}

/** Whether there was no progress for longer than the deadline. Stays true once stated. */
export function isTimedOut(deployment: DeploymentView, status: DeploymentStatusView, now: number): boolean {
  const deadline = progressDeadline(deployment);
  const condition = findDeploymentCondition(status.conditions, progressing);
  if (deadline === undefined || condition === undefined || condition.reason === availableReason) return false;
  return condition.reason === timedOutReason || (timeMs(condition.lastUpdateTime) ?? 0) + deadline * 1000 < now;
}

/**
 * Returns milliseconds until the deadline, 0 below one second; undefined when no check is needed: no deadline, the rollout is
 * complete, or it has timed out.
 */
export function progressCheckMs(deployment: DeploymentView, status: DeploymentStatusView, now: number): number | undefined {
  const deadline = progressDeadline(deployment);
  const condition = findDeploymentCondition(deployment.status?.conditions, progressing);
  if (deadline === undefined || condition === undefined || isComplete(deployment, status) || condition.reason === timedOutReason)
    return undefined;
  const leftMs = (timeMs(condition.lastUpdateTime) ?? 0) + deadline * 1000 - now;
  return leftMs < 1000 ? 0 : leftMs;
}

/** The failure of the new ReplicaSet, or else the first reported. */
function replicaFailure(sets: NewAndOld): StatedDeploymentCondition | undefined {
  for (const { status } of [...(sets.newSet === undefined ? [] : [sets.newSet]), ...allSets(sets)]) {
    const condition = status?.conditions?.find(({ type }) => type === "ReplicaFailure");
    if (condition === undefined) continue;
    const { type, status: state, reason = "", message = "", lastTransitionTime = "" } = condition;
    return { type, status: state, reason, message, lastTransitionTime, lastUpdateTime: lastTransitionTime };
  }
  return undefined;
}
