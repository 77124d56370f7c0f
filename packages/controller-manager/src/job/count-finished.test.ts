import { describe, expect, it } from "vitest";
import type { PodView } from "../shared/pod-state.ts";
import { job, jobPod, jobPods } from "./testing/running-job.ts";
import type { JobParts } from "./testing/running-job.ts";
import { start } from "../testing/workload-objects.ts";
import { countFinished, countFreed } from "./count-finished.ts";
import type { FinishedCount } from "./count-finished.ts";
import { completionsReached } from "./job-end.ts";
import type { JobEnd } from "./job-end.ts";
import { jobPicture, uidOf } from "./job-picture.ts";

const failing: JobEnd = { type: "FailureTarget", status: "True", reason: "Why", message: "so" };

function counted(parts: JobParts, pods: readonly PodView[], end?: JobEnd): FinishedCount {
  const of = job(parts);
  return countFinished(jobPicture(of, pods, new Set()), of.status ?? {}, { end, uncountedMax: 500, now: start });
}
const free = ({ free: pods }: FinishedCount): readonly string[] => pods.map(uidOf);
const ended = [jobPod({ name: "s", phase: "Succeeded" }), jobPod({ name: "f", phase: "Failed" }), jobPod({ name: "r" })];

describe("countFinished", () => {
  it("J041: records pods before it releases them", () => {
    const result = counted({ status: { succeeded: 3 } }, ended);
    expect([result.status.uncountedTerminatedPods, result.status.succeeded, result.status.failed, free(result), result.hasMore]).toEqual([
      { succeeded: ["s"], failed: ["f"] },
      3,
      undefined,
      ["s", "f"],
      false,
    ]);
  });

  it("J041: turns recorded pods without the finalizer into counts", () => {
    const result = counted({ status: { succeeded: 1, uncountedTerminatedPods: { succeeded: ["gone", "s"], failed: ["freed"] } } }, [
      ...ended,
      jobPod({ name: "freed", phase: "Failed", isTracked: false }),
    ]);
    expect(result.status).toMatchObject({ succeeded: 2, failed: 1, uncountedTerminatedPods: { succeeded: ["s"], failed: ["f"] } });
    expect(free(result)).toEqual(["s", "f"]);
  });

  it("J041: changes nothing without finished pods", () => {
    const { status } = job({ status: { succeeded: 1, uncountedTerminatedPods: { failed: ["r"] } } });
    expect(countFreed(status ?? {}, [jobPod({ name: "r" })])).toBe(status);
  });

  it("J043: records all pods when the Job fails, running ones as failed; when it succeeds, running ones do not count", () => {
    const fails = counted({}, ended, failing);
    expect([fails.status.uncountedTerminatedPods, free(fails), fails.status.conditions?.map(({ type }) => type)]).toEqual([
      { succeeded: ["s"], failed: ["f", "r"] },
      ["s", "f", "r"],
      ["FailureTarget"],
    ]);
    const succeeds = counted({}, ended, completionsReached);
    expect([succeeds.status.uncountedTerminatedPods, free(succeeds), succeeds.status.conditions?.map(({ type }) => type)]).toEqual([
      { succeeded: ["s"], failed: ["f"] },
      ["s", "f", "r"],
      ["SuccessCriteriaMet"],
    ]);
  });

  it("J021, J043: counts pods of a Job that is being deleted and releases its other pods", () => {
    const result = counted({ isDeleting: true }, ended);
    expect([result.status.uncountedTerminatedPods, free(result)]).toEqual([{ succeeded: ["s"], failed: ["f"] }, ["s", "f", "r"]]);
  });

  it("J044: records at most 500 pods, including those already recorded", () => {
    const status = { uncountedTerminatedPods: { failed: ["old"] } };
    const result = counted({ status }, [jobPod({ name: "old", phase: "Failed" }), ...jobPods(500, { name: "done", phase: "Succeeded" })]);
    expect([
      result.status.uncountedTerminatedPods?.succeeded?.length,
      result.status.uncountedTerminatedPods?.failed,
      result.free.length,
      result.hasMore,
    ]).toEqual([499, ["old"], 500, true]);
  });

  it("keeps the recorded outcome of a pod that later reports another", () => {
    expect(
      counted({ status: { uncountedTerminatedPods: { failed: ["s"] } } }, [jobPod({ name: "s", phase: "Succeeded" })]).status
        .uncountedTerminatedPods,
    ).toEqual({ failed: ["s"] });
  });

  it("releases pods that a policy ignores without counting them", () => {
    const podFailurePolicy = { rules: [{ action: "Ignore" as const, onExitCodes: { operator: "In" as const, values: [7] } }] };
    const result = counted({ podFailurePolicy }, [jobPod({ name: "f", phase: "Failed", exitCode: 7, endedAgo: 1 })]);
    expect([result.status.uncountedTerminatedPods, free(result)]).toEqual([{}, ["f"]]);
  });
});

