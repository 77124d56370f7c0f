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

describe("what a Job asks for", () => {
  it("is one pod without a number, unless it says otherwise", () => {
    expect([isIndexed(job()), isSuspended(job()), indexCount(job()), indexLimit(job())]).toEqual([false, false, 0, undefined]);
    const indexed = job({ completionMode: "Indexed", completions: 3, suspend: true, backoffLimitPerIndex: 0 });
    expect([isIndexed(indexed), isSuspended(indexed), indexCount(indexed), indexLimit(indexed)]).toEqual([true, true, 3, 0]);
  });

  it("is over when it says so, and not when it is about to be", () => {
    const saying = (type: string, status = "True"): boolean => isJobFinished(job({ status: { conditions: [{ type, status }] } }));
    expect([
      saying("Complete"),
      saying("Failed"),
      saying("Complete", "False"),
      saying("FailureTarget"),
      saying("SuccessCriteriaMet"),
    ]).toEqual([true, true, false, false, false]);
  });

  it("is ours to look after unless somebody else's name is on it", () => {
    expect(
      [job(), job({ managedBy: "kubernetes.io/job-controller" }), job({ managedBy: "example.com/other" })].map(isManagedElsewhere),
    ).toEqual([false, false, true]);
  });
});

describe("a pod of a Job", () => {
  it("J006: that is being deleted has failed, unless its end is waited for or it succeeded", () => {
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

  it("is held by the finalizer and no other", () => {
    expect([isTracked(jobPod()), isTracked(jobPod({ isTracked: false }))]).toEqual([true, false]);
  });
});
