/**
 * One sync of one Job: claims its pods, decides whether it goes on, adjusts their number, and counts those that finished.
 *
 *     claimChildren → jobPicture → jobEnd ? deletePods : manageJob → trackPods → when to sync again
 */
import { Job } from "@drover/api/batch/v1";
import { Pod } from "@drover/api/core/v1";
import type { InformerView } from "@drover/cache";
import { after, done, retry, stop } from "@drover/controller";
import type { EventRecorder, ReconcileContext, Result } from "@drover/controller";
import { formatTime, SelectorError, selectorFromLabelSelector } from "@drover/machinery";
import type { Clock, Selector } from "@drover/machinery";
import { claimChildren, ownedChildren } from "@drover/patterns";
import type { Expectations } from "@drover/patterns";
import type { JobStatusView } from "./count-finished.ts";
import { deletePods } from "./delete-pods.ts";
import { nextBackoff } from "./failure-backoff.ts";
import type { Backoff, BackoffTimes } from "./failure-backoff.ts";
import { withJobCondition } from "./job-conditions.ts";
import type { JobStatement } from "./job-conditions.ts";
import { completionsReached, deadlineMs, isComplete, jobEnd } from "./job-end.ts";
import type { JobEnd } from "./job-end.ts";
import type { JobMemory } from "./job-memory.ts";
import { jobPicture } from "./job-picture.ts";
import type { JobPicture } from "./job-picture.ts";
import { isJobFinished, isManagedElsewhere, isSuspended, jobSpec, trackingFinalizer } from "./job-view.ts";
import type { JobView } from "./job-view.ts";
import { manageJob } from "./manage-job.ts";
import type { Managed } from "./manage-job.ts";
import { trackPods } from "./track-pods.ts";

/** Caches, memory and limits. */
export interface JobSyncOptions {
  readonly jobs: Pick<InformerView<Job>, "get">;
  readonly pods: Pick<InformerView<Pod>, "byIndex" | "listIndexValues">;
  readonly expectations: Expectations;
  readonly memory: JobMemory;
  readonly events: EventRecorder;
  readonly clock: Clock;
  /** Maximum pods that one sync creates or deletes. */
  readonly burst: number;
  /** Maximum uids in a status. */
  readonly uncountedMax: number;
  readonly backoffTimes: BackoffTimes;
  /** Shortest delay of a sync caused by failed pods, in milliseconds. */
  readonly batchMs: number;
  /** Milliseconds until expectations expire, after which the key is synced again. */
  readonly expectationsMs: number;
}

type Run = Pick<ReconcileContext, "key" | "client" | "signal">;

/** What was done about running pods, and the resulting status. */
interface Step extends Managed {
  readonly end?: JobEnd;
  /** The status without its counts. */
  readonly status: JobStatusView;
}

/**
 * Syncs a Job. Guarantees: does not touch a finished Job or one that another controller manages; one that is being deleted starts
 * no pod and releases its pods.
 */
export async function syncJob(run: Run, options: JobSyncOptions): Promise<Result> {
  const { key } = run;
  const { jobs, expectations, memory } = options;
  const cached = jobs.get(key);
  if (cached === undefined || isJobFinished(cached)) {
    expectations.forget(key);
    memory.forget(key);
    return done;
  }
  const job = memory.newest(cached, options.clock.monotonic());
  if (isManagedElsewhere(job) || isJobFinished(job)) return done;
  const { completionMode = "NonIndexed" } = jobSpec(job);
  if (completionMode !== "NonIndexed" && completionMode !== "Indexed") {
    tell(job, "Warning", "UnknownCompletionMode", "Skipped Job sync because completion mode is unknown", options);
    return done;
  }
  const selector = selectorOf(job);
  return typeof selector === "string" ? stop(selector) : await syncOwn(run, job, selector, options);
}

async function syncOwn({ key, client, signal }: Run, before: JobView, selector: Selector, options: JobSyncOptions): Promise<Result> {
  const { pods, expectations, memory, clock, events, uncountedMax } = options;
  // All three are read together: what is observed later is not in the list.
  const isSatisfied = expectations.satisfied(key);
  const freeing = memory.freeing(before);
  const all = ownedChildren<Pod>(pods, before, { orphans: true });
  const claimed = await claimChildren(all, {
    owner: before,
    ownerKind: Job,
    childKind: Pod,
    selector,
    client,
    signal,
    finalizers: [trackingFinalizer],
  });
  const now = clock.now();
  const job = started(before, now);
  const picture = jobPicture(job, claimed, freeing);
  const backoff = nextBackoff(memory.backoff(job), picture.newSucceeded, picture.newFailed);
  const step = await takeStep({ key, client, signal }, picture, { ...options, backoff, isSatisfied, now });
  const { active, ready, terminating, end } = step;
  const tracked = await trackPods(before, { ...step.status, active, ready, terminating }, picture, {
    client,
    events,
    memory,
    clock,
    end,
    backoff,
    uncountedMax,
  });
  for (const outcome of [tracked, step]) if ("error" in outcome) return retry(outcome.error);
  return nextLook(job, step, { ...options, isSatisfied, now });
}

