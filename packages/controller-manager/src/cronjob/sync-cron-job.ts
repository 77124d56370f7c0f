/**
 * One sync of one CronJob, which starts at most one run.
 *
 *     delete old Jobs → observe active Jobs → deleting? suspended? parses? due? started? → start → status → requeue
 *
 * missed-runs.ts decides what is due; this file checks in order and acts.
 */
import { CronJob } from "@drover/api/batch/v1";
import type { Job } from "@drover/api/batch/v1";
import type { InformerView } from "@drover/cache";
import { after, done, retry } from "@drover/controller";
import type { EventRecorder, ReconcileContext, Result } from "@drover/controller";
import { jsonEqual, quoteGo } from "@drover/machinery";
import type { Clock, CronSchedule } from "@drover/machinery";
import { ownedChildren } from "@drover/patterns";
import { timeMs } from "../shared/object-time.ts";
import { isNamespaceTerminating } from "../shared/pod-control.ts";
import { deleteJob, tell } from "./cron-job-run.ts";
import type { CronJobRun } from "./cron-job-run.ts";
import type { CronJobStatusView, CronJobView } from "./cron-job-view.ts";
import { jobsToForget } from "./history-cleanup.ts";
import { jobName } from "./job-of-run.ts";
import { dueRun, waitMs } from "./missed-runs.ts";
import { currentCronJob, observeJobs } from "./observe-jobs.ts";
import { scheduleOf, unknownZone } from "./schedule-of.ts";
import { startRun } from "./start-run.ts";

export interface CronJobSyncOptions {
  readonly cronJobs: Pick<InformerView<CronJob>, "get">;
  readonly jobs: Pick<InformerView<Job>, "byIndex" | "listIndexValues">;
  readonly events: EventRecorder;
  readonly clock: Clock;
}

/**
 * Syncs a CronJob. Guarantees: writes the status at most once, also when starting a run failed; a CronJob that is being deleted
 * gets nothing else.
 */
export async function syncCronJob(
  { key, client, signal }: Pick<ReconcileContext, "key" | "client" | "signal">,
  { cronJobs, jobs: cache, events, clock }: CronJobSyncOptions,
): Promise<Result> {
  const cached = cronJobs.get(key);
  if (cached === undefined) return done;
  const run: CronJobRun = { client, events, signal };
  const jobs = ownedChildren<Job>(cache, cached);
  const cronJob = await currentCronJob(run, cached, jobs);
  let status = cronJob.status ?? {};
  for (const job of jobsToForget(cronJob, jobs)) status = (await deleteJob(run, cronJob, job, status)) ?? status;
  status = await observeJobs(run, cronJob, status, jobs);
  const outcome = await startDue(run, { ...cronJob, status }, clock.now());
  if (!jsonEqual(outcome.status, cronJob.status ?? {}))
    await client.resource(CronJob).status.update({ ...cronJob, status: outcome.status }, { namespace: cronJob.metadata.namespace ?? "" });
  return outcome.result;
}

interface Outcome {
  readonly status: CronJobStatusView;
  readonly result: Result;
}

async function startDue(run: CronJobRun, cronJob: CronJobView, now: number): Promise<Outcome> {
  const { spec, status = {} } = cronJob;
  if (cronJob.metadata.deletionTimestamp !== undefined) return { status, result: done };
  const zone = unknownZone(cronJob);
  if (zone !== undefined) {
    tell(run, cronJob, {
      type: "Warning",
      reason: "UnknownTimeZone",
      note: `invalid timeZone: ${quoteGo(zone)}: unknown time zone ${zone}`,
    });
    return { status, result: done };
  }
  if (spec.suspend === true) return { status, result: done };
  const { schedule, problem, hasZone } = scheduleOf(cronJob);
  if (hasZone)
    tell(run, cronJob, {
      type: "Warning",
      reason: "UnsupportedSchedule",
      note: `CRON_TZ or TZ used in schedule ${quoteGo(spec.schedule)} is not officially supported, see https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/ for more details`,
    });
  if (schedule === undefined) {
    tell(run, cronJob, {
      type: "Warning",
      reason: "UnparseableSchedule",
      note: `unparseable schedule: ${quoteGo(spec.schedule)} : ${problem}`,
    });
    return { status, result: done };
  }
  return await startScheduled(run, cronJob, schedule, now);
}

async function startScheduled(run: CronJobRun, cronJob: CronJobView, schedule: CronSchedule, now: number): Promise<Outcome> {
  const { spec, status = {} } = cronJob;
  const due = dueRun(cronJob, schedule, now);
  if (due.problem !== undefined) {
    tell(run, cronJob, { type: "Warning", reason: "InvalidSchedule", note: `invalid schedule: ${spec.schedule} : ${due.problem}` });
    return { status, result: done };
  }
  const later = { status, result: after(Math.max(0, waitMs(cronJob, schedule, now))) };
  if (due.latestMs === undefined) return later;
  if (due.missed === "many")
    tell(run, cronJob, {
      type: "Warning",
      reason: "TooManyMissedTimes",
      note: "too many missed start times. Set or decrease .spec.startingDeadlineSeconds or check clock skew",
    });
  const { active = [], lastScheduleTime } = status;
  if (timeMs(lastScheduleTime) === due.latestMs || active.some(({ name }) => name === jobName(cronJob, due.latestMs ?? 0))) return later;
  if (spec.concurrencyPolicy === "Forbid" && active.length > 0) {
    tell(run, cronJob, {
      type: "Normal",
      reason: "JobAlreadyActive",
      note: "Not starting job because prior execution is running and concurrency policy is Forbid",
    });
    return later;
  }
  const started = await startRun(run, cronJob, due.latestMs);
  if (started.error === undefined) return { ...later, status: started.status };
  return { status: started.status, result: isNamespaceTerminating(started.error) ? done : retry(started.error) };
}
