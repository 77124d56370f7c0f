import { describe, expect, it } from "vitest";
import { job, jobPod } from "./testing/running-job.ts";
import {
  indexCount,
  indexLimit,
  isIndexed,
  isJobFinished,
  isManagedElsewhere,
  isPodFailed,
  isSuspended,
  isTracked,
  waitsForEnd,
} from "./job-view.ts";

describe("a Job's spec", () => {
  it("means one pod without an index by default", () => {
    expect([isIndexed(job()), isSuspended(job()), indexCount(job()), indexLimit(job())]).toEqual([false, false, 0, undefined]);
    const indexed = job({ completionMode: "Indexed", completions: 3, suspend: true, backoffLimitPerIndex: 0 });
    expect([isIndexed(indexed), isSuspended(indexed), indexCount(indexed), indexLimit(indexed)]).toEqual([true, true, 3, 0]);
  });

  it("is finished by its conditions, and not while it is only about to be", () => {
    const saying = (type: string, status = "True"): boolean => isJobFinished(job({ status: { conditions: [{ type, status }] } }));
    expect([
      saying("Complete"),
      saying("Failed"),
      saying("Complete", "False"),
      saying("FailureTarget"),
      saying("SuccessCriteriaMet"),
    ]).toEqual([true, true, false, false, false]);
  });

  it("is managed by this controller unless managedBy names another", () => {
    expect(
      [job(), job({ managedBy: "kubernetes.io/job-controller" }), job({ managedBy: "example.com/other" })].map(isManagedElsewhere),
    ).toEqual([false, false, true]);
  });
});

describe("a Job's pod", () => {
  it("J006: counts as failed while terminating, unless its end is awaited or it succeeded", () => {
    const deleting = jobPod({ isDeleting: true });
    expect([
      isPodFailed(deleting, job()),
      isPodFailed(deleting, job({ podReplacementPolicy: "Failed" })),
      isPodFailed(deleting, job({ podFailurePolicy: { rules: [] } })),
    ]).toEqual([true, false, false]);
    expect([
      isPodFailed(jobPod({ phase: "Succeeded", isDeleting: true }), job()),
      isPodFailed(jobPod(), job()),
      isPodFailed(jobPod({ phase: "Failed" }), job({ podReplacementPolicy: "Failed" })),
    ]).toEqual([false, false, true]);
    expect([job(), job({ podReplacementPolicy: "TerminatingOrFailed" })].map(waitsForEnd)).toEqual([false, false]);
  });

  it("is held by the tracking finalizer and no other", () => {
    expect([isTracked(jobPod()), isTracked(jobPod({ isTracked: false }))]).toEqual([true, false]);
  });
});
