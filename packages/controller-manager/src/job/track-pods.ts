/**
 * Counts finished pods, releases them, and marks the Job as finished when nothing is left of it.
 *
 *     countFinished → written → finalizers removed → countFreed → Complete or Failed? → written → event
 */
import type { Client } from "@drover/client";
import type { EventRecorder } from "@drover/controller";
import { isNotFound, objectKeyOf } from "@drover/machinery";
import type { Clock } from "@drover/machinery";
import type { PodView } from "../shared/pod-state.ts";
import { countFinished, countFreed } from "./count-finished.ts";
import type { JobStatusView } from "./count-finished.ts";
import { freePod } from "./delete-pods.ts";
import type { Backoff } from "./failure-backoff.ts";
import { jobCondition, withJobCondition } from "./job-conditions.ts";
import type { JobStatement } from "./job-conditions.ts";
import type { JobEnd } from "./job-end.ts";
import type { JobMemory } from "./job-memory.ts";
import { uidOf } from "./job-picture.ts";
import type { JobPicture } from "./job-picture.ts";
import { sameJobStatus, writeJobStatus } from "./job-status.ts";
import { jobSpec } from "./job-view.ts";
import type { JobView } from "./job-view.ts";

/** Dependencies and the outcome. */
export interface TrackOptions {
  readonly client: Client;
  readonly events: EventRecorder;
  readonly memory: JobMemory;
  readonly clock: Clock;
  /** Outcome of the Job, if it ends. */
  readonly end: JobEnd | undefined;
  /** Stored once its pods are recorded in the status. */
  readonly backoff: Backoff;
  readonly uncountedMax: number;
}

/** The error; absent on success. */
export interface TrackOutcome {
  readonly error?: unknown;
}

/**
 * Tracks the pods. Guarantees: removes no finalizer before the server has the pod in the status; raises no count before the
 * finalizer is off. After a failure in between, the next sync, of any process, continues from there. Rejects when the status cannot
 * be written.
 *
 * @param before - the Job as the server has it
 * @param base - its status with the counts of running pods
 */
export async function trackPods(before: JobView, base: JobStatusView, picture: JobPicture, options: TrackOptions): Promise<TrackOutcome> {
  const { memory, clock, end, backoff, uncountedMax } = options;
  const { status, free, hasMore } = countFinished(picture, base, { end, uncountedMax, now: clock.now() });
  let job = await write(before, status, options);
  memory.setBackoff(job, backoff);
  const { freed, ...outcome } = await freePods(job, free, options);
  const counted = countFreed(
    job.status ?? {},
    picture.held.filter((pod) => !freed.has(pod)),
  );
  if ("error" in outcome) {
    await write(job, counted, options);
    return outcome;
  }
  const over = end === undefined || hasMore ? undefined : finalStatement(counted, end);
  job = await write(job, over === undefined ? counted : finished(counted, over, clock.now()), options);
  if (over !== undefined) tellEnd(job, over, options.events);
  return {};
}

async function write(job: JobView, status: JobStatusView, { client, memory, clock }: TrackOptions): Promise<JobView> {
  if (sameJobStatus(job.status, status)) return job;
  const written = await writeJobStatus(client, job, status);
  memory.wrote(written, clock.monotonic());
  return written;
}

/** In parallel. A pod that is gone counts as released. */
async function freePods(
  job: JobView,
  pods: readonly PodView[],
  { client, memory }: TrackOptions,
): Promise<TrackOutcome & { readonly freed: ReadonlySet<PodView> }> {
  const freed = new Set<PodView>();
  const errors: unknown[] = [];
  memory.expectFreed(job, pods.map(uidOf));
  await Promise.all(
    pods.map(async (pod) => {
      try {
        await freePod(pod, client);
        freed.add(pod);
      } catch (error) {
        memory.freed(objectKeyOf(job), uidOf(pod));
        if (isNotFound(error)) freed.add(pod);
        else errors.push(error);
      }
    }),
  );
  return { freed, ...(errors.length === 0 ? {} : { error: errors[0] }) };
}

/** Waits until every pod is counted or gone: clients rely on a finished Job having no running pods. */
function finalStatement(
  { uncountedTerminatedPods, terminating = 0 }: JobStatusView,
  { type, reason, message }: JobEnd,
): JobStatement | undefined {
  const uncounted = (uncountedTerminatedPods?.succeeded?.length ?? 0) + (uncountedTerminatedPods?.failed?.length ?? 0);
  return uncounted + terminating > 0
    ? undefined
    : { type: type === "FailureTarget" ? "Failed" : "Complete", status: "True", reason, message };
}

function finished(status: JobStatusView, over: JobStatement, now: number): JobStatusView {
  const conditions = withJobCondition(status.conditions ?? [], over, now);
  const { lastTransitionTime } = jobCondition(over, now);
  return {
    ...status,
    conditions,
    ...(over.type === "Complete" && lastTransitionTime !== undefined ? { completionTime: lastTransitionTime } : {}),
  };
}

function tellEnd(job: JobView, { type, reason, message }: JobStatement, events: EventRecorder): void {
  const tell = (eventType: "Normal" | "Warning", eventReason: string, note: string): void =>
    events.eventf({ regarding: job, type: eventType, reason: eventReason, action: "FinishJob", note });
  if (type === "Failed") return tell("Warning", reason, message);
  if ((job.status?.succeeded ?? 0) > (jobSpec(job).completions ?? Infinity))
    tell("Warning", "TooManySucceededPods", "Too many succeeded pods running after completion count reached");
  tell("Normal", "Completed", "Job completed");
}
