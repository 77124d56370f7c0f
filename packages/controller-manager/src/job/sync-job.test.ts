import type { Job } from "@drover/api/batch/v1";
import type { Pod } from "@drover/api/core/v1";
import { newConflict, newInternalError, objectKey } from "@drover/machinery";
import type { Status } from "@drover/machinery";
import { Expectations } from "@drover/patterns";
import { describe, expect, it } from "vitest";
import type { PodView } from "../shared/pod-state.ts";
import { syncedInformer } from "../testing/synced-informer.ts";
import { echoServer } from "../testing/echo-server.ts";
import { job, jobPod, jobPods } from "./testing/running-job.ts";
import type { JobParts } from "./testing/running-job.ts";
import { recordingEvents } from "../testing/recording-events.ts";
import { ago } from "../testing/workload-objects.ts";
import { JobMemory } from "./job-memory.ts";
import type { JobView } from "./job-view.ts";
import { syncJob } from "./sync-job.ts";

const key = objectKey("work", "shop");
const write = "PUT jobs/work/status";

interface Scene {
  readonly pods?: readonly PodView[];
  readonly refuse?: (what: string, count: number) => Status | undefined;
  readonly prepare?: (expectations: Expectations, memory: JobMemory) => void;
  readonly batchMs?: number;
}

interface Synced {
  readonly requests: readonly string[];
  readonly result: unknown;
  readonly told: readonly string[];
  /** The last status that was written. */
  readonly status: NonNullable<Job["status"]> | undefined;
  /** "FailureTarget, Failed" */
  readonly says: string;
  readonly expectations: Expectations;
}

async function synced(of: JobView | undefined, { pods = [], refuse, prepare = () => undefined, batchMs = 0 }: Scene = {}): Promise<Synced> {
  const server = echoServer(refuse);
  const [expectations, memory, events] = [new Expectations({ clock: server.clock }), new JobMemory(), recordingEvents()];
  prepare(expectations, memory);
  if (of !== undefined) server.objects.set("jobs/work", of);
  const result = await syncJob(
    { key, client: server.client, signal: new AbortController().signal },
    {
      jobs: await syncedInformer<Job>(...(of === undefined ? [] : [of])),
      pods: await syncedInformer<Pod>(...pods),
      expectations,
      memory,
      events,
      clock: server.clock,
      burst: 500,
      uncountedMax: 500,
      backoffTimes: { baseMs: 10_000, capMs: 600_000 },
      batchMs,
      expectationsMs: 300_000,
    },
  ).catch((error: unknown) => error);
  const status = server.asked.findLast(({ what }) => what === write)?.body["status"] as Synced["status"];
  return {
    requests: server.requests(),
    result,
    told: events.told,
    status,
    expectations,
    says: (status?.conditions ?? []).map((each) => (each.status === "True" ? each.type : `not ${each.type}`)).join(", "),
  };
}

const unmet = (expectations: Expectations): void => expectations.expectCreations(key, 2);
const running = (count: number): readonly PodView[] => jobPods(count, { name: "running" });
const done = { type: "done" };

