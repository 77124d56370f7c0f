/** ReplicaSets on a server: the number of pods is restored, whatever happens to them. */
import { ReplicaSet } from "@drover/api/apps/v1";
import { Pod } from "@drover/api/core/v1";
import type { TransportWrapper } from "@drover/client";
import { jsonResponse, statusResponse } from "@drover/client/testing";
import { compareBytes, newForbidden } from "@drover/machinery";
import { afterEach, describe, expect, it } from "vitest";
import { manualScene, template } from "../../packages/controller-manager/src/testing/manager-scene.ts";
import type { Scene, SceneOptions } from "../../packages/controller-manager/src/testing/manager-scene.ts";
import { describeScenes } from "./stages.ts";

const only = { controllers: ["replicaset"] };
const sizeIs = (scene: Scene, count: number): Promise<void> =>
  scene.until(
    `${count} pods`,
    async () => (await scene.activePods()).length === count && (await scene.client.get(ReplicaSet, "web")).status?.replicas === count,
  );

const names = async (scene: Scene): Promise<readonly string[]> =>
  (await scene.activePods()).map(({ metadata: { name = "" } }) => name).toSorted(compareBytes);

describeScenes("a ReplicaSet", (open) => {
  it("creates its pods, counts them, and records an Event for each", { timeout: 60_000 }, async () => {
    const scene = await open(only);
    await scene.createReplicaSet("web", { replicas: 3 });
    await sizeIs(scene, 3);
    await scene.runPods();
    await scene.until("available", async () => (await scene.client.get(ReplicaSet, "web")).status?.availableReplicas === 3);
    expect((await scene.client.get(ReplicaSet, "web")).status).toMatchObject({
      replicas: 3,
      fullyLabeledReplicas: 3,
      readyReplicas: 3,
      observedGeneration: 1,
      terminatingReplicas: 0,
    });
    const pods = await scene.list(Pod);
    await scene.until("events", async () => (await scene.events()).length === 3);
    expect((await scene.events()).toSorted()).toEqual(
      pods.map(({ metadata }) => `SuccessfulCreate Created pod: ${metadata.name}`).toSorted(),
    );
    for (const { metadata } of pods) {
      expect(metadata).toMatchObject({
        generateName: "web-",
        labels: { app: "web" },
        ownerReferences: [{ apiVersion: "apps/v1", kind: "ReplicaSet", name: "web", controller: true, blockOwnerDeletion: true }],
      });
      expect(metadata.managedFields?.[0]?.manager).toBe("kube-controller-manager");
    }
  });

  it("scales up and down, and deletes pods that are not running first", { timeout: 60_000 }, async () => {
    const scene = await open(only);
    await scene.createReplicaSet("web", { replicas: 2 });
    await sizeIs(scene, 2);
    await scene.runPods();
    const first = await names(scene);
    await scene.change(ReplicaSet, "web", { spec: { replicas: 5 } });
    await sizeIs(scene, 5);
    await scene.change(ReplicaSet, "web", { spec: { replicas: 2 } });
    await sizeIs(scene, 2);
    expect(await names(scene)).toEqual(first);
    await scene.change(ReplicaSet, "web", { spec: { replicas: 0 } });
    await sizeIs(scene, 0);
  });

  it("replaces pods that are deleted, fail, or disappear while the controller is down", { timeout: 60_000 }, async () => {
    const scene = await open(only);
    await scene.createReplicaSet("web", { replicas: 3 });
    await sizeIs(scene, 3);
    const [deleted, failed] = await scene.list(Pod);
    await scene.client.delete(Pod, deleted?.metadata.name ?? "");
    await scene.client.resource(Pod).status.patch(failed?.metadata.name ?? "", { type: "merge", body: { status: { phase: "Failed" } } });
    await sizeIs(scene, 3);
    const left = new Set(await names(scene));
    expect([left.has(deleted?.metadata.name ?? ""), left.has(failed?.metadata.name ?? "")]).toEqual([false, false]);
  });

  it("adopts matching pods, and releases its own that no longer match", { timeout: 60_000 }, async () => {
    const scene = await open(only);
    await scene.client.create(Pod, {
      metadata: { name: "orphan", labels: { app: "web" } },
      spec: { containers: [{ name: "web", image: "web:1" }] },
    });
    const {
      metadata: { uid },
    } = await scene.createReplicaSet("web", { replicas: 2 });
    await sizeIs(scene, 2);
    expect((await scene.client.get(Pod, "orphan")).metadata.ownerReferences).toMatchObject([
      { uid, controller: true, blockOwnerDeletion: true },
    ]);
    await scene.change(Pod, "orphan", { metadata: { labels: { app: "other" } } });
    await scene.until("released", async () => (await scene.client.get(Pod, "orphan")).metadata.ownerReferences === undefined);
    await scene.until(
      "replaced",
      async () => (await scene.activePods()).filter(({ metadata }) => metadata.labels?.["app"] === "web").length === 2,
    );
  });

  it("that is being deleted is left alone", { timeout: 60_000 }, async () => {
    const scene = await open(only);
    await scene.client.create(ReplicaSet, {
      metadata: { name: "web", finalizers: ["example.com/wait"] },
      spec: { replicas: 2, selector: { matchLabels: { app: "web" } }, template: template() },
    });
    await sizeIs(scene, 2);
    await scene.client.delete(ReplicaSet, "web", { propagationPolicy: "Orphan" });
    for (const { metadata } of await scene.list(Pod)) await scene.client.delete(Pod, metadata.name ?? "", { gracePeriodSeconds: 0 });
    await scene.until("noticed", async () => (await scene.client.get(ReplicaSet, "web")).status?.replicas === 0);
    await scene.settle(500);
    expect(await scene.activePods()).toEqual([]);
  });

  it("continues after a restart of the controller", { timeout: 60_000 }, async () => {
    const scene = await open(only);
    await scene.createReplicaSet("web", { replicas: 3 });
    await sizeIs(scene, 3);
    await scene.restart();
    await scene.change(ReplicaSet, "web", { spec: { replicas: 1 } });
    await sizeIs(scene, 1);
  });
});

