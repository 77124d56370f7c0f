/** Conditions of a Job: suspended, about to end, and ended. */
import type { JobCondition } from "@drover/api/batch/v1";
import { findStatusCondition, formatTime } from "@drover/machinery";
import type { DeepReadonly } from "@drover/machinery";

/** A read-only condition. */
export type JobConditionView = DeepReadonly<JobCondition>;

/** Content of a condition. */
export interface JobStatement {
  readonly type: "Complete" | "Failed" | "FailureTarget" | "SuccessCriteriaMet" | "Suspended";
  readonly status: "False" | "True";
  readonly reason: string;
  readonly message: string;
}

/** Returns the condition with the current time. */
export function jobCondition({ type, status, reason, message }: JobStatement, now: number): JobConditionView {
  const time = formatTime(now);
  return { type, status, lastProbeTime: time, lastTransitionTime: time, reason, message };
}

/**
 * Returns the conditions with this one; the same list when nothing changes. A condition that never existed is not added with status
 * False.
 */
export function withJobCondition(
  conditions: readonly JobConditionView[],
  statement: JobStatement,
  now: number,
): readonly JobConditionView[] {
  const { type, status, reason, message } = statement;
  const before = findStatusCondition(conditions, type);
  if (before === undefined) return status === "False" ? conditions : [...conditions, jobCondition(statement, now)];
  if (before.status === status && before.reason === reason && before.message === message) return conditions;
  return conditions.map((condition) => (condition === before ? jobCondition(statement, now) : condition));
}
