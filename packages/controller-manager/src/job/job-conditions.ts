/** What a Job says of its state: that it is suspended, that it is about to end, and how it ended. */
import type { JobCondition } from "@drover/api/batch/v1";
import { findStatusCondition, formatTime } from "@drover/machinery";
import type { DeepReadonly } from "@drover/machinery";

/** A condition that is looked at. */
export type JobConditionView = DeepReadonly<JobCondition>;

/** What is said. */
export interface JobStatement {
  readonly type: "Complete" | "Failed" | "FailureTarget" | "SuccessCriteriaMet" | "Suspended";
  readonly status: "False" | "True";
  readonly reason: string;
  readonly message: string;
}

/** The statement as a condition, made now. */
export function jobCondition({ type, status, reason, message }: JobStatement, now: number): JobConditionView {
  const time = formatTime(now);
  return { type, status, lastProbeTime: time, lastTransitionTime: time, reason, message };
}

/** The conditions with this statement; the same list when it says nothing new. That something never said is false need not be said. */
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
