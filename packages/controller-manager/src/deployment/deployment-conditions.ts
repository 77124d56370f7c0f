/** Conditions of a Deployment as immutable values. */
import { definedOnly } from "@drover/machinery";
import type { DeploymentConditionView } from "./deployment-view.ts";

type Conditions = readonly DeploymentConditionView[];

/** What a condition should state, and since when. */
export interface StatedDeploymentCondition extends Pick<DeploymentConditionView, "type" | "status"> {
  readonly reason: string;
  readonly message: string;
  readonly lastUpdateTime: string;
  readonly lastTransitionTime: string;
}

/** Returns the condition of a type; undefined when it is missing. */
export function findDeploymentCondition(conditions: Conditions | undefined, type: string): DeploymentConditionView | undefined {
  return conditions?.find((condition) => condition.type === type);
}

/**
 * Returns the conditions with this one last. A condition with the same status and reason stays as it is, message included; one with
 * the same status keeps its transition time.
 */
export function withDeploymentCondition(conditions: Conditions | undefined, stated: StatedDeploymentCondition): Conditions {
  const before = findDeploymentCondition(conditions, stated.type);
  if (before?.status === stated.status && before.reason === stated.reason) return conditions ?? [];
  const lastTransitionTime = before?.status === stated.status ? before.lastTransitionTime : stated.lastTransitionTime;
  return [...withoutDeploymentCondition(conditions, stated.type), { ...stated, ...definedOnly({ lastTransitionTime }) }];
}

/** Returns the conditions without those of a type. */
export function withoutDeploymentCondition(conditions: Conditions | undefined, type: string): Conditions {
  return (conditions ?? []).filter((condition) => condition.type !== type);
}
