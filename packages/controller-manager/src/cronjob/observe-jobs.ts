/**
 * State of a CronJob's Jobs: which are active, which are gone, and when the last one succeeded.
 *
 *     CronJob, its Jobs → currentCronJob → observeJobs → status
 */
import { CronJob, Job } from "@drover/api/batch/v1";
import { compareTimes, isNotFound } from "@drover/machinery";
import { finishedCondition } from "../shared/finished-condition.ts";
import { tell } from "./cron-job-run.ts";
import type { CronJobRun } from "./cron-job-run.ts";
import { isActive, withoutActive } from "./cron-job-view.ts";
import type { CronJobStatusView, CronJobView, JobView } from "./cron-job-view.ts";

/**
 * Returns the CronJob from the server when the cached one does not list an active Job and the server's does. A Job that neither
 * lists causes a warning event.
 */
export async function currentCronJob(run: CronJobRun, cached: CronJobView, jobs: readonly JobView[]): Promise<CronJobView> {
  const strangers = jobs.filter((job) => finishedCondition(job) === undefined && !isActive(cached.status ?? {}, job));
  if (strangers.length === 0) return cached;
  const { name = "", namespace = "" } = cached.metadata;
  const live: CronJobView = await run.client.get(CronJob, name, { namespace });
  const unknown = strangers.filter((job) => !isActive(live.status ?? {}, job));
  for (const { metadata } of unknown)
    tell(run, cached, {
      type: "Warning",
      reason: "UnexpectedJob",
      note: `Saw a job that the controller did not create or forgot: ${metadata.name}`,
    });
  return unknown.length < strangers.length && live.metadata.uid === cached.metadata.uid ? live : cached;
}

/** Returns the status that follows from the Jobs. Reads a Job from the server when the cache lacks it, because caches lag. */
export async function observeJobs(
  run: CronJobRun,
  cronJob: CronJobView,
  before: CronJobStatusView,
  jobs: readonly JobView[],
): Promise<CronJobStatusView> {
  let status = jobs.reduce((seen, job) => observeJob(run, cronJob, seen, job), before);
  const uids = new Set(jobs.map(({ metadata }) => metadata.uid));
  for (const { uid, name = "", namespace = "" } of status.active ?? []) {
    if (uids.has(uid) || (await isThere(run, name, namespace))) continue;
    tell(run, cronJob, { type: "Normal", reason: "MissingJob", note: `Active job went missing: ${name}` });
    status = withoutActive(status, uid);
  }
  return status;
}

/** A Job's success counts even when it was never listed as active. */
function observeJob(run: CronJobRun, cronJob: CronJobView, status: CronJobStatusView, job: JobView): CronJobStatusView {
  const end = finishedCondition(job);
  if (end === undefined) return status;
  const wasActive = isActive(status, job);
  if (wasActive)
    tell(run, cronJob, {
      type: "Normal",
      reason: "SawCompletedJob",
      note: `Saw completed job: ${job.metadata.name}, condition: ${end.type}`,
    });
  const rest = wasActive ? withoutActive(status, job.metadata.uid) : status;
  const { completionTime } = job.status ?? {};
  if (end.type !== "Complete" || completionTime === undefined) return rest;
  const { lastSuccessfulTime } = status;
  return lastSuccessfulTime === undefined || compareTimes(completionTime, lastSuccessfulTime) > 0
    ? { ...rest, lastSuccessfulTime: completionTime }
    : rest;
}

async function isThere({ client }: CronJobRun, name: string, namespace: string): Promise<boolean> {
  try {
    await client.get(Job, name, { namespace });
    return true;
  } catch (error) {
    if (isNotFound(error)) return false;
    throw error;
  }
}
