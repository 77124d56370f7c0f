/**
 * Whether a rollout gets on: the condition Progressing, and when to look whether it still does.
 *
 *     deploymentStatus → rolloutStatus → written, or unchanged: progressCheckMs → again then
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

/** The type of the condition, and what it gives for reasons. */
export const progressing = "Progressing";
/** The reason of a rollout that has come to its end. */
export const availableReason = "NewReplicaSetAvailable";
/** The reason of one that has made no progress for too long. */
export const timedOutReason = "ProgressDeadlineExceeded";

/** The status during a rollout: with Progressing, as far as there is a deadline, and with what keeps ReplicaSets from having their pods. */
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

/** A progress that was said once stays until something else is to be said. */
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
    // Said anew each time, since the deadline counts from there.
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

/** Whether more pods are new, fewer are old, or more are ready or available than when its status was written. */
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

/** Whether nothing was said of progress for longer than the deadline allows. Once said it stays so. */
export function isTimedOut(deployment: DeploymentView, status: DeploymentStatusView, now: number): boolean {
  const deadline = progressDeadline(deployment);
  const condition = findDeploymentCondition(status.conditions, progressing);
  if (deadline === undefined || condition === undefined || condition.reason === availableReason) return false;
  return condition.reason === timedOutReason || (timeMs(condition.lastUpdateTime) ?? 0) + deadline * 1000 < now;
}

/**
 * In how many milliseconds the deadline is over, 0 when that is in less than a second; undefined when nobody need look:
 * there is no deadline, the
 * rollout is over, or it was too late already.
 */
export function progressCheckMs(deployment: DeploymentView, status: DeploymentStatusView, now: number): number | undefined {
  const deadline = progressDeadline(deployment);
  const condition = findDeploymentCondition(deployment.status?.conditions, progressing);
  if (deadline === undefined || condition === undefined || isComplete(deployment, status) || condition.reason === timedOutReason)
    return undefined;
  const leftMs = (timeMs(condition.lastUpdateTime) ?? 0) + deadline * 1000 - now;
  return leftMs < 1000 ? 0 : leftMs;
}

/** What the new ReplicaSet says of its failure, or else the first that says so. */
function replicaFailure(sets: NewAndOld): StatedDeploymentCondition | undefined {
  for (const { status } of [...(sets.newSet === undefined ? [] : [sets.newSet]), ...allSets(sets)]) {
    const condition = status?.conditions?.find(({ type }) => type === "ReplicaFailure");
    if (condition === undefined) continue;
    const { type, status: state, reason = "", message = "", lastTransitionTime = "" } = condition;
    return { type, status: state, reason, message, lastTransitionTime, lastUpdateTime: lastTransitionTime };
  }
  return undefined;
}
