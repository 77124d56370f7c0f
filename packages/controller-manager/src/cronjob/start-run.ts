/**
 * Starts a run of a CronJob: deletes the Jobs it replaces and creates its Job.
 *
 *     CronJob, time → Replace? delete active Jobs → create the Job → add it to the active list
 */
import { Job } from "@drover/api/batch/v1";
import { errorText, formatTime, isAlreadyExists, isControlledBy } from "@drover/machinery";
import { isNamespaceTerminating } from "../shared/pod-control.ts";
import { deleteJob, tell } from "./cron-job-run.ts";
import type { CronJobRun } from "./cron-job-run.ts";
import { isActive } from "./cron-job-view.ts";
import type { CronJobStatusView, CronJobView, JobView } from "./cron-job-view.ts";
import { jobOfRun } from "./job-of-run.ts";

/** Result of `startRun`. */
export interface StartOutcome {
  /** To be written even after an error, since deleted Jobs are gone. */
  readonly status: CronJobStatusView;
  /** Why no Job was created; absent on success. */
  readonly error?: unknown;
}

/**
 * Starts the run. Never rejects for a refusal by the server. Leaves a Job of the same name alone when another owner controls it,
 * and counts the run as started.
 */
export async function startRun(run: CronJobRun, cronJob: CronJobView, scheduledMs: number): Promise<StartOutcome> {
  const { status, error } =
    cronJob.spec.concurrencyPolicy === "Replace" ? await deleteActive(run, cronJob) : { status: cronJob.status ?? {} };
  if (error !== undefined) return { status, error };
  try {
    const job = await createJob(run, cronJob, scheduledMs);
    if (!isControlledBy(job, cronJob) || isActive(status, job)) return { status };
    return { status: { ...status, active: [...(status.active ?? []), referenceTo(job)], lastScheduleTime: formatTime(scheduledMs) } };
  } catch (failure) {
    return { status, error: failure };
  }
}

async function deleteActive(run: CronJobRun, cronJob: CronJobView): Promise<StartOutcome> {
  let status = cronJob.status ?? {};
  for (const { name = "", namespace = "" } of status.active ?? []) {
    try {
      const left = await deleteJob(run, cronJob, await run.client.get(Job, name, { namespace }), status);
      if (left === undefined) return { status, error: new Error(`could not replace job ${namespace}/${name}`) };
      status = left;
    } catch (error) {
      tell(run, cronJob, { type: "Warning", reason: "FailedGet", note: `Get job: ${errorText(error)}` });
      return { status, error };
    }
  }
  return { status };
}

/** Returns the new Job, or the existing one of its name: an earlier sync created it and failed to write the active list. */
async function createJob(run: CronJobRun, cronJob: CronJobView, scheduledMs: number): Promise<JobView> {
  const { namespace = "" } = cronJob.metadata;
  const wanted = jobOfRun(cronJob, scheduledMs);
  try {
    const job = await run.client.create(Job, wanted, { namespace });
    tell(run, cronJob, {
      type: "Normal",
      reason: "SuccessfulCreate",
      action: "CreateJob",
      related: job,
      note: `Created job ${job.metadata.name}`,
    });
    return job;
  } catch (error) {
    if (isAlreadyExists(error)) return await run.client.get(Job, wanted.metadata.name ?? "", { namespace });
    if (!isNamespaceTerminating(error))
      tell(run, cronJob, { type: "Warning", reason: "FailedCreate", action: "CreateJob", note: `Error creating job: ${errorText(error)}` });
    throw error;
  }
}

const referenceTo = ({
  metadata: { name = "", namespace = "", uid = "", resourceVersion = "" },
}: JobView): NonNullable<CronJobStatusView["active"]>[number] => ({
  apiVersion: "batch/v1",
  kind: "Job",
  name,
  namespace,
  uid,
  resourceVersion,
});
