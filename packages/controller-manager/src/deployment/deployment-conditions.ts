/** The conditions of a Deployment, as values: nothing is changed in place. */
import { definedOnly } from "@drover/machinery";
import type { DeploymentConditionView } from "./deployment-view.ts";

type Conditions = readonly DeploymentConditionView[];

/** What a condition is to say, and since when. */
export interface StatedDeploymentCondition extends Pick<DeploymentConditionView, "type" | "status"> {
  readonly reason: string;
  readonly message: string;
  readonly lastUpdateTime: string;
  readonly lastTransitionTime: string;
}

/** The condition of a type; undefined when there is none. */
export function findDeploymentCondition(conditions: Conditions | undefined, type: string): DeploymentConditionView | undefined {
  return conditions?.find((condition) => condition.type === type);
}

/**
 * With the condition, behind all others. One with the same status and reason stays as it is, its message too; one with
 * the same status keeps
 * the time of its last transition.
 */
export function withDeploymentCondition(conditions: Conditions | undefined, stated: StatedDeploymentCondition): Conditions {
  const before = findDeploymentCondition(conditions, stated.type);
  if (before?.status === stated.status && before.reason === stated.reason) return conditions ?? [];
  const lastTransitionTime = before?.status === stated.status ? before.lastTransitionTime : stated.lastTransitionTime;
  return [...withoutDeploymentCondition(conditions, stated.type), { ...stated, ...definedOnly({ lastTransitionTime }) }];
}

/** Without the condition of a type. */
export function withoutDeploymentCondition(conditions: Conditions | undefined, type: string): Conditions {
  return (conditions ?? []).filter((condition) => condition.type !== type);
}
