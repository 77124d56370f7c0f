/**
 * Whether a Job ends, and why: first what was decided before, then reasons to fail, then reasons to succeed.
 *
 *     JobPicture → jobEnd → pods deleted, counted → the final condition
 */
import { findStatusCondition } from "@drover/machinery";
import { timeMs } from "../shared/object-time.ts";
import type { PodView } from "../shared/pod-state.ts";
import type { JobStatement } from "./job-conditions.ts";
import { countIndexes } from "./index-set.ts";
import type { JobPicture } from "./job-picture.ts";
import { indexCount, isPodFailed, isSuspended, jobSpec } from "./job-view.ts";
import type { JobView } from "./job-view.ts";
import { failureVerdict } from "./pod-failure-policy.ts";
import { metSuccessRule } from "./success-policy.ts";

/** FailureTarget or SuccessCriteriaMet: the outcome once all pods are counted. */
export type JobEnd = JobStatement & { readonly type: "FailureTarget" | "SuccessCriteriaMet" };

/**
 * Returns the first outcome that applies; undefined while the Job goes on. Does not check completions: `isComplete` does, after
 * pods were created and deleted.
 *
 * Guarantees: an outcome in the status stands, whatever happened since.
 */
export function jobEnd(picture: JobPicture, now: number): JobEnd | undefined {
  return decidedEnd(picture.job) ?? policyFailure(picture) ?? limitFailure(picture, now) ?? indexFailure(picture) ?? policySuccess(picture);
}

/** Outcome of a Job with all its completions. */
export const completionsReached: JobEnd = {
  type: "SuccessCriteriaMet",
  status: "True",
  reason: "CompletionsReached",
  message: "Reached expected number of succeeded pods",
};

/** Whether the Job is done: it has its completions or, without a number of them, one success and no running pod. */
export function isComplete({ job, succeeded }: JobPicture, active: number): boolean {
  return active === 0 && succeeded >= (jobSpec(job).completions ?? 1);
}

/** Returns milliseconds until the Job's deadline; undefined without one and while the Job is suspended. */
export function deadlineMs(job: JobView, now: number): number | undefined {
  const { activeDeadlineSeconds } = jobSpec(job);
  const started = timeMs(job.status?.startTime);
  if (activeDeadlineSeconds === undefined || started === undefined || isSuspended(job)) return undefined;
  return started + activeDeadlineSeconds * 1000 - now;
}

const failure = (reason: string, message: string): JobEnd => ({ type: "FailureTarget", status: "True", reason, message });

function decidedEnd({ status }: JobView): JobEnd | undefined {
  for (const type of ["SuccessCriteriaMet", "FailureTarget"] as const) {
    const found = findStatusCondition(status?.conditions, type);
    if (found?.status === "True") return { type, status: "True", reason: found.reason ?? "", message: found.message ?? "" };
  }
  return undefined;
}

function policyFailure({ job, pods }: JobPicture): JobEnd | undefined {
  const { podFailurePolicy } = jobSpec(job);
  if (podFailurePolicy === undefined) return undefined;
  for (const pod of pods) {
    const { message } = isPodFailed(pod, job) ? failureVerdict(podFailurePolicy, pod) : {};
    if (message !== undefined) return failure("PodFailurePolicy", message);
  }
  return undefined;
}

function limitFailure({ job, pods, failed }: JobPicture, now: number): JobEnd | undefined {
  const { backoffLimit = 6 } = jobSpec(job);
  if (failed > backoffLimit || hasRestartedTooOften(job, pods, backoffLimit))
    return failure("BackoffLimitExceeded", "Job has reached the specified backoff limit");
  if ((deadlineMs(job, now) ?? 1) <= 0) return failure("DeadlineExceeded", "Job was active longer than specified deadline");
  return undefined;
}

/** Containers that restart in place fail without a failed pod. */
function hasRestartedTooOften(job: JobView, pods: readonly PodView[], limit: number): boolean {
  if (jobSpec(job).template.spec?.restartPolicy !== "OnFailure") return false;
  const running = pods.filter(({ status }) => status?.phase === "Running" || status?.phase === "Pending");
  const restarts = running
    .flatMap(({ status }) => [...(status?.initContainerStatuses ?? []), ...(status?.containerStatuses ?? [])])
    .reduce((sum, { restartCount }) => sum + restartCount, 0);
  return restarts >= Math.max(limit, 1);
}

function indexFailure({ job, indexes }: JobPicture): JobEnd | undefined {
  if (indexes?.failed === undefined) return undefined;
  const failed = countIndexes(indexes.failed);
  if (failed > (jobSpec(job).maxFailedIndexes ?? Infinity))
    return failure("MaxFailedIndexesExceeded", "Job has exceeded the specified maximal number of failed indexes");
  if (failed > 0 && failed + countIndexes(indexes.succeeded) >= indexCount(job)) return failure("FailedIndexes", "Job has failed indexes");
  return undefined;
}

function policySuccess({ job, indexes }: JobPicture): JobEnd | undefined {
  const message = indexes === undefined ? undefined : metSuccessRule(jobSpec(job).successPolicy, indexCount(job), indexes.succeeded);
  return message === undefined ? undefined : { type: "SuccessCriteriaMet", status: "True", reason: "SuccessPolicy", message };
}
