/** Deployments on a server: rollouts, rollbacks and resizes, with pods that become ready when the test says so. */
import { Deployment, ReplicaSet } from "@drover/api/apps/v1";
import { Pod } from "@drover/api/core/v1";
import type { TransportWrapper } from "@drover/client";
import { statusResponse } from "@drover/client/testing";
import { newForbidden } from "@drover/machinery";
import { templateHash } from "../../packages/controller-manager/src/shared/template-hash.ts";
import { afterEach, describe, expect, it } from "vitest";
import { manualScene, template } from "../../packages/controller-manager/src/testing/manager-scene.ts";
import type { Scene, SceneOptions } from "../../packages/controller-manager/src/testing/manager-scene.ts";
import { describeScenes } from "./stages.ts";

const both = { controllers: ["replicaset", "deployment"] };
const condition = async (
  scene: Scene,
  type: string,
): Promise<{ readonly status?: string; readonly reason?: string; readonly message?: string } | undefined> =>
  (await scene.client.get(Deployment, "web")).status?.conditions?.find((one) => one.type === type);
const reasonIs = (scene: Scene, reason: string): Promise<void> =>
  scene.until(reason, async () => (await condition(scene, "Progressing"))?.reason === reason);

/** Makes pods ready until the rollout is complete, with a check at each step. */
async function rollOut(scene: Scene, look: () => Promise<void> = () => Promise.resolve()): Promise<void> {
  await scene.until("the rollout is over", async () => {
    await scene.runPods();
    await look();
    const { metadata, spec, status } = await scene.client.get(Deployment, "web");
    return (
      status?.observedGeneration === metadata.generation &&
      (status?.updatedReplicas ?? 0) === spec?.replicas &&
      (status?.replicas ?? 0) === spec?.replicas &&
      (status?.availableReplicas ?? 0) === spec?.replicas &&
      status?.conditions?.some(({ type, reason }) => type === "Progressing" && reason === "NewReplicaSetAvailable") === true
    );
  });
}

const images = async (scene: Scene): Promise<readonly string[]> => [
  ...new Set((await scene.activePods()).map(({ spec }) => spec?.containers[0]?.image ?? "")),
];

