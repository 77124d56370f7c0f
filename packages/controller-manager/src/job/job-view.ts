/** What a Job asks for, read in one place: which of the many ways to run pods to their end. */
import type { Job, JobSpec } from "@drover/api/batch/v1";
import { hasFinalizer } from "@drover/machinery";
import type { DeepReadonly } from "@drover/machinery";
import { finishedCondition } from "../shared/finished-condition.ts";
import type { PodView } from "../shared/pod-state.ts";

/** A Job that is looked at. */
export type JobView = DeepReadonly<Job>;

/** Keeps a pod there until its end has been counted. */
export const trackingFinalizer = "batch.kubernetes.io/job-tracking";

/** Whose Jobs are ours; whoever writes another name into `spec.managedBy` looks after them alone. */
const ourName = "kubernetes.io/job-controller";

/** The spec; the server lets no Job in without one. */
export function jobSpec({ spec }: JobView): DeepReadonly<JobSpec> {
  return spec ?? { template: {} };
}

/** Whether it came to its end: its pods are counted and nothing is left to do. */
export function isJobFinished(job: JobView): boolean {
  return finishedCondition(job) !== undefined;
}

/** Whether it is to rest: nothing runs, and its time stands still. */
export function isSuspended(job: JobView): boolean {
  return jobSpec(job).suspend === true;
}

/** Whether each of its completions has a number, and a pod of its own. */
export function isIndexed(job: JobView): boolean {
  return jobSpec(job).completionMode === "Indexed";
}

/** How many indexes there are. */
export function indexCount(job: JobView): number {
  return jobSpec(job).completions ?? 0;
}

/** How often each index may fail; undefined when only the whole Job has a limit. */
export function indexLimit(job: JobView): number | undefined {
  return jobSpec(job).backoffLimitPerIndex;
}

/** Whether somebody else looks after it. */
export function isManagedElsewhere(job: JobView): boolean {
  return (jobSpec(job).managedBy ?? ourName) !== ourName;
}

/** Whether a pod that is being deleted is replaced only when it has come to its end. Policies about failures need to see that end. */
export function waitsForEnd(job: JobView): boolean {
  const { podReplacementPolicy, podFailurePolicy } = jobSpec(job);
  return podReplacementPolicy === "Failed" || podFailurePolicy !== undefined;
}

/** Whether the pod counts as failed: it did, or it is being deleted and may never get to say so. */
export function isPodFailed(pod: PodView, job: JobView): boolean {
  const { phase } = pod.status ?? {};
  return phase === "Failed" || (!waitsForEnd(job) && pod.metadata.deletionTimestamp !== undefined && phase !== "Succeeded");
}

/** Whether the pod has not been counted, or at least not been let go. */
export function isTracked(pod: PodView): boolean {
  return hasFinalizer(pod, trackingFinalizer);
}
