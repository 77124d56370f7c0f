/** Whether a Job finished, and how. */
import type { Job, JobCondition } from "@drover/api/batch/v1";
import type { DeepReadonly } from "@drover/machinery";

/** Returns the condition "Complete" or "Failed"; undefined while the Job runs or is only about to finish. */
export function finishedCondition({ status }: DeepReadonly<Job>): DeepReadonly<JobCondition> | undefined {
  return status?.conditions?.find(
    (condition) => (condition.type === "Complete" || condition.type === "Failed") && condition.status === "True",
  );
}
