/**
 * Snapshot of a Job and its pods: how many run, how many finished uncounted, which indexes are done.
 *
 *     Job, pods, pods being released → jobPicture → jobEnd, manageJob, countFinished
 */
import { definedOnly } from "@drover/machinery";
import { isPodActive, isPodReady, isPodTerminating } from "../shared/pod-state.ts";
import type { PodView } from "../shared/pod-state.ts";
import { completionIndex, ignoredIndexFailures, indexBelow, indexFailures } from "./completion-index.ts";
import { finishTime } from "./finish-time.ts";
import { countIndexes, hasIndex, indexesOf, readIndexes, uniteIndexes } from "./index-set.ts";
import type { IndexSet } from "./index-set.ts";
import { indexCount, indexLimit, isIndexed, isPodFailed, isTracked, jobSpec } from "./job-view.ts";
import type { JobView } from "./job-view.ts";
import { failureVerdict } from "./pod-failure-policy.ts";

/** Part of an Indexed Job. */
export interface IndexPicture {
  /** Indexes that the status lists as succeeded. */
  readonly counted: IndexSet;
  /** Those, and the ones that succeeded since. */
  readonly succeeded: IndexSet;
  /** Indexes that failed for good; undefined without a limit per index. */
  readonly failed?: IndexSet;
  /** The last failed pod of an index, kept until its replacement exists, which inherits its failure count. */
  readonly waiting: ReadonlyMap<number, PodView>;
}

/** Every decision about a Job follows from this and the time. */
export interface JobPicture {
  readonly job: JobView;
  readonly pods: readonly PodView[];
  readonly active: readonly PodView[];
  readonly ready: number;
  readonly terminating: number;
  /** Pods with the finalizer, except those it was just removed from. */
  readonly held: readonly PodView[];
  readonly uncountedSucceeded: ReadonlySet<string>;
  readonly uncountedFailed: ReadonlySet<string>;
  /** Finished pods in no count yet. */
  readonly newSucceeded: readonly PodView[];
  readonly newFailed: readonly PodView[];
  /** All successes, and all failures that count, recorded or not. */
  readonly succeeded: number;
  readonly failed: number;
  readonly indexes?: IndexPicture;
}

/** @param freeing - uids of pods whose finalizer was removed, though the cache may still show it */
export function jobPicture(job: JobView, pods: readonly PodView[], freeing: ReadonlySet<string>): JobPicture {
  const { status = {} } = job;
  const uncountedSucceeded = new Set(status.uncountedTerminatedPods?.succeeded);
  const uncountedFailed = new Set(status.uncountedTerminatedPods?.failed);
  const held = pods.filter((pod) => isTracked(pod) && !freeing.has(uidOf(pod)));
  const valid = isIndexed(job) ? held.filter((pod) => indexBelow(pod, indexCount(job)) !== undefined) : held;
  const newSucceeded = valid.filter((pod) => pod.status?.phase === "Succeeded" && !uncountedSucceeded.has(uidOf(pod)));
  const newFailed = valid.filter((pod) => isPodFailed(pod, job) && !uncountedFailed.has(uidOf(pod)));
  const active = pods.filter(isPodActive);
  const indexes = isIndexed(job) ? indexPicture(job, pods, active, valid) : undefined;
  return {
    job,
    pods,
    active,
    held,
    uncountedSucceeded,
    uncountedFailed,
    newSucceeded,
    newFailed,
    ready: active.filter(isPodReady).length,
    terminating: pods.filter(isPodTerminating).length,
    succeeded:
      indexes === undefined ? (status.succeeded ?? 0) + newSucceeded.length + uncountedSucceeded.size : countIndexes(indexes.succeeded),
    failed:
      (status.failed ?? 0) +
      newFailed.filter((pod) => failureVerdict(jobSpec(job).podFailurePolicy, pod).isCounted).length +
      uncountedFailed.size,
    ...definedOnly({ indexes }),
  };
}

/** Key by which a pod is counted. */
export const uidOf = ({ metadata }: PodView): string => metadata.uid ?? "";

/** Returns the indexes of these pods as a set. */
export function indexesOfPods(pods: readonly PodView[]): IndexSet {
  return indexesOf(pods.flatMap((pod) => completionIndex(pod) ?? []));
}

/** @param valid - held pods with an index below the Job's count */
function indexPicture(job: JobView, pods: readonly PodView[], active: readonly PodView[], valid: readonly PodView[]): IndexPicture {
  const { completedIndexes, failedIndexes } = job.status ?? {};
  const count = indexCount(job);
  const counted = readIndexes(completedIndexes, count);
  // Includes pods just released: adding to a set twice does no harm.
  const known = pods.filter((pod) => isTracked(pod) && indexBelow(pod, count) !== undefined);
  const succeeded = uniteIndexes(counted, indexesOfPods(known.filter(({ status }) => status?.phase === "Succeeded")));
  const limit = indexLimit(job);
  if (limit === undefined) return { counted, succeeded, waiting: new Map() };
  const failed = uniteIndexes(readIndexes(failedIndexes, count), indexesOfPods(known.filter((pod) => hasIndexFailed(job, pod, limit))));
  return { counted, succeeded, failed, waiting: waitingPods(job, valid, uniteIndexes(succeeded, failed, indexesOfPods(active))) };
}

function hasIndexFailed(job: JobView, pod: PodView, limit: number): boolean {
  if (!isPodFailed(pod, job)) return false;
  const { action, isCounted } = failureVerdict(jobSpec(job).podFailurePolicy, pod);
  return action === "FailIndex" || (isCounted && indexFailures(pod) >= limit);
}

/** The last failed pod of each open index. */
function waitingPods(job: JobView, valid: readonly PodView[], settled: IndexSet): ReadonlyMap<number, PodView> {
  const waiting = new Map<number, PodView>();
  for (const pod of valid.filter((each) => isPodFailed(each, job))) {
    const index = completionIndex(pod) ?? 0;
    const last = waiting.get(index);
    if (!hasIndex(settled, index) && (last === undefined || (allFailures(last) <= allFailures(pod) && finishTime(last) <= finishTime(pod))))
      waiting.set(index, pod);
  }
  return waiting;
}

const allFailures = (pod: PodView): number => indexFailures(pod) + ignoredIndexFailures(pod);
