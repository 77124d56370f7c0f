/** The condition Progressing of a paused Deployment: Unknown, so that the deadline stops. */
import { formatTime } from "@drover/machinery";
import { findDeploymentCondition, withDeploymentCondition } from "./deployment-conditions.ts";
import { progressDeadline } from "./deployment-view.ts";
import type { DeploymentStatusView, DeploymentView } from "./deployment-view.ts";
import { progressing, timedOutReason } from "./progress.ts";

/** Returns the status of a Deployment that was just paused or resumed; undefined when nothing changes. A timed-out condition stays. */
export function pausedStatus(deployment: DeploymentView, now: number): DeploymentStatusView | undefined {
  const { spec, status = {} } = deployment;
  const current = findDeploymentCondition(status.conditions, progressing);
  if (progressDeadline(deployment) === undefined || current?.reason === timedOutReason) return undefined;
  const [isPaused, isMarked] = [spec?.paused === true, current?.reason === "DeploymentPaused"];
  if (isPaused === isMarked) return undefined;
  const time = formatTime(now);
  const said = isPaused
    ? { reason: "DeploymentPaused", message: "Deployment is paused" }
    : { reason: "DeploymentResumed", message: "Deployment is resumed" };
  return {
    ...status,
    conditions: withDeploymentCondition(status.conditions, {
      type: progressing,
      status: "Unknown",
      ...said,
      lastUpdateTime: time,
      lastTransitionTime: time,
    }),
  };
}