describeScenes("a Deployment", (open) => {
  it("rolls out and over with enough pods available at any time", { timeout: 120_000 }, async () => {
    const scene = await open(both);
    await scene.createDeployment("web", { replicas: 4 });
    await rollOut(scene);
    expect(await scene.sizes()).toEqual({ 1: 4 });
    expect(await scene.client.get(Deployment, "web")).toMatchObject({
      metadata: { annotations: { "deployment.kubernetes.io/revision": "1" }, generation: 1 },
      status: {
        replicas: 4,
        updatedReplicas: 4,
        readyReplicas: 4,
        availableReplicas: 4,
        observedGeneration: 1,
        conditions: [
          { type: "Available", status: "True", reason: "MinimumReplicasAvailable" },
          { type: "Progressing", status: "True", reason: "NewReplicaSetAvailable" },
        ],
      },
    });
    await scene.change(Deployment, "web", { spec: { template: template("web:2") } });
    await rollOut(scene, async () => {
      // The surge counts what the ReplicaSets ask for; pods of the old one may still be there when those of the new one are created.
      expect(Object.values(await scene.sizes()).reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(5);
      expect(
        (await scene.activePods()).filter(({ status }) =>
          status?.conditions?.some(({ type, status: is }) => type === "Ready" && is === "True"),
        ).length,
      ).toBeGreaterThanOrEqual(3);
    });
    expect([await scene.sizes(), await images(scene)]).toEqual([{ 1: 0, 2: 4 }, ["web:2"]]);
    await scene.until("told", async () =>
      (await scene.events()).some((event) => /^ScalingReplicaSet Scaled down replica set web-[a-z0-9]+ from \d to 0$/.test(event)),
    );
  });

  it("that is paused does not roll out, and continues when it is resumed", { timeout: 120_000 }, async () => {
    const scene = await open(both);
    await scene.createDeployment("web", { replicas: 2 });
    await rollOut(scene);
    await scene.change(Deployment, "web", { spec: { paused: true } });
    await reasonIs(scene, "DeploymentPaused");
    await scene.change(Deployment, "web", { spec: { template: template("web:2"), replicas: 3 } });
    await scene.until("resized", async () => (await scene.sizes())["1"] === 3);
    await scene.settle(300);
    expect(await scene.sizes()).toEqual({ 1: 3 });
    await scene.change(Deployment, "web", { spec: { paused: false } });
    await rollOut(scene);
    expect([await scene.sizes(), await images(scene)]).toEqual([{ 1: 0, 2: 3 }, ["web:2"]]);
  });

  it("rolls back to an earlier template, by annotation or by an edit, and reuses its ReplicaSet", { timeout: 120_000 }, async () => {
    const scene = await open(both);
    await scene.createDeployment("web", { replicas: 1 });
    await rollOut(scene);
    const [first] = await scene.list(ReplicaSet);
    await scene.change(Deployment, "web", { spec: { template: template("web:2") } });
    await rollOut(scene);
    await scene.change(Deployment, "web", { metadata: { annotations: { "deprecated.deployment.rollback.to": "0" } } });
    await scene.until(
      "rolled back",
      async () => (await scene.client.get(Deployment, "web")).metadata.annotations?.["deprecated.deployment.rollback.to"] === undefined,
    );
    await rollOut(scene);
    expect([await scene.sizes(), await images(scene)]).toEqual([{ 2: 0, 3: 1 }, ["web:1"]]);
    expect((await scene.client.get(ReplicaSet, first?.metadata.name ?? "")).metadata.annotations).toMatchObject({
      "deployment.kubernetes.io/revision": "3",
      "deployment.kubernetes.io/revision-history": "1",
    });
    expect((await scene.client.get(Deployment, "web")).metadata.annotations?.["deployment.kubernetes.io/revision"]).toBe("3");
    await scene.until("told", async () => (await scene.events()).includes('DeploymentRollback Rolled back deployment "web" to revision 1'));
    await scene.change(Deployment, "web", { spec: { template: template("web:2") } });
    await rollOut(scene);
    expect(await scene.sizes()).toEqual({ 3: 0, 4: 1 });
  });

  it("with Recreate waits for all old pods to end before it creates new ones", { timeout: 120_000 }, async () => {
    const scene = await open(both);
    await scene.createDeployment("web", {
      replicas: 2,
      strategy: { type: "Recreate" },
      template: { ...template(), spec: { ...template().spec, containers: template().spec?.containers ?? [], nodeName: "node-1" } },
    });
    await rollOut(scene);
    await scene.change(Deployment, "web", {
      spec: {
        template: { metadata: { labels: { app: "web" } }, spec: { nodeName: "node-1", containers: [{ name: "web", image: "web:2" }] } },
      },
    });
    await scene.until("old ones end", async () =>
      (await scene.list(Pod)).every(({ metadata }) => metadata.deletionTimestamp !== undefined),
    );
    await scene.settle(300);
    expect((await scene.list(Pod)).map(({ spec }) => spec?.containers[0]?.image)).toEqual(["web:1", "web:1"]);
    await rollOut(scene);
    expect([await scene.sizes(), await images(scene)]).toEqual([{ 1: 0, 2: 2 }, ["web:2"]]);
  });

  it("that is resized during a rollout grows in proportion", { timeout: 120_000 }, async () => {
    const scene = await open(both);
    await scene.createDeployment("web", {
      replicas: 10,
      strategy: { type: "RollingUpdate", rollingUpdate: { maxSurge: 3, maxUnavailable: 2 } },
    });
    await rollOut(scene);
    await scene.change(Deployment, "web", { spec: { template: template("broken:1") } });
    await scene.until("stuck", async () => (await scene.sizes())["1"] === 8 && (await scene.sizes())["2"] === 5);
    await scene.change(Deployment, "web", { spec: { replicas: 15 } });
    await scene.until("resized", async () => (await scene.sizes())["1"] === 11 && (await scene.sizes())["2"] === 7);
  });

  it("keeps old ReplicaSets up to its history limit", { timeout: 120_000 }, async () => {
    const scene = await open(both);
    await scene.createDeployment("web", { replicas: 1, revisionHistoryLimit: 1 });
    await rollOut(scene);
    for (const image of ["web:2", "web:3", "web:4"]) {
      await scene.change(Deployment, "web", { spec: { template: template(image) } });
      await rollOut(scene);
    }
    await scene.until("cleaned up", async () => (await scene.list(ReplicaSet)).length === 2);
    expect(await scene.sizes()).toEqual({ 3: 0, 4: 1 });
  });

  it("with a name collision of its ReplicaSet chooses another name", { timeout: 120_000 }, async () => {
    const scene = await open(both);
    const dry = await scene.client.create(
      Deployment,
      { metadata: { name: "web" }, spec: { selector: { matchLabels: { app: "web" } }, template: template() } },
      { dryRun: "All" },
    );
    const name = `web-${templateHash(dry.spec?.template ?? {})}`;
    await scene.client.create(ReplicaSet, {
      metadata: { name },
      spec: { replicas: 0, selector: { matchLabels: { app: "other" } }, template: template("other:1", { app: "other" }) },
    });
    await scene.createDeployment("web", { replicas: 1 });
    await rollOut(scene);
    expect((await scene.client.get(Deployment, "web")).status?.collisionCount).toBe(1);
    expect(await scene.list(ReplicaSet)).toHaveLength(2);
  });

  it("adopts matching ReplicaSets, and releases its own that no longer match", { timeout: 120_000 }, async () => {
    const scene = await open(both);
    await scene.createReplicaSet("before", { replicas: 1 });
    await scene.createDeployment("web", { replicas: 1 });
    await scene.until("adopted", async () => (await scene.client.get(ReplicaSet, "before")).metadata.ownerReferences?.[0]?.name === "web");
    await rollOut(scene);
    expect(await scene.list(ReplicaSet)).toHaveLength(1);
    await scene.change(ReplicaSet, "before", { metadata: { labels: { app: "other" } } });
    await scene.until("released", async () => (await scene.client.get(ReplicaSet, "before")).metadata.ownerReferences === undefined);
    await scene.until("replaced", async () => (await scene.list(ReplicaSet)).length === 2);
  });
});

describe("a Deployment, on our server and a manual clock", () => {
  const scenes: Scene[] = [];
  const open = async (options: SceneOptions = {}): ReturnType<typeof manualScene> => {
    const scene = await manualScene({ ...both, ...options });
    scenes.push(scene);
    return scene;
  };
  afterEach(async () => {
    for (const scene of scenes.splice(0)) await scene.close();
  });

  it("that makes no progress within its deadline reports it, and recovers", async () => {
    const scene = await open();
    await scene.createDeployment("web", { replicas: 1, progressDeadlineSeconds: 30 });
    await scene.settle(29_000);
    expect(await condition(scene, "Progressing")).toMatchObject({ status: "True", reason: "ReplicaSetUpdated" });
    await scene.settle(3000);
    const { metadata } = (await scene.list(ReplicaSet))[0] ?? { metadata: {} };
    expect(await condition(scene, "Progressing")).toMatchObject({
      status: "False",
      reason: "ProgressDeadlineExceeded",
      message: `ReplicaSet "${metadata.name}" has timed out progressing.`,
    });
    expect(await condition(scene, "Available")).toMatchObject({ status: "False", reason: "MinimumReplicasUnavailable" });
    await rollOut(scene);
    expect(await condition(scene, "Progressing")).toMatchObject({ status: "True", reason: "NewReplicaSetAvailable" });
  });

  it("that is paused does not time out", async () => {
    const scene = await open();
    await scene.createDeployment("web", { replicas: 1, progressDeadlineSeconds: 30 });
    await scene.settle();
    await scene.change(Deployment, "web", { spec: { paused: true } });
    await scene.settle(120_000);
    expect(await condition(scene, "Progressing")).toMatchObject({ status: "Unknown", reason: "DeploymentPaused" });
    await scene.change(Deployment, "web", { spec: { paused: false } });
    await scene.settle(29_000);
    expect(await condition(scene, "Progressing")).toMatchObject({ reason: "DeploymentResumed" });
    await scene.settle(3000);
    expect(await condition(scene, "Progressing")).toMatchObject({ reason: "ProgressDeadlineExceeded" });
  });

  it("whose ReplicaSet is refused reports it, retries fifteen times, and again when it changes", async () => {
    const quota = { isFull: true, attempts: 0 };
    const full: TransportWrapper = (next) => async (request) => {
      if (!quota.isFull || request.method !== "POST" || !request.path.includes("/replicasets")) return next(request);
      quota.attempts++;
      return statusResponse(newForbidden({ group: "apps", resource: "replicasets" }, "", "exceeded quota"));
    };
    const scene = await open({ wrapper: () => full });
    await scene.createDeployment("web", { replicas: 1 });
    await scene.settle(400_000);
    expect(await condition(scene, "Progressing")).toMatchObject({
      status: "False",
      reason: "ReplicaSetCreateError",
      message: expect.stringMatching(
        /^Failed to create new replica set "web-[a-z0-9]+": replicasets.apps is forbidden: exceeded quota$/,
      ) as string,
    });
    expect(scene.controllerManager.manager.state().controllers.find(({ name }) => name === "deployment-controller")).toMatchObject({
      parked: 1,
    });
    // Observing its own write of the condition causes one more sync.
    expect(quota.attempts).toBeGreaterThanOrEqual(16);
    expect(quota.attempts).toBeLessThanOrEqual(18);
    quota.isFull = false;
    await scene.change(Deployment, "web", { metadata: { annotations: { look: "again" } } });
    await rollOut(scene);
  });

  it("rolls out without a retry and without warnings in the log", async () => {
    const scene = await open();
    await scene.createDeployment("web", { replicas: 8 });
    await rollOut(scene);
    await scene.change(Deployment, "web", { spec: { template: template("web:2") } });
    await rollOut(scene);
    expect(scene.complaints()).toEqual([]);
  });

  it("that is deleted takes its ReplicaSets and pods with it when all controllers run", async () => {
    const scene = await open({ controllers: ["*"] });
    await scene.createDeployment("web", { replicas: 2 });
    await rollOut(scene);
    await scene.client.delete(Deployment, "web");
    await scene.until("gone", async () => {
      await scene.runPods();
      return (await scene.list(ReplicaSet)).length === 0 && (await scene.list(Pod)).length === 0;
    });
  });

  it("sends no request while nothing changes", async () => {
    let requests = 0;
    const scene = await open({
      wrapper: () => (next) => async (request) => {
        if (request.method !== "GET") requests++;
        return next(request);
      },
    });
    await scene.createDeployment("web", { replicas: 2 });
    await rollOut(scene);
    await scene.settle(10_000);
    requests = 0;
    await scene.settle(3_600_000);
    expect(requests).toBe(0);
  });
});
