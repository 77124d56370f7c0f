/** Pods on a server that only the pod garbage collector deletes. */
import { Node, Pod } from "@drover/api/core/v1";
import type { Taint } from "@drover/api/core/v1";
import { newPodGarbageCollector } from "@drover/controller-manager";
import { compareBytes } from "@drover/machinery";
import { afterEach, describe, expect, it } from "vitest";
import { manualScene } from "../../packages/controller-manager/src/testing/manager-scene.ts";
import type { ManualScene, Scene } from "../../packages/controller-manager/src/testing/manager-scene.ts";
import { describeScenes } from "./stages.ts";

const only = { controllers: ["podgc"] };
const spec = { containers: [{ name: "web", image: "web:1" }] };
const outOfService: Taint = { key: "node.kubernetes.io/out-of-service", effect: "NoExecute" };

const create = (scene: Scene, name: string, more: Partial<NonNullable<Pod["spec"]>> = {}): Promise<Pod> =>
  scene.client.create(Pod, { metadata: { name }, spec: { ...spec, ...more } });
const names = async (scene: Scene): Promise<readonly string[]> =>
  (await scene.list(Pod)).map(({ metadata: { name = "" } }) => name).toSorted(compareBytes);
const setPhase = (scene: Scene, name: string, phase: "Failed" | "Running" | "Succeeded"): Promise<Pod> =>
  scene.client.resource(Pod).status.patch(name, { type: "merge", body: { status: { phase } } });

describeScenes("the pod garbage collector", (open) => {
  const cleanUps: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const cleanUp of cleanUps.splice(0)) await cleanUp();
  });

  async function addNode(scene: Scene, name: string, ...taints: readonly Taint[]): Promise<void> {
    await scene.client.create(Node, { metadata: { name } });
    await scene.client.patch(Node, name, { type: "merge", body: { spec: { taints: [...taints] } } });
    cleanUps.push(() => scene.client.delete(Node, name).catch(() => undefined));
  }

  it("deletes terminating pods of an out-of-service node, and no others", { timeout: 90_000 }, async () => {
    const scene = await open(only);
    await addNode(scene, "out", outOfService);
    await addNode(scene, "silent");
    for (const on of ["out", "silent"]) for (const what of ["goes", "stays"]) await create(scene, `${on}-${what}`, { nodeName: on });
    for (const on of ["out", "silent"]) await scene.client.delete(Pod, `${on}-goes`);
    await scene.until("out of service", async () => !(await names(scene)).includes("out-goes"));
    expect(await names(scene)).toEqual(["out-stays", "silent-goes", "silent-stays"]);
    for (const name of await names(scene)) await scene.client.delete(Pod, name, { gracePeriodSeconds: 0 });
  });

  it("keeps pods with finalizers, and marks them as failed", { timeout: 90_000 }, async () => {
    const scene = await open(only);
    await scene.client.create(Pod, { metadata: { name: "held", finalizers: ["example.com/wait"] }, spec });
    await scene.client.delete(Pod, "held");
    await scene.until("failed", async () => (await scene.client.get(Pod, "held")).status?.phase === "Failed");
    await scene.change(Pod, "held", { metadata: { finalizers: null } });
    await scene.until("gone", async () => (await names(scene)).length === 0);
  });
});

describe("the pod garbage collector, on our server and a manual clock", () => {
  const scenes: ManualScene[] = [];
  const open = async (options: Parameters<typeof manualScene>[0] = only): Promise<ManualScene> => {
    const scene = await manualScene(options);
    scenes.push(scene);
    return scene;
  };
  afterEach(async () => {
    for (const scene of scenes.splice(0)) await scene.close();
  });

  it("deletes pods forty seconds after their node is gone, with a condition that says why", async () => {
    const scene = await open();
    await scene.client.create(Node, { metadata: { name: "there" } });
    await scene.client.create(Pod, { metadata: { name: "lost", finalizers: ["example.com/wait"] }, spec: { ...spec, nodeName: "gone" } });
    await create(scene, "fine", { nodeName: "there" });
    for (const name of ["lost", "fine"]) await setPhase(scene, name, "Running");
    await scene.settle(39_000);
    expect((await scene.client.get(Pod, "lost")).status?.phase).toBe("Running");
    await scene.settle(42_000);
    const { metadata, status } = await scene.client.get(Pod, "lost");
    expect(metadata.deletionTimestamp).toBeDefined();
    expect(status).toMatchObject({
      phase: "Failed",
      conditions: expect.arrayContaining([
        expect.objectContaining({
          type: "DisruptionTarget",
          status: "True",
          reason: "DeletionByPodGC",
          message: "PodGC: node no longer exists",
        }),
      ]) as unknown,
    });
    expect((await scene.client.get(Pod, "fine")).status?.phase).toBe("Running");
    expect(scene.complaints()).toEqual([]);
  });

  it("keeps pods whose node comes back in time", async () => {
    const scene = await open();
    await create(scene, "web", { nodeName: "late" });
    await scene.settle(39_000);
    await scene.client.create(Node, { metadata: { name: "late" } });
    await scene.settle(200_000);
    expect(await names(scene)).toEqual(["web"]);
  });

  it("deletes the oldest finished pods when there are too many", async () => {
    const scene = await open({ known: [newPodGarbageCollector({ terminatedMax: 2 })] });
    for (const name of ["d", "c", "b", "a"]) {
      await create(scene, name);
      if (name !== "c") await setPhase(scene, name, name === "d" ? "Succeeded" : "Failed");
      await scene.settle(2000);
    }
    await scene.settle(20_000);
    expect(await names(scene)).toEqual(["a", "b", "c"]);
  });
});