describe("countFinished of an Indexed Job", () => {
  const indexed: JobParts = { completionMode: "Indexed", completions: 600 };

  it("J027, J028: counts indexes, to which adding twice does no harm", () => {
    const result = counted({ ...indexed, status: { completedIndexes: "0", succeeded: 1 } }, [
      jobPod({ name: "b", phase: "Succeeded", index: 2 }),
      jobPod({ name: "a", phase: "Succeeded", index: 1 }),
      jobPod({ name: "z", phase: "Succeeded", index: 0 }),
      jobPod({ name: "f", phase: "Failed", index: 3 }),
    ]);
    expect(result.status).toMatchObject({ succeeded: 3, completedIndexes: "0-2", uncountedTerminatedPods: { failed: ["f"] } });
    expect([result.status.failedIndexes, free(result)]).toEqual([undefined, ["z", "a", "b", "f"]]);
  });

  it("J032: ignores pods without an index or with one out of range", () => {
    const result = counted(indexed, [
      jobPod({ name: "none", phase: "Failed" }),
      jobPod({ name: "odd", phase: "Succeeded", index: "x" }),
      jobPod({ name: "beyond", phase: "Failed", index: 600 }),
    ]);
    expect(result.status).toMatchObject({ succeeded: 0, completedIndexes: "", uncountedTerminatedPods: {} });
    expect(free(result).toSorted()).toEqual(["beyond", "none", "odd"]);
  });

  it("J044: releases 500 pods at a time, lowest index first", () => {
    const pods = Array.from({ length: 501 }, (_, index) => jobPod({ name: `done-${index}`, phase: "Succeeded", index }));
    const first = counted(indexed, pods.toReversed());
    expect([first.free.length, first.hasMore, first.free.at(-1)?.metadata.name, first.status.completedIndexes]).toEqual([
      500,
      true,
      "done-499",
      "0-500",
    ]);
    const second = counted({ ...indexed, status: first.status as NonNullable<JobParts["status"]> }, pods.slice(500));
    expect([free(second), second.hasMore, second.status.succeeded]).toEqual([["done-500"], false, 501]);
  });

  it("J052, J069: keeps a failed pod until its index has another, unless the index failed for good", () => {
    const limited: JobParts = { completionMode: "Indexed", completions: 3, backoffLimitPerIndex: 1 };
    const [first, last] = [
      jobPod({ name: "first", phase: "Failed", index: 0, endedAgo: 9 }),
      jobPod({ name: "last", phase: "Failed", index: 0, endedAgo: 1, annotations: { "batch.kubernetes.io/job-index-failure-count": "1" } }),
    ];
    expect(free(counted(limited, [first]))).toEqual([]);
    expect(free(counted(limited, [first, jobPod({ name: "next", index: 0 })]))).toEqual(["first"]);
    const given = counted(limited, [first, last]);
    expect([free(given), given.status.failedIndexes, given.status.uncountedTerminatedPods?.failed]).toEqual([
      ["first", "last"],
      "0",
      ["first", "last"],
    ]);
    expect(counted(limited, []).status.failedIndexes).toBe("");
  });
});
