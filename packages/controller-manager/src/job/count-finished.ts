/**
 * Moves finished pods into the counts of a status so that none is counted twice or lost, wherever the process may stop:
 *
 *     countFinished: record their uids → remove finalizers → countFreed: uids whose pod has no finalizer become counts
 *
 * The successes of an Indexed Job are a set of indexes, to which adding twice does no harm.
 */
import type { JobStatus } from "@drover/api/batch/v1";
import type { DeepReadonly } from "@drover/machinery";
import type { PodView } from "../shared/pod-state.ts";
import { byCompletionIndex, completionIndex, indexBelow } from "./completion-index.ts";
import { countIndexes, hasIndex, printIndexes } from "./index-set.ts";
import { withJobCondition } from "./job-conditions.ts";
import type { JobEnd } from "./job-end.ts";
import { uidOf } from "./job-picture.ts";
import type { JobPicture } from "./job-picture.ts";
import { indexCount, indexLimit, isIndexed, isPodFailed, jobSpec } from "./job-view.ts";
import { failureVerdict } from "./pod-failure-policy.ts";

/** A read-only status. */
export type JobStatusView = DeepReadonly<JobStatus>;

/** The recorded status, and the pods to release then. */
export interface FinishedCount {
  readonly status: JobStatusView;
  /** Pods whose finalizer is removed once the status is written. */
  readonly free: readonly PodView[];
  /** Whether there are more than fit, left for the next sync. */
  readonly hasMore: boolean;
}

/** Further input of the count. */
export interface CountOptions {
  /** Outcome of the Job, if it ends: then no pod is waited for. */
  readonly end: JobEnd | undefined;
  /** Maximum uids in a status. */
  readonly uncountedMax: number;
  readonly now: number;
}

/** @param base - the current status, with the counts of running pods */
export function countFinished(picture: JobPicture, base: JobStatusView, { end, uncountedMax, now }: CountOptions): FinishedCount {
  const { job, held, indexes } = picture;
  const status = countFreed(base, held);
  const succeeded = [...(status.uncountedTerminatedPods?.succeeded ?? [])];
  const failed = [...(status.uncountedTerminatedPods?.failed ?? [])];
  const free: PodView[] = [];
  let newIndexes = 0;
  let hasMore = false;
  const endable = (isIndexed(job) ? held.toSorted(byCompletionIndex) : held).filter((pod) => mayGo(picture, pod, end));
  for (const pod of endable) {
    free.push(pod);
    if (isSuccess(picture, pod)) {
      if (indexes !== undefined) newIndexes += isNewIndex(picture, pod) ? 1 : 0;
      else if (!picture.uncountedSucceeded.has(uidOf(pod))) succeeded.push(uidOf(pod));
    } else if (isNewFailure(picture, pod, end)) failed.push(uidOf(pod));
    hasMore = newIndexes + succeeded.length + failed.length >= uncountedMax;
    if (hasMore) break;
  }
  const uncountedTerminatedPods = { ...(succeeded.length === 0 ? {} : { succeeded }), ...(failed.length === 0 ? {} : { failed }) };
  const conditions = end === undefined ? (status.conditions ?? []) : withJobCondition(status.conditions ?? [], end, now);
  return { status: { ...status, ...indexFields(picture), uncountedTerminatedPods, conditions }, free, hasMore };
}

/** Returns the status with uids of released pods turned into counts; the same object when there are none. */
export function countFreed(status: JobStatusView, held: readonly PodView[]): JobStatusView {
  const { succeeded = [], failed = [] } = status.uncountedTerminatedPods ?? {};
  const uids = new Set(held.map(uidOf));
  const [keptSucceeded, keptFailed] = [succeeded.filter((uid) => uids.has(uid)), failed.filter((uid) => uids.has(uid))];
  if (keptSucceeded.length === succeeded.length && keptFailed.length === failed.length) return status;
  return {
    ...status,
    succeeded: (status.succeeded ?? 0) + succeeded.length - keptSucceeded.length,
    failed: (status.failed ?? 0) + failed.length - keptFailed.length,
    uncountedTerminatedPods: {
      ...(keptSucceeded.length === 0 ? {} : { succeeded: keptSucceeded }),
      ...(keptFailed.length === 0 ? {} : { failed: keptFailed }),
    },
  };
}

/** Whether the pod can be released: it finished, or the Job ends. A pod that its replacement still has to read from is kept. */
function mayGo({ job, indexes }: JobPicture, pod: PodView, end: JobEnd | undefined): boolean {
  if (job.metadata.deletionTimestamp !== undefined || end !== undefined || pod.status?.phase === "Succeeded") return true;
  if (!isPodFailed(pod, job)) return false;
  const kept = indexLimit(job) === undefined ? undefined : indexes?.waiting.get(completionIndex(pod) ?? -1);
  return kept === undefined || uidOf(kept) !== uidOf(pod);
}

/** A pod recorded as failed stays failed, whatever it reports later. */
function isSuccess({ uncountedFailed }: JobPicture, pod: PodView): boolean {
  return pod.status?.phase === "Succeeded" && !uncountedFailed.has(uidOf(pod));
}

function isNewIndex({ job, indexes }: JobPicture, pod: PodView): boolean {
  const index = indexBelow(pod, indexCount(job));
  return index !== undefined && indexes !== undefined && !hasIndex(indexes.counted, index);
}

/** Pods that run when the Job fails count as failed. */
function isNewFailure({ job, uncountedFailed }: JobPicture, pod: PodView, end: JobEnd | undefined): boolean {
  if (uncountedFailed.has(uidOf(pod)) || !(isPodFailed(pod, job) || end?.type === "FailureTarget")) return false;
  if (isIndexed(job) && indexBelow(pod, indexCount(job)) === undefined) return false;
  return failureVerdict(jobSpec(job).podFailurePolicy, pod).isCounted;
}

function indexFields({ indexes }: JobPicture): JobStatusView {
  if (indexes === undefined) return {};
  const { succeeded, failed } = indexes;
  return {
    succeeded: countIndexes(succeeded),
    completedIndexes: printIndexes(succeeded),
    ...(failed === undefined ? {} : { failedIndexes: printIndexes(failed) }),
  };
}
