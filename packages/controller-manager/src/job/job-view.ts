/** Questions about a Job's spec: how its pods run to completion. */
import type { Job, JobSpec } from "@drover/api/batch/v1";
import { hasFinalizer } from "@drover/machinery";
import type { DeepReadonly } from "@drover/machinery";
import { finishedCondition } from "../shared/finished-condition.ts";
import type { PodView } from "../shared/pod-state.ts";

/** A read-only Job. */
export type JobView = DeepReadonly<Job>;

/** Keeps a pod until it has been counted. */
export const trackingFinalizer = "batch.kubernetes.io/job-tracking";

/** Value of `spec.managedBy` for this controller; Jobs with another value are left alone. */
const ourName = "kubernetes.io/job-controller";

/** Returns the spec, which the server requires. */
export function jobSpec({ spec }: JobView): DeepReadonly<JobSpec> {
  return spec ?? { template: {} };
}

/** Whether the Job finished: its pods are counted and nothing is left to do. */
export function isJobFinished(job: JobView): boolean {
  return finishedCondition(job) !== undefined;
}

/** Whether the Job is suspended: no pod runs and its deadline stops. */
export function isSuspended(job: JobView): boolean {
  return jobSpec(job).suspend === true;
}

/** Whether each completion has an index and its own pod. */
export function isIndexed(job: JobView): boolean {
  return jobSpec(job).completionMode === "Indexed";
}

/** Returns the number of indexes. */
export function indexCount(job: JobView): number {
  return jobSpec(job).completions ?? 0;
}

/** Returns the failure limit per index; undefined when only the whole Job has one. */
export function indexLimit(job: JobView): number | undefined {
  return jobSpec(job).backoffLimitPerIndex;
}

/** Whether another controller manages it. */
export function isManagedElsewhere(job: JobView): boolean {
  return (jobSpec(job).managedBy ?? ourName) !== ourName;
}

/** Whether a terminating pod is replaced only after it finished. Failure policies need its final state. */
export function waitsForEnd(job: JobView): boolean {
  const { podReplacementPolicy, podFailurePolicy } = jobSpec(job);
  return podReplacementPolicy === "Failed" || podFailurePolicy !== undefined;
}

/** Whether the pod counts as failed: it failed, or it is being deleted and may never report. */
export function isPodFailed(pod: PodView, job: JobView): boolean {
  const { phase } = pod.status ?? {};
  return phase === "Failed" || (!waitsForEnd(job) && pod.metadata.deletionTimestamp !== undefined && phase !== "Succeeded");
}

/** Whether the pod is not counted yet, or at least not released. */
export function isTracked(pod: PodView): boolean {
  return hasFinalizer(pod, trackingFinalizer);
}
