import type { Job } from "@drover/api/batch/v1";
import type { Pod } from "@drover/api/core/v1";
import type { Change } from "@drover/cache";
import { newConflict, objectKey, objectKeyOf } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { AbsentOwners } from "../garbage-collector/absent-owners.ts";
import type { PodView } from "../shared/pod-state.ts";
import { syncedInformer } from "../testing/synced-informer.ts";
import { echoServer } from "../testing/echo-server.ts";
import { job, jobPod } from "./testing/running-job.ts";
import type { JobView } from "./job-view.ts";
import { freeOrphan, orphanPodHandler, orphansOfJob } from "./orphan-pods.ts";

const over = job({ status: { conditions: [{ type: "Complete", status: "True" }] } });
const without = (pod: PodView): PodView => ({ ...pod, metadata: { ...pod.metadata, ownerReferences: [] } });
const ofOther = (pod: PodView): PodView => ({
  ...pod,
  metadata: { ...pod.metadata, ownerReferences: [{ apiVersion: "example.com/v1", kind: "Job", name: "work", uid: "x", controller: true }] },
});

async function freed(
  pod: PodView,
  cached: readonly JobView[],
  live?: JobView,
  absent = new AbsentOwners({ now: () => 0 }),
): Promise<readonly string[]> {
  const server = echoServer();
  if (live !== undefined) server.objects.set("jobs/work", live);
  await freeOrphan(
    { key: objectKeyOf(pod), client: server.client },
    { jobs: await syncedInformer<Job>(...cached), pods: await syncedInformer<Pod>(pod), absent },
  );
  return server.requests();
}
const free = "PATCH pods/work-1";

describe("freeOrphan", () => {
  it("J057: releases a pod without a controller, or of a finished Job", async () => {
    expect([await freed(without(jobPod()), []), await freed(jobPod(), [over])]).toEqual([[free], [free]]);
  });

  it("J057: keeps pods of a running Job, of another manager or kind, and pods that are already released", async () => {
    expect([
      await freed(jobPod(), [job()]),
      await freed(jobPod(), [job({ managedBy: "example.com/other", status: over.status as NonNullable<Job["status"]> })]),
      await freed(ofOther(jobPod()), []),
      await freed(without(jobPod({ isTracked: false })), []),
    ]).toEqual([[], [], [], []]);
  });

  it("J057: releases pods of a Job that is gone or replaced by a namesake, and asks the server once", async () => {
    const absent = new AbsentOwners({ now: () => 0 });
    expect([await freed(jobPod(), [], undefined, absent), await freed(jobPod(), [], undefined, absent)]).toEqual([
      ["GET jobs/work", free],
      [free],
    ]);
    expect(await freed(jobPod(), [job({ uid: "later" })], job({ uid: "later" }))).toEqual(["GET jobs/work", free]);
  });

  it("keeps a pod of a Job that the cache has not seen yet", async () => {
    expect(await freed(jobPod(), [], job())).toEqual(["GET jobs/work"]);
  });

  it("releases only the observed version, and retries after a conflict", async () => {
    const server = echoServer(() => newConflict({ group: "", resource: "pods" }, "work-1", "changed"));
    const pod = without(jobPod());
    await expect(
      freeOrphan(
        { key: objectKeyOf(pod), client: server.client },
        { jobs: await syncedInformer<Job>(), pods: await syncedInformer<Pod>(pod), absent: new AbsentOwners({ now: () => 0 }) },
      ),
    ).rejects.toThrow("changed");
    expect(server.asked).toMatchObject([{ body: { metadata: { uid: "work-1", resourceVersion: "1" } } }]);
    expect(
      await freeOrphan(
        { key: objectKey("gone", "shop"), client: server.client },
        { jobs: await syncedInformer<Job>(), pods: await syncedInformer<Pod>(), absent: new AbsentOwners({ now: () => 0 }) },
      ),
    ).toEqual({ type: "done" });
  });
});

describe("orphanPodHandler", () => {
  const added = (pod: PodView): Change<Pod> => ({ type: "added", key: objectKeyOf(pod), uid: "u", object: pod, isInInitialList: false });
  const handled = async (pod: PodView, ...jobs: readonly JobView[]): Promise<number> =>
    orphanPodHandler(await syncedInformer<Job>(...jobs))(added(pod)).length;

  it("enqueues pods with the finalizer, unless a cached Job will count them", async () => {
    expect(
      await Promise.all([handled(jobPod()), handled(jobPod(), over), handled(jobPod(), job()), handled(jobPod({ isTracked: false }))]),
    ).toEqual([1, 1, 0, 0]);
    expect(
      orphanPodHandler(await syncedInformer<Job>())({
        type: "deleted",
        key: objectKey("a"),
        uid: "u",
        object: jobPod(),
        isFinalStateUnknown: false,
      }),
    ).toEqual([]);
  });

  it("enqueues the pods of a Job that finishes or is deleted", async () => {
    const pods = await syncedInformer<Pod>(jobPod({ name: "held" }), jobPod({ name: "free", isTracked: false }));
    const change = { key: objectKey("work", "shop"), uid: "work-uid" };
    const keys = (of: Change<Job>): readonly string[] => orphansOfJob(pods)(of).map(({ key }) => key);
    expect(keys({ type: "deleted", ...change, object: job(), isFinalStateUnknown: false })).toEqual(["shop/held"]);
    expect(keys({ type: "updated", ...change, before: job(), object: over, isResync: false })).toEqual(["shop/held"]);
    expect(keys({ type: "updated", ...change, before: job(), object: job(), isResync: false })).toEqual([]);
  });
});
