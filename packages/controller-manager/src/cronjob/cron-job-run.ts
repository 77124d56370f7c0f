/** What one sync of a CronJob works with, and how it records events. */
import { Job } from "@drover/api/batch/v1";
import type { Client } from "@drover/client";
import type { EventRecorder, NewEvent } from "@drover/controller";
import { errorText } from "@drover/machinery";
import { withoutActive } from "./cron-job-view.ts";
import type { CronJobStatusView, CronJobView, JobView } from "./cron-job-view.ts";

export interface CronJobRun {
  readonly client: Client;
  readonly events: EventRecorder;
  /** Signal of the run. A failure after the run ended is not recorded. */
  readonly signal: AbortSignal;
}

/** Records an event about the CronJob. */
export function tell(
  { events, signal }: CronJobRun,
  cronJob: CronJobView,
  event: Pick<NewEvent, "type" | "reason" | "note" | "related"> & Partial<Pick<NewEvent, "action">>,
): void {
  if (!signal.aborted) events.eventf({ regarding: cronJob, action: "SyncCronJob", ...event });
}

/**
 * Deletes a Job and, in the background, its pods. Returns the status without the Job, or undefined when the deletion failed, which
 * is recorded as an event.
 */
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
