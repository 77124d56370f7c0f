/**
 * Brings the number of running pods to the desired one by deleting or creating at most one burst, never both.
 *
 *     JobPicture → too many? delete : too few? wait for the backoff, or slow start of creates → new number of running pods
 */
import { Job } from "@drover/api/batch/v1";
import { newControllerRef, objectKeyOf } from "@drover/machinery";
import { slowStart } from "@drover/patterns";
import type { Expectations } from "@drover/patterns";
import { createPod, isNamespaceTerminating } from "../shared/pod-control.ts";
import type { PodControl } from "../shared/pod-control.ts";
import { isPodTerminating } from "../shared/pod-state.ts";
import type { PodView } from "../shared/pod-state.ts";
import { deletePods } from "./delete-pods.ts";
import { backoffMs, indexBackoffMs } from "./failure-backoff.ts";
import type { Backoff, BackoffTimes } from "./failure-backoff.ts";
import { missingIndexes, uniteIndexes } from "./index-set.ts";
import { indexesOfPods } from "./job-picture.ts";
import type { IndexPicture, JobPicture } from "./job-picture.ts";
import { indexedPodPrefix, indexedPodTemplate, jobPodTemplate } from "./job-pod-template.ts";
import { indexCount, indexLimit, isSuspended, jobSpec, waitsForEnd } from "./job-view.ts";
import { podsToRemove } from "./pods-to-remove.ts";

/** Dependencies and limits. */
export interface ManageJobOptions {
  readonly control: PodControl;
  readonly expectations: Expectations;
  /** Failures so far, including those of this sync. */
  readonly backoff: Backoff;
  readonly backoffTimes: BackoffTimes;
  /** Maximum pods to create or delete. */
  readonly burst: number;
  readonly now: number;
}

/** State of the pods afterwards. */
export interface Managed {
  readonly active: number;
  readonly ready: number;
  readonly terminating: number;
  /** Milliseconds until failed pods may be replaced; absent when none waits. */
  readonly waitMs?: number;
  /** The first error; absent on success. */
  readonly error?: unknown;
}

/**
 * Creates or deletes pods. Guarantees: expectations are set before the first request and lowered for each request that failed or
 * was not sent. Never rejects for a refusal by the server.
 */
export async function manageJob(picture: JobPicture, options: ManageJobOptions): Promise<Managed> {
  const { job, active } = picture;
  if (isSuspended(job)) return await removePods(picture, podsToRemove(job, active, active.length), options);
  const wanted = wantedActive(picture);
  const surplus = podsToRemove(job, active, Math.max(0, active.length - wanted)).slice(0, options.burst);
  if (surplus.length > 0) return await removePods(picture, surplus, options);
  const missing = wanted - active.length - (waitsForEnd(job) ? picture.terminating : 0);
  return missing > 0 ? await createPods(picture, Math.min(missing, options.burst), options) : asItIs(picture);
}

const asItIs = ({ active, ready, terminating }: JobPicture): Managed => ({ active: active.length, ready, terminating });

/** A Job without a number of completions starts no further pod once one succeeded. */
function wantedActive({ job, active, succeeded }: JobPicture): number {
  const { completions, parallelism = 1 } = jobSpec(job);
  if (completions === undefined) return succeeded > 0 ? active.length : parallelism;
  return Math.max(0, Math.min(parallelism, completions - succeeded));
}

/** These pods are surplus, so they are not counted. */
async function removePods(picture: JobPicture, pods: readonly PodView[], { control, expectations }: ManageJobOptions): Promise<Managed> {
  const { job, active, ready, terminating } = picture;
  const key = objectKeyOf(job);
  expectations.expectDeletions(key, pods.map(objectKeyOf));
  const deleted = await deletePods(job, pods, control, false);
  for (const pod of deleted.unseen) expectations.deletionObserved(key, objectKeyOf(pod));
  return {
    active: active.length - deleted.count,
    ready: ready - deleted.ready,
    terminating: terminating + deleted.count,
    ...("error" in deleted ? { error: deleted.error } : {}),
  };
}

async function createPods(picture: JobPicture, missing: number, options: ManageJobOptions): Promise<Managed> {
  const { job, indexes } = picture;
  const { backoff, backoffTimes, now } = options;
  const waitMs = indexLimit(job) === undefined ? backoffMs(backoff, now, backoffTimes) : 0;
  if (waitMs > 0) return { ...asItIs(picture), waitMs };
  if (indexes === undefined)
    return {
      ...asItIs(picture),
      ...(await create(
        picture,
        Array.from({ length: missing }, () => undefined),
        options,
      )),
    };
  const open = missingIndexes(takenIndexes(picture, indexes), missing, indexCount(job));
  const waits = open.map((index) => indexBackoffMs(indexes.waiting.get(index), now, backoffTimes));
  const ripe = open.filter((_, at) => waits[at] === 0);
  if (ripe.length === 0 && open.length > 0) return { ...asItIs(picture), waitMs: Math.min(...waits) };
  const created = await create(picture, ripe, options);
  const later = waits.filter((wait) => wait > 0);
  return { ...asItIs(picture), ...created, ...(later.length === 0 ? {} : { waitMs: Math.min(...later) }) };
}

/** Indexes that need no pod: done, or with a pod. A terminating pod keeps its index while its end is waited for. */
function takenIndexes({ job, pods, active }: JobPicture, { succeeded, failed = [] }: IndexPicture): ReturnType<typeof uniteIndexes> {
  return uniteIndexes(succeeded, failed, indexesOfPods(active), waitsForEnd(job) ? indexesOfPods(pods.filter(isPodTerminating)) : []);
}

/** Creates one pod for each index; undefined stands for a pod without one. */
async function create(
  { job, active, indexes }: JobPicture,
  places: readonly (number | undefined)[],
  { control, expectations }: ManageJobOptions,
): Promise<Pick<Managed, "active" | "error">> {
  const key = objectKeyOf(job);
  const controllerRef = newControllerRef(job, Job);
  expectations.expectCreations(key, places.length);
  const { successes, ...outcome } = await slowStart(places.length, async (at) => {
    const index = places[at];
    if (index === undefined) await createPod(jobPodTemplate(job), job, controllerRef, control);
    else
      await createPod(indexedPodTemplate(job, index, indexes?.waiting.get(index)), job, controllerRef, control, {
        generateName: indexedPodPrefix(job, index),
      });
  });
  for (let skipped = places.length - successes; skipped > 0; skipped--) expectations.creationObserved(key);
  // Every further create would fail too, and the Job is about to be deleted.
  return { active: active.length + successes, ...("error" in outcome && !isNamespaceTerminating(outcome.error) ? outcome : {}) };
}