describe("a ReplicaSet, on our server and a manual clock", () => {
  const scenes: Scene[] = [];
  const open = async (options: SceneOptions = {}): ReturnType<typeof manualScene> => {
    const scene = await manualScene({ ...only, ...options });
    scenes.push(scene);
    return scene;
  };
  afterEach(async () => {
    for (const scene of scenes.splice(0)) await scene.close();
  });

  /** Refuses pods beyond a number, as a quota would. */
  const quota =
    (limit: { pods: number }): TransportWrapper =>
    (next) =>
    async (request) =>
      request.method === "POST" && request.path.includes("/pods") && limit.pods-- <= 0
        ? statusResponse(newForbidden({ group: "", resource: "pods" }, "", "exceeded quota"))
        : next(request);

  it("R003: that exceeds a quota reports it, retries with backoff, and reaches its size when there is room", async () => {
    const limit = { pods: 10 };
    const scene = await open({ wrapper: () => quota(limit) });
    await scene.createReplicaSet("web", { replicas: 20 });
    await scene.settle();
    expect(await scene.activePods()).toHaveLength(10);
    const { status } = await scene.client.get(ReplicaSet, "web");
    expect(status).toMatchObject({
      replicas: 10,
      conditions: [{ type: "ReplicaFailure", status: "True", reason: "FailedCreate", message: "pods is forbidden: exceeded quota" }],
    });
    expect(await scene.events()).toContain("FailedCreate Error creating: pods is forbidden: exceeded quota");
    const asked = -limit.pods;
    await scene.settle(10_000);
    // 5 ms, doubled each time: about ten attempts of one pod each in ten seconds.
    expect(-limit.pods - asked).toBeLessThan(15);
    limit.pods = 100;
    await scene.settle(20_000);
    expect(await scene.activePods()).toHaveLength(20);
    expect((await scene.client.get(ReplicaSet, "web")).status).toMatchObject({ replicas: 20 });
    expect((await scene.client.get(ReplicaSet, "web")).status?.conditions).toBeUndefined();
  });

  it("R014: of more than a burst creates and deletes pods in batches of 500", { timeout: 120_000 }, async () => {
    const waves: number[] = [];
    let inWave = 0;
    const counting: TransportWrapper = (next) => async (request) => {
      if (/^(?:POST|DELETE)$/.test(request.method) && request.path.includes("/pods")) inWave++;
      if (request.path.endsWith("/replicasets/web/status") && inWave > 0) {
        waves.push(inWave);
        inWave = 0;
      }
      return next(request);
    };
    const scene = await open({ wrapper: () => counting });
    await scene.createReplicaSet("web", { replicas: 510 });
    await scene.settle();
    await scene.change(ReplicaSet, "web", { spec: { replicas: 0 } });
    await scene.settle();
    expect(waves).toEqual([500, 10, 500, 10]);
    expect(await scene.list(Pod)).toEqual([]);
  });

  it("R024: counts a pod as available after minReadySeconds, and syncs at that time", async () => {
    const scene = await open();
    await scene.createReplicaSet("web", { replicas: 1, minReadySeconds: 5 });
    await scene.settle();
    await scene.runPods();
    await scene.settle();
    const available = async (): Promise<number> => (await scene.client.get(ReplicaSet, "web")).status?.availableReplicas ?? 0;
    expect([await available(), (await scene.client.get(ReplicaSet, "web")).status?.readyReplicas]).toEqual([0, 1]);
    await scene.settle(4500);
    expect(await available()).toBe(0);
    await scene.settle(600);
    expect(await available()).toBe(1);
  });

  /** Answers that pods were created, and creates none. */
  const lying =
    (lies: { isOn: boolean }): TransportWrapper =>
    (next) =>
    async (request) => {
      if (!lies.isOn || request.method !== "POST" || !request.path.includes("/pods")) return next(request);
      const pod = JSON.parse(request.body as string) as Pod;
      return jsonResponse(
        { ...pod, metadata: { ...pod.metadata, namespace: "shop", name: "lie", uid: "lie", resourceVersion: "1" } },
        { status: 201 },
      );
    };

  it("R004: waits for the pods it created, creates no others, and gives up after five minutes", async () => {
    const lies = { isOn: true };
    const scene = await open({ wrapper: () => lying(lies) });
    await scene.createReplicaSet("web", { replicas: 2 });
    await scene.settle();
    lies.isOn = false;
    await scene.change(ReplicaSet, "web", { metadata: { annotations: { look: "again" } } });
    await scene.settle(290_000);
    expect(await scene.activePods()).toEqual([]);
    // Five minutes after the last sync, which had waited for the cache.
    await scene.settle(21_000);
    expect(await scene.activePods()).toHaveLength(2);
  });

  it("R016, R017: that is re-created under its name is not blocked by old expectations", async () => {
    const lies = { isOn: true };
    const scene = await open({ wrapper: () => lying(lies) });
    await scene.createReplicaSet("web", { replicas: 2 });
    await scene.settle();
    lies.isOn = false;
    await scene.client.delete(ReplicaSet, "web");
    await scene.createReplicaSet("web", { replicas: 1 });
    // A sync waits for the cache for ten seconds at most; expectations would last five minutes.
    await scene.settle(11_000);
    expect(await scene.activePods()).toHaveLength(1);
  });

  it("whose create requests succeed without an answer ends with the desired number of pods", async () => {
    let lost = 3;
    const losing: TransportWrapper = (next) => async (request) => {
      const response = await next(request);
      if (request.method === "POST" && request.path.includes("/pods") && lost-- > 0) throw new Error("the connection was reset");
      return response;
    };
    const scene = await open({ wrapper: () => losing });
    await scene.createReplicaSet("web", { replicas: 4 });
    await scene.settle(5000);
    expect(await scene.activePods()).toHaveLength(4);
    expect((await scene.client.get(ReplicaSet, "web")).status).toMatchObject({ replicas: 4 });
  });

  it("with the parity preset sends twenty requests per second after a burst of thirty", async () => {
    const scene = await open({ preset: "parity" });
    await scene.createReplicaSet("web", { replicas: 100 });
    await scene.settle(1000);
    const after = (await scene.activePods()).length;
    expect(after).toBeGreaterThan(40);
    expect(after).toBeLessThan(52);
    await scene.settle(3000);
    expect(await scene.activePods()).toHaveLength(100);
  });
});
