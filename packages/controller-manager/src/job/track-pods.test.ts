import { formatTime, newForbidden, newInternalError, newNotFound } from "@drover/machinery";
import type { Status } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import type { PodView } from "../shared/pod-state.ts";
import { echoServer } from "../testing/echo-server.ts";
import { job, jobPod } from "./testing/running-job.ts";
import type { JobParts } from "./testing/running-job.ts";
import { recordingEvents } from "../testing/recording-events.ts";
import { completionsReached } from "./job-end.ts";
import type { JobEnd } from "./job-end.ts";
import { JobMemory } from "./job-memory.ts";
import { jobPicture } from "./job-picture.ts";
import { trackPods } from "./track-pods.ts";

const failing: JobEnd = { type: "FailureTarget", status: "True", reason: "Why", message: "so" };
const pods = { group: "", resource: "pods" };

interface Tracked {
  readonly requests: readonly string[];
  /** The statuses that were written, in order. */
  readonly written: readonly unknown[];
  readonly result: unknown;
  readonly told: readonly string[];
  readonly memory: JobMemory;
}

async function tracked(
  parts: JobParts,
  held: readonly PodView[],
  { end, refuse }: { readonly end?: JobEnd; readonly refuse?: (what: string, count: number) => Status | undefined } = {},
): Promise<Tracked> {
  const { client, clock, asked, requests } = echoServer(refuse);
  const [of, events, memory] = [job(parts), recordingEvents(), new JobMemory()];
  const result = await trackPods(of, of.status ?? {}, jobPicture(of, held, new Set()), {
    client,
    clock,
    events,
    memory,
    end,
    backoff: { failures: 4, lastFailure: 1 },
    uncountedMax: 500,
  }).catch((error: unknown) => error);
  return {
    requests: requests(),
    written: asked.filter(({ what }) => what.startsWith("PUT")).map(({ body }) => body["status"]),
    result,
    told: events.told,
    memory,
  };
}

const uncountedTerminatedPods = {};
const ended = [jobPod({ name: "s", phase: "Succeeded" }), jobPod({ name: "f", phase: "Failed" })];
const write = "PUT jobs/work/status";

describe("trackPods", () => {
  it("J041: writes nothing without finished pods", async () => {
    expect((await tracked({ status: { uncountedTerminatedPods, ready: 0 } }, [jobPod()])).requests).toEqual([]);
  });

  it("J041: records pods, releases them, and only then counts them", async () => {
    const { requests, written, memory } = await tracked({ status: { uncountedTerminatedPods } }, ended);
    expect(requests).toEqual([write, "PATCH pods/s", "PATCH pods/f", write]);
    expect(written).toMatchObject([
      { uncountedTerminatedPods: { succeeded: ["s"], failed: ["f"] } },
      { succeeded: 1, failed: 1, uncountedTerminatedPods: {} },
    ]);
    expect(written[0]).not.toHaveProperty("succeeded");
    expect([[...memory.freeing(job())], memory.backoff(job()).failures]).toEqual([["s", "f"], 4]);
    expect(memory.newest(job(), 0).metadata.resourceVersion).toBe("1004");
  });

  it("J042: releases none when recording fails", async () => {
    const { requests, result } = await tracked({ status: { uncountedTerminatedPods } }, ended, { refuse: () => newInternalError("away") });
    expect([requests, result]).toEqual([[write], expect.objectContaining({ message: expect.stringContaining("away") as string })]);
  });

  it("J042: counts released pods when another failed, and retries", async () => {
    const { written, result, memory } = await tracked({ status: { uncountedTerminatedPods } }, ended, {
      refuse: (what) => (what === "PATCH pods/f" ? newForbidden(pods, "f", "no") : undefined),
    });
    expect(written[1]).toMatchObject({ succeeded: 1, uncountedTerminatedPods: { failed: ["f"] } });
    expect([result, [...memory.freeing(job())]]).toEqual([{ error: expect.anything() as unknown }, ["s"]]);
  });

  it("J042: counts a pod that is gone as released", async () => {
    const { written, result } = await tracked({ status: { uncountedTerminatedPods } }, ended, {
      refuse: (what) => (what === "PATCH pods/f" ? newNotFound(pods, "f") : undefined),
    });
    expect([written[1], result]).toEqual([expect.objectContaining({ succeeded: 1, failed: 1 }), {}]);
  });

  it("J043: finishes the Job only with the second write", async () => {
    const complete = await tracked({ status: { uncountedTerminatedPods } }, ended, { end: completionsReached });
    const types = (status: unknown): readonly string[] =>
      ((status as { readonly conditions?: readonly { readonly type: string }[] }).conditions ?? []).map(({ type }) => type);
    expect(complete.written.map(types)).toEqual([["SuccessCriteriaMet"], ["SuccessCriteriaMet", "Complete"]]);
    expect(complete.written[1]).toMatchObject({ completionTime: formatTime(echoServer().clock.now()) });
    expect(complete.told).toEqual(["Normal Completed Job completed"]);
    const failed = await tracked({ status: { uncountedTerminatedPods } }, ended, { end: failing });
    expect(failed.written.map(types)).toEqual([["FailureTarget"], ["FailureTarget", "Failed"]]);
    expect(failed.told).toEqual(["Warning Why so"]);
  });

  it("J046: does not finish it while a pod is terminating or uncounted", async () => {
    const waiting = await tracked({ status: { uncountedTerminatedPods, terminating: 1 } }, ended, { end: failing });
    expect([JSON.stringify(waiting.written.at(-1)).includes('"Failed"'), waiting.told]).toEqual([false, []]);
    const kept = await tracked({ status: { uncountedTerminatedPods } }, ended, {
      end: failing,
      refuse: (what) => (what === "PATCH pods/f" ? newForbidden(pods, "f", "no") : undefined),
    });
    expect([JSON.stringify(kept.written.at(-1)).includes('"Failed"'), kept.told]).toEqual([false, []]);
  });

  it("records an event when more succeeded than requested", async () => {
    const { told } = await tracked({ completions: 1, status: { succeeded: 2, uncountedTerminatedPods } }, [], { end: completionsReached });
    expect(told).toEqual([
      "Warning TooManySucceededPods Too many succeeded pods running after completion count reached",
      "Normal Completed Job completed",
    ]);
  });
});
