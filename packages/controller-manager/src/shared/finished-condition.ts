/** Whether a Job has come to its end, and how. */
import type { Job, JobCondition } from "@drover/api/batch/v1";
import type { DeepReadonly } from "@drover/machinery";

/** The condition that says so, "Complete" or "Failed"; undefined while it runs, and while it is only about to end. */
export function finishedCondition({ status }: DeepReadonly<Job>): DeepReadonly<JobCondition> | undefined {
  return status?.conditions?.find(
    (condition) => (condition.type === "Complete" || condition.type === "Failed") && condition.status === "True",
  );
}
