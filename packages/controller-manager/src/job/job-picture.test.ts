import { describe, expect, it } from "vitest";
import { job, jobPod, jobPods } from "./testing/running-job.ts";
import { completionIndex, failureCountAnnotation } from "./completion-index.ts";
import { printIndexes } from "./index-set.ts";
import { jobPicture, uidOf } from "./job-picture.ts";

const none: ReadonlySet<string> = new Set();
const failures = (count: number): { readonly annotations: Readonly<Record<string, string>> } => ({
  annotations: { [failureCountAnnotation]: String(count) },
});

describe("jobPicture", () => {
  it("J003, J004: counts active, ready and terminating pods", () => {
    const pods = [
      jobPod({ name: "a", phase: "Pending" }),
      jobPod({ name: "b", isReady: true }),
      jobPod({ name: "c", isReady: true }),
      jobPod({ name: "d", isDeleting: true }),
      jobPod({ name: "e", phase: "Failed" }),
    ];
    expect(jobPicture(job(), pods, none)).toMatchObject({
      ready: 2,
      terminating: 1,
      active: [{ metadata: { name: "a" } }, { metadata: { name: "b" } }, { metadata: { name: "c" } }],
    });
  });

  it("J014, J016: adds up counted, recorded and newly finished pods", () => {
    const status = { succeeded: 2, failed: 1, uncountedTerminatedPods: { succeeded: ["old"], failed: ["gone"] } };
    const pods = [
      jobPod({ name: "old", phase: "Succeeded" }),
      jobPod({ name: "new", phase: "Succeeded" }),
      jobPod({ name: "failed", phase: "Failed" }),
      jobPod({ name: "counted", phase: "Failed", isTracked: false }),
    ];
    const picture = jobPicture(job({ status }), pods, none);
    expect([picture.succeeded, picture.failed, picture.newSucceeded.map(uidOf), picture.newFailed.map(uidOf)]).toEqual([
      4,
      3,
      ["new"],
      ["failed"],
    ]);
  });

  it("J061: leaves out released pods that the cache still shows with the finalizer", () => {
    const picture = jobPicture(job({ status: { succeeded: 1 } }), jobPods(2, { name: "done", phase: "Succeeded" }), new Set(["done-0"]));
    expect([picture.succeeded, picture.held.map(uidOf)]).toEqual([2, ["done-1"]]);
  });

  it("does not count failures that the policy ignores", () => {
    const ignoring = job({ podFailurePolicy: { rules: [{ action: "Ignore", onExitCodes: { operator: "In", values: [7] } }] } });
    const picture = jobPicture(
      ignoring,
      [jobPod({ name: "a", phase: "Failed", exitCode: 7, endedAgo: 1 }), jobPod({ name: "b", phase: "Failed", exitCode: 1, endedAgo: 1 })],
      none,
    );
    expect([picture.failed, picture.newFailed.length]).toEqual([1, 2]);
  });
});

describe("jobPicture of an Indexed Job", () => {
  const indexed = (parts: Parameters<typeof job>[0] = {}): ReturnType<typeof job> =>
    job({ completionMode: "Indexed", completions: 4, ...parts });

  it("J027, J029: has each succeeded index once, and drops those out of range", () => {
    const pods = [
      jobPod({ name: "a", phase: "Succeeded", index: 1 }),
      jobPod({ name: "b", phase: "Succeeded", index: 1 }),
      jobPod({ name: "c", phase: "Succeeded", index: 9 }),
      jobPod({ name: "d", phase: "Succeeded" }),
      jobPod({ name: "e", phase: "Succeeded", index: 2, isTracked: false }),
    ];
    const { succeeded, indexes, newSucceeded } = jobPicture(indexed({ status: { completedIndexes: "0,3-7", succeeded: 6 } }), pods, none);
    expect([
      succeeded,
      printIndexes(indexes?.succeeded ?? []),
      printIndexes(indexes?.counted ?? []),
      indexes?.failed,
      newSucceeded.length,
    ]).toEqual([3, "0,1,3", "0,3", undefined, 2]);
  });

  it("J052: has indexes that failed more often than allowed, or by policy", () => {
    const podFailurePolicy = {
      rules: [
        { action: "FailIndex" as const, onExitCodes: { operator: "In" as const, values: [42] } },
        { action: "Ignore" as const, onExitCodes: { operator: "In" as const, values: [7] } },
      ],
    };
    const pod = (name: string, index: number, exitCode: number, count: number): ReturnType<typeof jobPod> =>
      jobPod({ name, index, phase: "Failed", exitCode, endedAgo: 1, ...failures(count) });
    const { indexes } = jobPicture(
      indexed({ backoffLimitPerIndex: 1, podFailurePolicy, status: { failedIndexes: "3" } }),
      [pod("a", 0, 1, 0), pod("b", 1, 1, 1), pod("c", 2, 42, 0), pod("d", 0, 7, 1)],
      none,
    );
    expect(printIndexes(indexes?.failed ?? [])).toBe("1-3");
  });

  it("J069: keeps the last failed pod of each open index", () => {
    const failed = (name: string, index: number, count: number, endedAgo: number): ReturnType<typeof jobPod> =>
      jobPod({ name, index, phase: "Failed", endedAgo, ...failures(count) });
    const pods = [
      failed("a", 0, 0, 30),
      failed("b", 0, 1, 20),
      failed("c", 0, 1, 25),
      failed("d", 1, 0, 9),
      jobPod({ name: "e", index: 1 }),
      failed("f", 2, 0, 9),
      jobPod({ name: "g", index: 2, phase: "Succeeded" }),
      failed("h", 3, 5, 9),
    ];
    const { indexes } = jobPicture(indexed({ backoffLimitPerIndex: 5 }), pods, none);
    expect([...(indexes?.waiting ?? [])].map(([index, kept]) => [index, uidOf(kept), completionIndex(kept)])).toEqual([[0, "b", 0]]);
  });
});
