/** What one look at a CronJob works with, and how it tells of what it did. */
import { Job } from "@drover/api/batch/v1";
import type { Client } from "@drover/client";
import type { EventRecorder, NewEvent } from "@drover/controller";
import { errorText } from "@drover/machinery";
import { withoutActive } from "./cron-job-view.ts";
import type { CronJobStatusView, CronJobView, JobView } from "./cron-job-view.ts";

export interface CronJobRun {
  readonly client: Client;
  readonly events: EventRecorder;
  /** That of the run: what fails because the run is over is told to nobody. */
  readonly signal: AbortSignal;
}

/** Tells of something that was found or done. */
export function tell(
  { events, signal }: CronJobRun,
  cronJob: CronJobView,
  event: Pick<NewEvent, "type" | "reason" | "note" | "related"> & Partial<Pick<NewEvent, "action">>,
): void {
  if (!signal.aborted) events.eventf({ regarding: cronJob, action: "SyncCronJob", ...event });
}

/** Deletes a Job and, in the background, its pods. The status without it; undefined when that failed, of which is told. */
export async function deleteJob(
  run: CronJobRun,
  cronJob: CronJobView,
  { metadata: { name = "", namespace = "", uid } }: JobView,
  status: CronJobStatusView,
): Promise<CronJobStatusView | undefined> {
  try {
    await run.client.delete(Job, name, { namespace, propagationPolicy: "Background" });
  } catch (error) {
    tell(run, cronJob, { type: "Warning", reason: "FailedDelete", action: "DeleteJob", note: `Deleted job: ${errorText(error)}` });
    return undefined;
  }
  tell(run, cronJob, { type: "Normal", reason: "SuccessfulDelete", action: "DeleteJob", note: `Deleted job ${name}` });
  return withoutActive(status, uid);
}
