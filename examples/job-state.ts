import type { DeepReadonly } from "drover";
import type { Job } from "drover/kinds";

/** The state of a Job, as statuses report it. */
export interface JobState {
  readonly isDone: boolean;
  readonly isGood: boolean;
  readonly message: string;
}

/** The state from its conditions; a Job that does not exist has not begun. */
export function jobState(job: DeepReadonly<Job> | undefined): JobState {
  const holds = (type: string): boolean =>
    job?.status?.conditions?.some((condition) => condition.type === type && condition.status === "True") === true;
  const failed = job?.status?.conditions?.find(({ type }) => type === "Failed")?.message ?? "";
  if (holds("Complete")) return { isDone: true, isGood: true, message: "" };
  if (holds("Failed")) return { isDone: true, isGood: false, message: failed };
  return { isDone: false, isGood: false, message: job === undefined ? "there is no Job yet" : `${job.status?.active ?? 0} active` };
}
