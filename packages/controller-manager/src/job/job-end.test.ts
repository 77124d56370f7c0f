import { describe, expect, it } from "vitest";
import type { PodView } from "../shared/pod-state.ts";
import { job, jobPod, jobPods } from "./testing/running-job.ts";
import type { JobParts } from "./testing/running-job.ts";
import { start } from "../testing/workload-objects.ts";
import { deadlineMs, isComplete, jobEnd } from "./job-end.ts";
import { jobPicture } from "./job-picture.ts";

const reason = (parts: JobParts, ...pods: readonly PodView[]): string | undefined => {
  const end = jobEnd(jobPicture(job(parts), pods, new Set()), start);
  return end && `${end.type} ${end.reason}: ${end.message}`;
};
const limit = "FailureTarget BackoffLimitExceeded: Job has reached the specified backoff limit";
const deadline = "FailureTarget DeadlineExceeded: Job was active longer than specified deadline";
const failed = (count: number): readonly PodView[] => jobPods(count, { name: "failed", phase: "Failed" });

describe("jobEnd", () => {
  it("J059: fails with one failure more than the backoff limit", () => {
    expect([
      reason({ backoffLimit: 1 }, ...failed(1)),
      reason({ backoffLimit: 1 }, ...failed(2)),
      reason({}, ...failed(6)),
      reason({}, ...failed(7)),
      reason({ backoffLimit: 0 }, ...failed(1)),
    ]).toEqual([undefined, limit, undefined, limit, limit]);
  });

  it("J058: fails with as many container restarts as the limit; with limit 0 at the first", () => {
    const restarted = (backoffLimit: number, phase: "Pending" | "Running", ...restarts: readonly number[]): string | undefined =>
      reason(
        { backoffLimit, restartPolicy: "OnFailure" },
        ...restarts.map((count, at) => jobPod({ name: `pod-${at}`, phase, restarts: count })),
      );
    expect([restarted(0, "Running", 0), restarted(1, "Running", 0), restarted(3, "Running", 1, 1)]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect([restarted(0, "Running", 1), restarted(1, "Running", 1), restarted(2, "Running", 1, 1), restarted(1, "Pending", 1)]).toEqual([
      limit,
      limit,
      limit,
      limit,
    ]);
    expect(reason({ backoffLimit: 1 }, jobPod({ restarts: 5 }))).toBeUndefined();
  });

  it("J047: fails at its deadline, also before a pod started; the backoff limit is named first; not while suspended", () => {
    expect([
      reason({ activeDeadlineSeconds: 60 }),
      reason({ activeDeadlineSeconds: 61 }),
      reason({ activeDeadlineSeconds: 10 }, jobPod()),
    ]).toEqual([deadline, undefined, deadline]);
    expect(reason({ activeDeadlineSeconds: 10, backoffLimit: 0 }, ...failed(1))).toBe(limit);
    expect([
      reason({ activeDeadlineSeconds: 10, suspend: true }),
      deadlineMs(job({ activeDeadlineSeconds: 10, suspend: true }), start),
    ]).toEqual([undefined, undefined]);
    expect([deadlineMs(job({ activeDeadlineSeconds: 90 }), start), deadlineMs(job(), start)]).toEqual([30_000, undefined]);
  });

  it("fails at once by the pod failure policy, before its limits", () => {
    const podFailurePolicy = { rules: [{ action: "FailJob" as const, onExitCodes: { operator: "In" as const, values: [42] } }] };
    const pod = jobPod({ phase: "Failed", exitCode: 42, endedAgo: 1 });
    expect(reason({ podFailurePolicy, backoffLimit: 0 }, pod)).toBe(
      "FailureTarget PodFailurePolicy: Container main for pod shop/work-1 failed with exit code 42 matching FailJob rule at index 0",
    );
    expect(reason({ podFailurePolicy }, jobPod({ exitCode: 42, endedAgo: 1 }))).toBeUndefined();
  });

  it("J052: fails with too many failed indexes, or when none is left; the limit of the whole Job still applies", () => {
    const parts: JobParts = { completionMode: "Indexed", completions: 3, backoffLimitPerIndex: 1 };
    expect(reason({ ...parts, status: { failedIndexes: "0" } })).toBeUndefined();
    expect(reason({ ...parts, maxFailedIndexes: 0, status: { failedIndexes: "0" } })).toBe(
      "FailureTarget MaxFailedIndexesExceeded: Job has exceeded the specified maximal number of failed indexes",
    );
    expect(reason({ ...parts, status: { failedIndexes: "0", completedIndexes: "1,2" } })).toBe(
      "FailureTarget FailedIndexes: Job has failed indexes",
    );
    expect(reason({ ...parts, status: { completedIndexes: "0-2" } })).toBeUndefined();
    expect(reason({ ...parts, backoffLimit: 0 }, jobPod({ phase: "Failed", index: 0 }))).toBe(limit);
  });

  it("J051: succeeds by the success policy, unless it fails in the same sync", () => {
    const parts: JobParts = {
      completionMode: "Indexed",
      completions: 3,
      successPolicy: { rules: [{ succeededCount: 1 }] },
      backoffLimit: 0,
    };
    const done = jobPod({ name: "done", phase: "Succeeded", index: 1 });
    expect(reason(parts, done)).toBe("SuccessCriteriaMet SuccessPolicy: Matched rules at index 0");
    expect(reason(parts, done, jobPod({ phase: "Failed", index: 0 }))).toBe(limit);
  });

  it("J051: keeps an outcome that was stated", () => {
    const decided = (type: string): JobParts => ({
      completionMode: "Indexed",
      completions: 3,
      backoffLimit: 0,
      successPolicy: { rules: [{ succeededCount: 1 }] },
      status: { conditions: [{ type, status: "True", reason: "Why", message: "so" }] },
    });
    expect(reason(decided("SuccessCriteriaMet"), jobPod({ phase: "Failed", index: 0 }))).toBe("SuccessCriteriaMet Why: so");
    expect(reason(decided("FailureTarget"), jobPod({ phase: "Succeeded", index: 0 }))).toBe("FailureTarget Why: so");
  });

  it("J017, J018, J019: succeeds with all completions and no running pod, or with one without a number of completions", () => {
    const complete = (parts: JobParts, active: number): boolean => isComplete(jobPicture(job(parts), [], new Set()), active);
    expect([
      complete({ completions: 5, status: { succeeded: 5 } }, 0),
      complete({ completions: 5, status: { succeeded: 5 } }, 1),
      complete({ completions: 5, status: { succeeded: 4 } }, 0),
    ]).toEqual([true, false, false]);
    expect([
      complete({ status: { succeeded: 1 } }, 0),
      complete({ status: { succeeded: 1 } }, 1),
      complete({}, 0),
      complete({ completions: 0 }, 0),
    ]).toEqual([true, false, false, true]);
  });
});
