import { newForbidden, objectKey } from "@drover/machinery";
import type { Status } from "@drover/machinery";
import { Expectations } from "@drover/patterns";
import { describe, expect, it } from "vitest";
import type { PodView } from "../shared/pod-state.ts";
import { echoServer } from "../testing/echo-server.ts";
import { job, jobPod, jobPods } from "./testing/running-job.ts";
import type { JobParts } from "./testing/running-job.ts";
import { recordingEvents } from "../testing/recording-events.ts";
import { start } from "../testing/workload-objects.ts";
import { nextBackoff, noBackoff } from "./failure-backoff.ts";
import { jobPicture } from "./job-picture.ts";
import { manageJob } from "./manage-job.ts";
import type { Managed } from "./manage-job.ts";

const key = objectKey("work", "shop");
const pods = { group: "", resource: "pods" };
const quota: Status = newForbidden(pods, "", "exceeded quota");
const terminating: Status = {
  ...newForbidden(pods, "", "it is being terminated"),
  details: { causes: [{ reason: "NamespaceTerminating" }] },
};

interface Outcome extends Managed {
  /** "3 POST, 1 PATCH" */
  readonly asked: string;
  /** Of pods that were created. */
  readonly indexes: readonly (string | undefined)[];
  readonly isSatisfied: boolean;
}

async function managed(
  parts: JobParts,
  active: readonly PodView[],
  { refuse, burst = 500 }: { readonly refuse?: (what: string, count: number) => Status | undefined; readonly burst?: number } = {},
): Promise<Outcome> {
  const server = echoServer(refuse);
  const expectations = new Expectations({ clock: server.clock });
  const picture = jobPicture(job(parts), active, new Set());
  const result = await manageJob(picture, {
    control: { client: server.client, events: recordingEvents(), signal: new AbortController().signal },
    expectations,
    burst,
    now: start,
    backoff: nextBackoff(noBackoff, picture.newSucceeded, picture.newFailed),
    backoffTimes: { baseMs: 10_000, capMs: 600_000 },
  });
  const counts = ["POST", "PATCH", "DELETE"].map(
    (method) => [server.requests().filter((what) => what.startsWith(method)).length, method] as const,
  );
  return {
    ...result,
    asked: counts
      .filter(([count]) => count > 0)
      .map((each) => each.join(" "))
      .join(", "),
    isSatisfied: expectations.satisfied(key),
    indexes: server.asked
      .filter(({ what }) => what === "POST pods")
      .map(({ body }) => body.metadata.annotations?.["batch.kubernetes.io/job-completion-index"]),
  };
}

const running = (count: number): readonly PodView[] => jobPods(count, { name: "running" });

