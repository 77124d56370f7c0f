/** Deployments as this folder looks at them. */
import type { Deployment, DeploymentCondition, DeploymentStatus } from "@drover/api/apps/v1";
import type { DeepReadonly } from "@drover/machinery";

/** A Deployment that is looked at. */
export type DeploymentView = DeepReadonly<Deployment>;
/** Its status. */
export type DeploymentStatusView = DeepReadonly<DeploymentStatus>;
/** One of its conditions. */
export type DeploymentConditionView = DeepReadonly<DeploymentCondition>;

/** What a number of 32 bits can be at most: where it stands, no limit is meant. */
const unlimited = 2_147_483_647;

/** Whether it takes down and puts up pods side by side. */
export const isRollingUpdate = ({ spec }: DeploymentView): boolean => spec?.strategy?.type === "RollingUpdate";

/** How long a rollout may make no progress, in seconds; undefined when it may for ever. */
export function progressDeadline({ spec }: DeploymentView): number | undefined {
  return limitOf(spec?.progressDeadlineSeconds);
}

/** How many old ReplicaSets are kept; undefined when all are. */
export function historyLimit({ spec }: DeploymentView): number | undefined {
  return limitOf(spec?.revisionHistoryLimit);
}

const limitOf = (limit: number | undefined): number | undefined => (limit === unlimited ? undefined : limit);