/** The start time is set at the first sync that may run pods. */
function started(job: JobView, now: number): JobView {
  return job.status?.startTime !== undefined || isSuspended(job) ? job : { ...job, status: { ...job.status, startTime: formatTime(now) } };
}

interface StepOptions extends JobSyncOptions {
  readonly backoff: Backoff;
  readonly isSatisfied: boolean;
  readonly now: number;
}

async function takeStep({ client, signal }: Run, picture: JobPicture, options: StepOptions): Promise<Step> {
  const {
    job,
    job: { status = {} },
    active,
    ready,
    terminating,
  } = picture;
  const { events, isSatisfied, now } = options;
  const control = { client, events, signal };
  const end = jobEnd(picture, now);
  if (end !== undefined) {
    const deleted = await deletePods(job, active, control, true);
    // Pods that still exist, or that the cache does not show yet, have to be counted first.
    const isOver = deleted.count === active.length && isSatisfied;
    return {
      active: active.length - deleted.count,
      ready: ready - deleted.ready,
      terminating: terminating + deleted.count,
      status,
      ...(isOver ? { end } : {}),
      ...("error" in deleted ? { error: deleted.error } : {}),
    };
  }
  const mayManage = isSatisfied && job.metadata.deletionTimestamp === undefined;
  const managed = mayManage ? await manageJob(picture, { ...options, control }) : { active: active.length, ready, terminating };
  if (isComplete(picture, managed.active)) return { ...managed, status, end: completionsReached };
  return { ...managed, status: mayManage ? withSuspension(job, options) : status };
}

const suspended: JobStatement = { type: "Suspended", status: "True", reason: "JobSuspended", message: "Job suspended" };
const resumed: JobStatement = { type: "Suspended", status: "False", reason: "JobResumed", message: "Job resumed" };

/** Returns the status with the condition Suspended. Resuming restarts the Job's deadline. */
function withSuspension(job: JobView, options: StepOptions): JobStatusView {
  const { now } = options;
  const { startTime: _, ...status } = job.status ?? {};
  const isResting = isSuspended(job);
  const conditions = withJobCondition(status.conditions ?? [], isResting ? suspended : resumed, now);
  if (conditions === status.conditions || conditions.length === 0) return job.status ?? {};
  tell(job, "Normal", isResting ? "Suspended" : "Resumed", isResting ? suspended.message : resumed.message, options);
  return { ...status, conditions, ...(isResting ? {} : { startTime: formatTime(now) }) };
}

/**
 * Returns when time alone requires a sync; its own writes trigger others. Leaves out a deadline that has passed: this sync acted on
 * it, or something else comes first.
 */
function nextLook(
  job: JobView,
  { end, waitMs, status }: Step,
  { clock, batchMs, expectationsMs, isSatisfied, now }: Pick<StepOptions, "batchMs" | "clock" | "expectationsMs" | "isSatisfied" | "now">,
): Result {
  const deadline = end === undefined ? (deadlineMs({ ...job, status }, now) ?? 0) : 0;
  const waits = [
    ...(isSatisfied ? [] : [expectationsMs + 1]),
    ...(deadline > 0 ? [Math.max(0, deadline - (clock.now() - now))] : []),
    ...(waitMs === undefined ? [] : [Math.max(waitMs, batchMs)]),
  ];
  return waits.length === 0 ? done : after(Math.min(...waits));
}

function tell(job: JobView, type: "Normal" | "Warning", reason: string, note: string, { events }: Pick<JobSyncOptions, "events">): void {
  events.eventf({ regarding: job, type, reason, action: "SyncJob", note });
}

/** Returns the Job's selector, or why it is invalid. */
function selectorOf({ spec }: JobView): Selector | string {
  try {
    return selectorFromLabelSelector(spec?.selector);
  } catch (error) {
    if (error instanceof SelectorError) return `couldn't convert Job selector: ${error.message}`;
    throw error;
  }
}
