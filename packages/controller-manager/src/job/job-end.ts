/**
 * Whether a Job is to end, and why: what was decided before, then reasons to fail, then reasons to succeed.
 *
 *     JobPicture → jobEnd → pods deleted, counted → the condition that says so
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

/** FailureTarget or SuccessCriteriaMet: what the Job comes to when its pods have been counted. */
export type JobEnd = JobStatement & { readonly type: "FailureTarget" | "SuccessCriteriaMet" };

/**
 * The first that holds; undefined while it goes on. That all completions are there is not among them: see `isComplete`,
 * which is asked when pods have been
 * created and deleted.
 *
 * Guarantees: what the status says already stands, whatever has happened since.
 */
export function jobEnd(picture: JobPicture, now: number): JobEnd | undefined {
  return decidedEnd(picture.job) ?? policyFailure(picture) ?? limitFailure(picture, now) ?? indexFailure(picture) ?? policySuccess(picture);
}

/** What it ends with when all it was to do is done. */
export const completionsReached: JobEnd = {
  type: "SuccessCriteriaMet",
  status: "True",
  reason: "CompletionsReached",
  message: "Reached expected number of succeeded pods",
};

/** Whether all is done: so many successes as it asks for or, where it does not say, one, and nothing runs. */
export function isComplete({ job, succeeded }: JobPicture, active: number): boolean {
  return active === 0 && succeeded >= (jobSpec(job).completions ?? 1);
}

/** How long from now the Job may go on; undefined without a deadline, and while it is suspended. */
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

/** Containers that are started again in their pod fail without a pod that fails. */
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
