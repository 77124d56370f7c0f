/**
 * The same story played with kube-controller-manager and with ours, on real API servers: the resulting Deployments and
 * ReplicaSets must be equal, field by field, except for hashes and times.
 */
import { Deployment, ReplicaSet } from "@drover/api/apps/v1";
import { Pod } from "@drover/api/core/v1";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { template } from "../../packages/controller-manager/src/testing/manager-scene.ts";
import { realScene } from "../controller-manager/real-scene.ts";
import type { Scene } from "../../packages/controller-manager/src/testing/manager-scene.ts";
import { realClusterMissing, startRealCluster } from "../servers/real-cluster.ts";
import { startRealServer } from "../servers/real-server.ts";
import type { RealServer } from "../servers/real-server.ts";
import { realTransport } from "../servers/real-transport.ts";

type Story = (scene: Scene) => Promise<void>;

const change = (scene: Scene, spec: object): Promise<unknown> => scene.change(Deployment, "web", { spec });

/** Until all pods are new and available, and both controllers have reported it. */
const rollOut: Story = (scene) =>
  scene.until("the rollout is over", async () => {
    await scene.runPods();
    const { metadata, spec, status } = await scene.client.get(Deployment, "web");
    const isThere = [status?.updatedReplicas, status?.replicas, status?.availableReplicas].every(
      (count) => (count ?? 0) === spec?.replicas,
    );
    return (
      isThere &&
      status?.observedGeneration === metadata.generation &&
      status?.conditions?.some(({ reason }) => reason === "NewReplicaSetAvailable") === true
    );
  });
const sizesAre = (scene: Scene, sizes: Readonly<Record<string, number>>): Promise<void> =>
  scene.until(JSON.stringify(sizes), async () => JSON.stringify(await scene.sizes()) === JSON.stringify(sizes));

const stories: Readonly<Record<string, Story>> = {
  "a rollout": async (scene) => {
    await scene.createDeployment("web", { replicas: 3 });
    await rollOut(scene);
  },
  "a second rollout, and annotations that come later": async (scene) => {
    await scene.createDeployment("web", { replicas: 3 });
    await rollOut(scene);
    await scene.change(Deployment, "web", {
      metadata: { annotations: { note: "later" } },
      spec: { template: template("web:2"), minReadySeconds: 1 },
    });
    await rollOut(scene);
    await sizesAre(scene, { 1: 0, 2: 3 });
  },
  "a rollout that is stuck, and a resize in it": async (scene) => {
    await scene.createDeployment("web", {
      replicas: 10,
      strategy: { type: "RollingUpdate", rollingUpdate: { maxSurge: 3, maxUnavailable: 2 } },
    });
    await rollOut(scene);
    await change(scene, { template: template("broken:1") });
    await sizesAre(scene, { 1: 8, 2: 5 });
    await change(scene, { replicas: 15 });
    await sizesAre(scene, { 1: 11, 2: 7 });
    await scene.until(
      "pods",
      async () => (await scene.activePods()).length === 18 && (await scene.client.get(Deployment, "web")).status?.replicas === 18,
    );
  },
  "a pause, a resize and a template in it, and going on": async (scene) => {
    await scene.createDeployment("web", { replicas: 2 });
    await rollOut(scene);
    await change(scene, { paused: true });
    await change(scene, { replicas: 3, template: template("web:2") });
    await sizesAre(scene, { 1: 3 });
    await change(scene, { paused: false });
    await rollOut(scene);
    await sizesAre(scene, { 1: 0, 2: 3 });
  },
  "a rollback by annotation": async (scene) => {
    await scene.createDeployment("web", { replicas: 1 });
    await rollOut(scene);
    await change(scene, { template: template("web:2") });
    await rollOut(scene);
    await scene.change(Deployment, "web", { metadata: { annotations: { "deprecated.deployment.rollback.to": "1" } } });
    await scene.until(
      "rolled back",
      async () => (await scene.client.get(Deployment, "web")).metadata.annotations?.["deprecated.deployment.rollback.to"] === undefined,
    );
    await rollOut(scene);
    await sizesAre(scene, { 2: 0, 3: 1 });
  },
  "Recreate, with a history of one": async (scene) => {
    await scene.createDeployment("web", { replicas: 2, revisionHistoryLimit: 1, strategy: { type: "Recreate" } });
    await rollOut(scene);
    for (const image of ["web:2", "web:3"]) {
      await change(scene, { template: template(image) });
      await rollOut(scene);
    }
    await sizesAre(scene, { 2: 0, 3: 2 });
  },
  "no pods at all": async (scene) => {
    await scene.createDeployment("web", { replicas: 0 });
    await rollOut(scene);
    await sizesAre(scene, { 1: 0 });
  },
};

