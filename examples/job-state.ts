import type { DeepReadonly } from "drover";
import type { Job } from "drover/kinds";

/** The state of a Job, for a status condition. */
export interface JobState {
  readonly isDone: boolean;
  readonly isGood: boolean;
  readonly message: string;
}

/** Reads the state from the conditions of a Job; a missing Job is not done. */
export function jobState(job: DeepReadonly<Job> | undefined): JobState {
  const holds = (type: string): boolean =>
    job?.status?.conditions?.some((condition) => condition.type === type && condition.status === "True") === true;
  const failed = job?.status?.conditions?.find(({ type }) => type === "Failed")?.message ?? "";
  if (holds("Complete")) return { isDone: true, isGood: true, message: "" };
  if (holds("Failed")) return { isDone: true, isGood: false, message: failed };
  return { isDone: false, isGood: false, message: job === undefined ? "no Job exists yet" : `${job.status?.active ?? 0} active` };
}
