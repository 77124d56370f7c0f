/** Jobs with a time to live after they finish. */
import { Job } from "@drover/api/batch/v1";
import { formatTime, parseTime } from "@drover/machinery";
import { afterEach, describe, expect, it } from "vitest";
import { manualScene } from "../../packages/controller-manager/src/testing/manager-scene.ts";
import type { ManualScene, Scene } from "../../packages/controller-manager/src/testing/manager-scene.ts";
import { describeScenes } from "./stages.ts";

const only = { controllers: ["ttl-after-finished"] };
const template: NonNullable<Job["spec"]>["template"] = {
  spec: { restartPolicy: "Never", containers: [{ name: "once", image: "once:1" }] },
};

/** A Job that ended this many seconds before its creation, so that no test waits. */
async function createEnded(
  scene: Scene,
  name: string,
  ttl: number | undefined,
  { secondsAgo = 0, how = "Complete" }: { readonly secondsAgo?: number; readonly how?: "Complete" | "Failed" } = {},
): Promise<Job> {
  const job = await scene.client.create(Job, {
    metadata: { name },
    spec: { template, ...(ttl === undefined ? {} : { ttlSecondsAfterFinished: ttl }) },
  });
  const at = formatTime(parseTime(job.metadata.creationTimestamp ?? "") - secondsAgo * 1000);
  const conditions = [how === "Complete" ? "SuccessCriteriaMet" : "FailureTarget", how].map((type) => ({
    type,
    status: "True",
    lastProbeTime: at,
    lastTransitionTime: at,
  }));
  const end = how === "Complete" ? { completionTime: at, succeeded: 1 } : { failed: 1 };
  return await scene.client
    .resource(Job)
    .status.patch(name, { type: "merge", body: { status: { startTime: at, conditions, uncountedTerminatedPods: {}, ...end } } });
}

/** Deleted in the foreground: it exists until its pods are gone. */
const isGoing = async (scene: Scene, name: string): Promise<boolean> => {
  const { metadata } = await scene.client.get(Job, name);
  return metadata.deletionTimestamp !== undefined && metadata.finalizers?.includes("foregroundDeletion") === true;
};

describeScenes("a finished Job with a TTL", (open) => {
  it("is deleted, its pods first, after its TTL, whether it succeeded or failed", { timeout: 60_000 }, async () => {
    const scene = await open(only);
    await createEnded(scene, "good", 10, { secondsAgo: 10 });
    await createEnded(scene, "bad", 0, { how: "Failed" });
    await scene.until("both go", async () => (await isGoing(scene, "good")) && (await isGoing(scene, "bad")));
  });

  it("stays without a TTL, before its TTL, and while it runs", { timeout: 60_000 }, async () => {
    const scene = await open(only);
    await createEnded(scene, "kept", undefined, { secondsAgo: 1000 });
    await createEnded(scene, "young", 1000);
    await scene.client.create(Job, { metadata: { name: "running" }, spec: { ttlSecondsAfterFinished: 0, template } });
    await createEnded(scene, "last", 0);
    await scene.until("the last goes", () => isGoing(scene, "last"));
    for (const name of ["kept", "young", "running"]) expect(await isGoing(scene, name)).toBe(false);
  });

  it("is deleted as soon as its TTL is shortened", { timeout: 60_000 }, async () => {
    const scene = await open(only);
    await createEnded(scene, "once", 1000, { secondsAgo: 100 });
    await scene.settle();
    await scene.change(Job, "once", { spec: { ttlSecondsAfterFinished: 5 } });
    await scene.until("it goes", () => isGoing(scene, "once"));
  });
});

describe("a finished Job with a TTL, on a manual clock", () => {
  let scene: ManualScene | undefined;
  afterEach(async () => await scene?.close());

  it("is deleted at its TTL and not before, and later when its TTL is extended", { timeout: 60_000 }, async () => {
    scene = await manualScene(only);
    await createEnded(scene, "once", 60);
    await createEnded(scene, "longer", 60);
    await scene.settle(30_000);
    await scene.change(Job, "longer", { spec: { ttlSecondsAfterFinished: 120 } });
    await scene.settle(29_000);
    expect(await isGoing(scene, "once")).toBe(false);
    await scene.settle(1000);
    expect([await isGoing(scene, "once"), await isGoing(scene, "longer")]).toEqual([true, false]);
    await scene.settle(60_000);
    expect(await isGoing(scene, "longer")).toBe(true);
  });
});
