/** CronJobs and their Jobs as they come from caches, and the list of those that run. */
import type { CronJob, CronJobStatus, Job } from "@drover/api/batch/v1";
import type { DeepReadonly } from "@drover/machinery";

export type CronJobView = DeepReadonly<CronJob>;
export type CronJobStatusView = DeepReadonly<CronJobStatus>;
export type JobView = DeepReadonly<Job>;

/** Whether the list of Jobs that run has this one. */
export function isActive({ active = [] }: CronJobStatusView, { metadata: { uid } }: JobView): boolean {
  return active.some((reference) => reference.uid === uid);
}

/** The status without a Job in the list of those that run. */
export function withoutActive({ active = [], ...status }: CronJobStatusView, uid: string | undefined): CronJobStatusView {
  const rest = active.filter((reference) => reference.uid !== uid);
  return rest.length === 0 ? status : { ...status, active: rest };
}
