/** Read-only Deployments and questions about them. */
import type { Deployment, DeploymentCondition, DeploymentStatus } from "@drover/api/apps/v1";
import type { DeepReadonly } from "@drover/machinery";

/** A read-only Deployment. */
export type DeploymentView = DeepReadonly<Deployment>;
/** Its read-only status. */
export type DeploymentStatusView = DeepReadonly<DeploymentStatus>;
/** A read-only condition. */
export type DeploymentConditionView = DeepReadonly<DeploymentCondition>;

/** Maximum int32; as a value it means no limit. */
const unlimited = 2_147_483_647;

/** Whether pods are created and deleted side by side. */
export const isRollingUpdate = ({ spec }: DeploymentView): boolean => spec?.strategy?.type === "RollingUpdate";

/** Returns how many seconds a rollout may make no progress; undefined without a limit. */
export function progressDeadline({ spec }: DeploymentView): number | undefined {
  return limitOf(spec?.progressDeadlineSeconds);
}

/** Returns how many old ReplicaSets to keep; undefined for all. */
export function historyLimit({ spec }: DeploymentView): number | undefined {
  return limitOf(spec?.revisionHistoryLimit);
}

const limitOf = (limit: number | undefined): number | undefined => (limit === unlimited ? undefined : limit);