/** The result without what cannot be equal: uids, versions, times, hashes and names made from them. */
async function left(scene: Scene): Promise<unknown> {
  const sets = await scene.list(ReplicaSet);
  const revisions = new Map(
    sets.map(({ metadata: { name = "", annotations = {} } }) => [name, annotations["deployment.kubernetes.io/revision"] ?? ""]),
  );
  const words = (value: unknown): unknown =>
    JSON.parse(
      JSON.stringify(value, (key, field: unknown) =>
        /^(?:uid|resourceVersion|creationTimestamp|managedFields|last\w+Time|generateName|namespace)$/.test(key) ? undefined : field,
      )
        .replace(/web-[a-z0-9]{4,10}(?=\\?")/g, (name) => `web-#${revisions.get(name) ?? "?"}`)
        .replace(/"pod-template-hash":"\w+"/g, '"pod-template-hash":"#"'),
    );
  const pods = await scene.list(Pod);
  return {
    deployment: words(await scene.client.get(Deployment, "web")),
    sets: sets
      .map(words)
      .map((set) => JSON.stringify(set))
      .toSorted((a, b) => (a < b ? -1 : 1))
      .map((set) => JSON.parse(set) as unknown),
    pods: pods
      .map(({ metadata: { labels = {}, ownerReferences = [] } }) => words([Object.keys(labels), ownerReferences]))
      .map((pod) => JSON.stringify(pod))
      .toSorted((a, b) => (a < b ? -1 : 1)),
    told: [...new Set((await scene.events()).map((event) => event.split(" ", 1)[0]))]
      .filter((reason) => reason !== "FailedScheduling")
      .toSorted((a = "", b = "") => (a < b ? -1 : 1)),
  };
}

describe("Deployments and ReplicaSets after a story", () => {
  const missing = realClusterMissing();
  const servers: RealServer[] = [];
  beforeAll(async () => {
    if (missing === undefined) servers.push(...(await Promise.all([startRealCluster(), startRealServer()])));
  }, 120_000);
  afterAll(async () => {
    for (const server of servers) await server.stop();
  }, 60_000);
  beforeEach((ctx) => {
    if (missing !== undefined) ctx.skip(missing);
  });

  let count = 0;
  async function play(server: RealServer | undefined, controllers: readonly string[], story: Story): Promise<unknown> {
    if (server === undefined) throw new Error("no server");
    const scene = await realScene({ ...server, transport: (deps) => realTransport(server, deps) }, `parity-${count++}`, { controllers });
    try {
      await story(scene);
      await scene.settle(500);
      await scene.controllerManager.events.flush();
      return await left(scene);
    } finally {
      await scene.close();
    }
  }

  it.each(Object.keys(stories))("equal those of kube-controller-manager: %s", { timeout: 120_000 }, async (name) => {
    const story = stories[name] ?? (() => Promise.resolve());
    const [theirs, ours] = await Promise.all([play(servers[0], [], story), play(servers[1], ["deployment", "replicaset"], story)]);
    expect(ours).toEqual(theirs);
  });
});
