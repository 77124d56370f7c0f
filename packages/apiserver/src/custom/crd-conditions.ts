/** Conditions of a CustomResourceDefinition. Only type and status are required, unlike those of newer kinds. */
import type { CustomResourceDefinition } from "@drover/api/apiextensions/v1";
import { formatTime, isStatusConditionTrue, withStatusCondition } from "@drover/machinery";
import type { Condition, ConditionStatus } from "@drover/machinery";

export type CrdConditionType =
  | "Established"
  | "NamesAccepted"
  | "Terminating"
  | "NonStructuralSchema"
  | "KubernetesAPIApprovalPolicyConformant";

export interface CrdCondition {
  readonly type: CrdConditionType;
  readonly status: ConditionStatus;
  readonly reason: string;
  readonly message: string;
}

export const hasCondition = ({ status }: CustomResourceDefinition, type: CrdConditionType): boolean =>
  isStatusConditionTrue(status?.conditions ?? [], type);

/** Sets a condition in its place or at the end; lastTransitionTime changes only with the status. `now` is in milliseconds since 1970. */
export function setCrdCondition(crd: CustomResourceDefinition, condition: CrdCondition, now: number): void {
  const conditions = (crd.status?.conditions ?? []) as Condition[];
  crd.status = { ...crd.status, conditions: withStatusCondition(conditions, condition, formatTime(now)).map((each) => ({ ...each })) };
}

/** Removes a condition if present. */
export function removeCrdCondition(crd: CustomResourceDefinition, type: CrdConditionType): void {
  const { conditions } = crd.status ?? {};
  if (conditions?.some((condition) => condition.type === type) === true)
    crd.status = { ...crd.status, conditions: conditions.filter((condition) => condition.type !== type) };
}