describe("syncJob", () => {
  it("does nothing for a Job that is gone, finished, managed elsewhere, or of an unknown mode", async () => {
    const gone = await synced(undefined, { prepare: unmet });
    expect([gone.requests, gone.result, gone.expectations.satisfied(key)]).toEqual([[], done, true]);
    for (const of of [job({ status: { conditions: [{ type: "Failed", status: "True" }] } }), job({ managedBy: "example.com/other" })])
      expect((await synced(of)).requests).toEqual([]);
    const odd = await synced(job({ completionMode: "Odd" as "Indexed" }));
    expect([odd.requests, odd.told]).toEqual([[], ["Warning UnknownCompletionMode Skipped Job sync because completion mode is unknown"]]);
  });

  it("J001: sets the start time, creates pods, and writes how many are active", async () => {
    const { startTime: _, ...status } = job().status ?? {};
    const { requests, status: written, result } = await synced({ ...job({ parallelism: 2, completions: 5 }), status });
    expect(requests).toEqual(["POST pods", "POST pods", write]);
    expect([written, result]).toEqual([{ startTime: ago(0), active: 2, ready: 0, terminating: 0, uncountedTerminatedPods: {} }, done]);
  });

  it("J004: writes nothing without a change", async () => {
    const pods = [jobPod({ name: "a", isReady: true }), jobPod({ name: "b", isReady: true }), jobPod({ name: "c" })];
    expect(
      (
        await synced(
          job({ parallelism: 3, completions: 5, status: { active: 3, ready: 2, terminating: 0, uncountedTerminatedPods: {} } }),
          { pods },
        )
      ).requests,
    ).toEqual([]);
  });

  it("J006: counts terminating pods as failed, or waits for their end", async () => {
    const pods = jobPods(2, { name: "leaving", isDeleting: true });
    expect((await synced(job({ parallelism: 2, completions: 2 }), { pods })).status).toMatchObject({ failed: 2, terminating: 2 });
    const waiting = await synced(job({ parallelism: 2, completions: 2, podReplacementPolicy: "Failed" }), { pods });
    expect([waiting.requests, waiting.status?.failed, waiting.status?.terminating]).toEqual([[write], undefined, 2]);
  });

  it("J008: requeues for when failed pods may be replaced, with preset parity not before its batch period", async () => {
    const pods = [jobPod({ name: "failed", phase: "Failed", endedAgo: 4 }), ...running(1)];
    expect((await synced(job({ parallelism: 2, completions: 5 }), { pods })).result).toEqual({ type: "after", afterMs: 6000 });
    expect((await synced(job({ parallelism: 2, completions: 5 }), { pods, batchMs: 9000 })).result).toEqual({
      type: "after",
      afterMs: 9000,
    });
  });

  it("J017: writes twice and releases five pods when all are done", async () => {
    const { requests, says, status, told } = await synced(job({ parallelism: 2, completions: 5 }), {
      pods: jobPods(5, { name: "done", phase: "Succeeded" }),
    });
    expect([requests[0], requests.at(-1), requests.filter((what) => what.startsWith("PATCH")).length, requests.length]).toEqual([
      write,
      write,
      5,
      7,
    ]);
    expect([says, status?.succeeded, told]).toEqual(["SuccessCriteriaMet, Complete", 5, ["Normal Completed Job completed"]]);
  });

  it("J021: creates nothing for a Job that is being deleted and releases all its pods", async () => {
    const { requests } = await synced(job({ parallelism: 4, isDeleting: true }), { pods: running(2) });
    expect(requests.filter((what) => what !== write)).toEqual(["PATCH pods/running-0", "PATCH pods/running-1"]);
  });

  it("J023, J028: deletes running pods of a failed Job, counts them, and finishes when none is left", async () => {
    const failed = jobPod({ name: "failed", phase: "Failed" });
    expect(await synced(job({ backoffLimit: 0 }), { pods: [failed] })).toMatchObject({
      says: "FailureTarget, Failed",
      status: { failed: 1 },
      told: ["Warning BackoffLimitExceeded Job has reached the specified backoff limit"],
    });
    const indexed = job({ backoffLimit: 0, completionMode: "Indexed", completions: 3, parallelism: 2, status: { completedIndexes: "0" } });
    const { says, status, requests } = await synced(indexed, {
      pods: [jobPod({ name: "failed", phase: "Failed", index: 1 }), jobPod({ name: "runs", index: 2 })],
    });
    expect([says, status?.completedIndexes, status?.failed, status?.active, status?.terminating]).toEqual([
      "FailureTarget",
      "0",
      2,
      undefined,
      1,
    ]);
    expect(requests).toEqual(["DELETE pods/runs", write, "PATCH pods/failed", "PATCH pods/runs", write]);
  });

  it("J024: is not finished while expectations are unmet, but counts failures", async () => {
    const { says, status, result } = await synced(job({ backoffLimit: 0 }), {
      pods: [jobPod({ name: "failed", phase: "Failed" })],
      prepare: unmet,
    });
    expect([says, status?.failed, result]).toEqual(["", 1, { type: "after", afterMs: 300_001 }]);
  });

  it("is not finished while a pod could not be deleted", async () => {
    const { says, status, result } = await synced(job({ backoffLimit: 0 }), {
      pods: [jobPod({ name: "failed", phase: "Failed" }), ...running(2)],
      refuse: (what) => (what === "DELETE pods/running-1" ? newInternalError("away") : undefined),
    });
    expect([says, status?.active, status?.terminating, result]).toEqual(["", 1, 1, expect.objectContaining({ type: "retry" })]);
  });

  it("J033: suspends a Job, not while expectations are unmet, and not one that is being deleted", async () => {
    const rests = await synced(job({ suspend: true, parallelism: 2 }), { pods: running(2) });
    expect([rests.says, rests.status?.startTime, rests.status?.active, rests.told.at(-1)]).toEqual([
      "Suspended",
      undefined,
      undefined,
      "Normal Suspended Job suspended",
    ]);
    expect((await synced(job({ suspend: true, parallelism: 2 }), { pods: running(2), prepare: unmet })).says).toBe("");
    expect((await synced(job({ suspend: true, parallelism: 2, isDeleting: true }), { pods: running(2) })).says).toBe("");
  });

  it("J034: resumes with a new start time", async () => {
    const conditions = [{ type: "Suspended", status: "True", reason: "JobSuspended", message: "Job suspended" }];
    const goes = await synced(job({ parallelism: 2, activeDeadlineSeconds: 90, status: { conditions, startTime: ago(80) } }));
    expect([goes.says, goes.status?.startTime, goes.status?.active, goes.told.at(-1), goes.result]).toEqual([
      "not Suspended",
      ago(0),
      2,
      "Normal Resumed Job resumed",
      { type: "after", afterMs: 90_000 },
    ]);
  });

  it("J047: requeues for its deadline", async () => {
    expect((await synced(job({ activeDeadlineSeconds: 90 }))).result).toEqual({ type: "after", afterMs: 30_000 });
    const over = await synced(job({ activeDeadlineSeconds: 10 }), { pods: running(1) });
    expect([over.says, over.status?.failed, over.status?.terminating, over.result]).toEqual(["FailureTarget", 1, 1, done]);
    expect((await synced(job({ activeDeadlineSeconds: 10 }))).says).toBe("FailureTarget, Failed");
    const kept = await synced(job({ activeDeadlineSeconds: 10 }), { prepare: unmet });
    expect([kept.says, kept.result]).toEqual(["", { type: "after", afterMs: 300_001 }]);
  });

  it("J053: retries a failed status write, without an error after a conflict", async () => {
    for (const refusal of [newInternalError("away"), newConflict({ group: "batch", resource: "jobs" }, "work", "changed")]) {
      expect((await synced(job(), { refuse: (what) => (what === write ? refusal : undefined) })).result).toBeInstanceOf(Error);
    }
  });

  it("J061: does not count released pods again while the cache lags behind", async () => {
    const pods = jobPods(1, { name: "done", phase: "Succeeded" });
    const written = job({
      completions: 3,
      version: "5",
      status: { succeeded: 1, active: 1, ready: 0, terminating: 0, uncountedTerminatedPods: {} },
    });
    const { requests } = await synced(job({ completions: 3 }), {
      pods: [...pods, ...running(1)],
      prepare: (_, memory) => {
        memory.wrote(written, 0);
        memory.expectFreed(written, ["done-0"]);
      },
    });
    expect(requests).toEqual([]);
  });

  it("adopts matching pods with the finalizer, after the server confirms that the Job exists", async () => {
    const { metadata, ...orphan } = jobPod({ name: "orphan", isTracked: false });
    const { requests } = await synced(job(), { pods: [{ ...orphan, metadata: { ...metadata, ownerReferences: [] } }] });
    expect(requests.slice(0, 2)).toEqual(["GET jobs/work", "PATCH pods/orphan"]);
  });

  it("stops at an invalid selector", async () => {
    const of: JobParts = { selector: { matchExpressions: [{ key: "a", operator: "Odd" as "In" }] } };
    expect((await synced(job(of))).result).toMatchObject({
      type: "stop",
      reason: expect.stringContaining("couldn't convert Job selector") as string,
    });
  });
});
