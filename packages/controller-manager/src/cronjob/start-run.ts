/**
 * Begins a run of a CronJob: ends those that it replaces, and creates its Job.
 *
 *     CronJob, time → Replace? delete the Jobs that run → create the Job → it is in the list of those that run
 */
import { Job } from "@drover/api/batch/v1";
import { errorText, formatTime, isAlreadyExists, isControlledBy } from "@drover/machinery";
import { isNamespaceTerminating } from "../shared/pod-control.ts";
import { deleteJob, tell } from "./cron-job-run.ts";
import type { CronJobRun } from "./cron-job-run.ts";
import { isActive } from "./cron-job-view.ts";
import type { CronJobStatusView, CronJobView, JobView } from "./cron-job-view.ts";
import { jobOfRun } from "./job-of-run.ts";

/** What came of it. */
export interface StartOutcome {
  /** To be written whether it failed or not: what was deleted is gone. */
  readonly status: CronJobStatusView;
  /** Why there is no Job; absent when there is one. */
  readonly error?: unknown;
}

/**
 * Never rejects for a refusal of the server. A Job of that name that is not ours is left alone, and the run counts as
 * begun by somebody else.
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

/** The Job, or the one that has its name: then it was created before, and only the list was not written. */
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
