import { Job } from "@drover/api/batch/v1";
import type { Pod } from "@drover/api/core/v1";
import type { Change } from "@drover/cache";
import { objectKey, objectKeyOf } from "@drover/machinery";
import { ManualClock } from "@drover/machinery/testing";
import { Expectations } from "@drover/patterns";
import { describe, expect, it } from "vitest";
import { ownerFinder } from "../shared/owner-finder.ts";
import type { PodView } from "../shared/pod-state.ts";
import { syncedInformer } from "../testing/synced-informer.ts";
import { job, jobPod } from "./testing/running-job.ts";
import { JobMemory } from "./job-memory.ts";
import { jobPodHandler } from "./job-pod-handler.ts";

const key = objectKey("work", "shop");

async function stage(): Promise<{
  readonly expectations: Expectations;
  readonly memory: JobMemory;
  readonly tell: (change: Change<Pod>) => readonly string[];
}> {
  const [expectations, memory] = [new Expectations({ clock: new ManualClock() }), new JobMemory()];
  const handler = jobPodHandler(expectations, memory, ownerFinder(await syncedInformer<Job>(job()), Job));
  return { expectations, memory, tell: (change) => handler(change).map((request) => request.key) };
}
const of = (pod: PodView): { readonly key: ReturnType<typeof objectKeyOf>; readonly uid: string } => ({
  key: objectKeyOf(pod),
  uid: pod.metadata.uid ?? "",
});
const added = (pod: PodView): Change<Pod> => ({ type: "added", ...of(pod), object: pod, isInInitialList: false });
const updated = (before: PodView, pod: PodView): Change<Pod> => ({ type: "updated", ...of(pod), before, object: pod, isResync: false });
const deleted = (pod: PodView, isFinalStateUnknown = false): Change<Pod> => ({
  type: "deleted",
  ...of(pod),
  object: pod,
  isFinalStateUnknown,
});
const orphan = (pod: PodView): PodView => ({ ...pod, metadata: { ...pod.metadata, ownerReferences: [] } });

describe("jobPodHandler", () => {
  it("J056: meets an expectation with an added pod; an orphan enqueues every matching Job", async () => {
    const { expectations, tell } = await stage();
    expectations.expectCreations(key, 1);
    expect([tell(added(orphan(jobPod()))), expectations.satisfied(key)]).toEqual([["shop/work"], false]);
    expect([tell(added(jobPod())), expectations.satisfied(key)]).toEqual([["shop/work"], true]);
  });

  it("J056: meets an expectation with a deleted pod once, whether its deletion was observed or missed", async () => {
    for (const change of [deleted(jobPod()), deleted(jobPod(), true), updated(jobPod(), jobPod({ isDeleting: true }))]) {
      const { expectations, tell } = await stage();
      expectations.expectDeletions(key, [objectKey("work-1", "shop"), objectKey("work-2", "shop")]);
      expect([tell(change), tell(change), expectations.satisfied(key)]).toEqual([["shop/work"], ["shop/work"], false]);
    }
  });

  it("J061: records a pod without the finalizer, or a deleted one, as released", async () => {
    for (const [change, isFreed] of [
      [updated(jobPod(), jobPod({ isTracked: false })), true],
      [deleted(jobPod()), true],
      [updated(jobPod(), orphan(jobPod({ isTracked: false }))), true],
      [updated(jobPod(), jobPod({ isDeleting: true })), false],
    ] as const) {
      const { memory, tell } = await stage();
      memory.expectFreed(job(), ["work-1"]);
      tell(change);
      expect(memory.freeing(job()).has("work-1")).toBe(!isFreed);
    }
  });
});