describe("manageJob", () => {
  it("J001, J002, J003: creates up to parallelism pods", async () => {
    expect(await managed({ parallelism: 2, completions: 5 }, [])).toMatchObject({ asked: "2 POST", active: 2, isSatisfied: false });
    expect(await managed({ parallelism: 2 }, [])).toMatchObject({ asked: "2 POST", active: 2 });
    expect(await managed({ parallelism: 2, completions: 5 }, jobPods(2, { name: "pending", phase: "Pending" }))).toMatchObject({
      asked: "",
      active: 2,
      isSatisfied: true,
    });
  });

  it("J004: creates only missing completions", async () => {
    expect(await managed({ parallelism: 3, completions: 4, status: { succeeded: 2 } }, running(1))).toMatchObject({
      asked: "1 POST",
      active: 2,
    });
    expect(await managed({ parallelism: 2, completions: 2, status: { succeeded: 3 } }, [])).toMatchObject({ asked: "", active: 0 });
  });

  it("J011, J012, J013: deletes surplus pods without counting them", async () => {
    expect(await managed({ parallelism: 2, completions: 5 }, running(3))).toMatchObject({
      asked: "1 PATCH, 1 DELETE",
      active: 2,
      terminating: 1,
      isSatisfied: false,
    });
    expect(await managed({ parallelism: 2, completions: 5 }, running(10))).toMatchObject({
      asked: "8 PATCH, 8 DELETE",
      active: 2,
      terminating: 8,
    });
    expect(await managed({ parallelism: 3, completions: 4, status: { succeeded: 2 } }, running(3))).toMatchObject({
      asked: "1 PATCH, 1 DELETE",
      active: 2,
    });
    expect(await managed({ parallelism: 0, completions: 4 }, running(3), { burst: 2 })).toMatchObject({
      asked: "2 PATCH, 2 DELETE",
      active: 1,
    });
  });

  it("J018: replaces no pod after a success without a number of completions", async () => {
    expect(await managed({ parallelism: 2, status: { succeeded: 1 } }, running(1))).toMatchObject({ asked: "", active: 1 });
  });

  it("J006, J007: replaces terminating pods, or with policy Failed only finished ones", async () => {
    const leaving = jobPods(4, { name: "leaving", isDeleting: true });
    expect(await managed({ parallelism: 2, completions: 2, podReplacementPolicy: "Failed" }, leaving.slice(0, 1))).toMatchObject({
      asked: "1 POST",
      active: 1,
      terminating: 1,
    });
    expect(await managed({ parallelism: 1, completions: 1, podReplacementPolicy: "Failed" }, leaving.slice(0, 1))).toMatchObject({
      asked: "",
      active: 0,
    });
    expect(await managed({ parallelism: 1, completions: 1, podReplacementPolicy: "Failed" }, [...leaving, ...running(2)])).toMatchObject({
      asked: "1 PATCH, 1 DELETE",
      active: 1,
      terminating: 5,
    });
  });

  it("J008, J009: waits after a failure and reports running pods", async () => {
    const failed = jobPod({ name: "failed", phase: "Failed", endedAgo: 4 });
    expect(await managed({ parallelism: 2, completions: 5 }, [failed, ...running(1)])).toMatchObject({
      asked: "",
      active: 1,
      waitMs: 6000,
      isSatisfied: true,
    });
    expect(await managed({ parallelism: 2, completions: 5 }, [jobPod({ name: "failed", phase: "Failed", endedAgo: 11 })])).toMatchObject({
      asked: "2 POST",
    });
  });

  it("J014: does not wait after a success", async () => {
    const ended = [jobPod({ name: "failed", phase: "Failed", endedAgo: 4 }), jobPod({ name: "done", phase: "Succeeded", endedAgo: 2 })];
    expect(await managed({ parallelism: 2, completions: 5 }, [...ended, ...running(1)])).toMatchObject({ asked: "1 POST", active: 2 });
  });

  it("J022: creates as many as the server accepts, and does not expect the others", async () => {
    const limited = await managed({ parallelism: 100, completions: 200 }, [], {
      refuse: (_what, count) => (count > 10 ? quota : undefined),
    });
    expect(limited).toMatchObject({
      asked: "15 POST",
      active: 10,
      isSatisfied: false,
      error: { message: "pods is forbidden: exceeded quota" },
    });
    expect(await managed({ parallelism: 100, completions: 200 }, [], { refuse: () => quota })).toMatchObject({
      asked: "1 POST",
      active: 0,
      isSatisfied: true,
    });
  });

  it("creates nothing in a terminating namespace, which is no failure", async () => {
    const going = await managed({ parallelism: 5 }, [], { refuse: () => terminating });
    expect([going.asked, going.active, going.isSatisfied, "error" in going]).toEqual(["1 POST", 0, true, false]);
  });

  it("reports pods that could not be deleted as running", async () => {
    expect(
      await managed({ parallelism: 0 }, running(2), { refuse: (what) => (what === "DELETE pods/running-1" ? quota : undefined) }),
    ).toMatchObject({ active: 1, terminating: 1, error: { message: "pods is forbidden: exceeded quota" }, isSatisfied: false });
  });

  it("J033: deletes pods of a suspended Job", async () => {
    expect(await managed({ parallelism: 2, suspend: true }, running(2))).toMatchObject({
      asked: "2 PATCH, 2 DELETE",
      active: 0,
      terminating: 2,
    });
    expect(await managed({ parallelism: 2, suspend: true }, [])).toMatchObject({ asked: "", active: 0 });
  });
});

describe("manageJob of an Indexed Job", () => {
  const indexed: JobParts = { completionMode: "Indexed", completions: 5, parallelism: 2 };

  it("J026: uses the lowest free indexes", async () => {
    expect(await managed(indexed, [])).toMatchObject({ indexes: ["0", "1"] });
    expect(await managed({ ...indexed, parallelism: 4, status: { completedIndexes: "1,3" } }, [jobPod({ index: 0 })])).toMatchObject({
      indexes: ["2", "4"],
      active: 3,
    });
    expect(await managed({ ...indexed, podReplacementPolicy: "Failed" }, [jobPod({ index: 0, isDeleting: true })])).toMatchObject({
      indexes: ["1"],
    });
  });

  it("J031: creates pods again for failed indexes", async () => {
    const failed = [0, 2].map((index) => jobPod({ name: `failed-${index}`, phase: "Failed", index, endedAgo: 60 }));
    expect(await managed({ ...indexed, parallelism: 3, completions: 3 }, [...failed, jobPod({ name: "one", index: 1 })])).toMatchObject({
      indexes: ["0", "2"],
    });
  });

  it("J032: deletes pods with a wrong index, and creates none in the same sync", async () => {
    expect(
      await managed(indexed, [
        jobPod({ name: "none" }),
        jobPod({ name: "beyond", index: 5 }),
        jobPod({ name: "a", index: 1 }),
        jobPod({ name: "b", index: 1 }),
      ]),
    ).toMatchObject({ asked: "3 PATCH, 3 DELETE", active: 1 });
  });

  it("J052: waits per index, and creates none for an index that failed for good", async () => {
    const limited: JobParts = { ...indexed, parallelism: 5, backoffLimitPerIndex: 3, status: { failedIndexes: "4" } };
    const failed = (index: number, endedAgo: number): PodView => jobPod({ name: `failed-${index}`, phase: "Failed", index, endedAgo });
    expect(await managed(limited, [failed(0, 4), failed(1, 30)])).toMatchObject({ indexes: ["1", "2", "3"], waitMs: 6000 });
    expect(await managed({ ...limited, completions: 2, parallelism: 2 }, [failed(0, 4), failed(1, 8)])).toMatchObject({
      asked: "",
      waitMs: 2000,
      active: 0,
    });
  });
});
