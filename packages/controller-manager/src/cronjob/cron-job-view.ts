/** Read-only CronJobs and Jobs from caches, and the list of active Jobs. */
import type { CronJob, CronJobStatus, Job } from "@drover/api/batch/v1";
import type { DeepReadonly } from "@drover/machinery";

export type CronJobView = DeepReadonly<CronJob>;
export type CronJobStatusView = DeepReadonly<CronJobStatus>;
export type JobView = DeepReadonly<Job>;

/** Whether the Job is in the list of active Jobs. */
export function isActive({ active = [] }: CronJobStatusView, { metadata: { uid } }: JobView): boolean {
  return active.some((reference) => reference.uid === uid);
}

/** Returns the status without a Job in its list of active ones. */
export function withoutActive({ active = [], ...status }: CronJobStatusView, uid: string | undefined): CronJobStatusView {
  const rest = active.filter((reference) => reference.uid !== uid);
  return rest.length === 0 ? status : { ...status, active: rest };
}
