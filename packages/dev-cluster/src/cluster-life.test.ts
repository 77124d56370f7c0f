/** Pods, nodes and volumes of a simulated cluster over time, on our server and a manual clock. */
import { Deployment, StatefulSet } from "@drover/api/apps/v1";
import { Lease } from "@drover/api/coordination/v1";
import { Node, PersistentVolume, PersistentVolumeClaim, Pod } from "@drover/api/core/v1";
import { Event } from "@drover/api/events/v1";
import { PriorityClass } from "@drover/api/scheduling/v1";
import { conductAnnotations, startCluster } from "./index.ts";
import type { DevCluster, StartClusterOptions } from "./index.ts";
import type { Client } from "@drover/client";
import { testRuntime } from "@drover/machinery/testing";
import type { ManualClock } from "@drover/machinery/testing";
import { afterEach, describe, expect, it } from "vitest";

const clusters: { readonly cluster: DevCluster; readonly clock: ManualClock }[] = [];

/** In virtual time, with nodes of two cpus each. */
async function start(
  options: StartClusterOptions & { readonly names?: readonly string[] } = {},
): Promise<{ readonly cluster: DevCluster; readonly client: Client; readonly clock: ManualClock }> {
  const { names = ["node-1"], ...more } = options;
  const runtime = testRuntime();
  const { clock } = runtime;
  const cluster = await startCluster({ runtime, nodes: 0, ...more });
  clusters.push({ cluster, clock });
  for (const name of names) await addNode(cluster, name);
  return { cluster, client: cluster.client, clock };
}

const addNode = (cluster: DevCluster, name: string): Promise<void> =>
  cluster.kubelets.addNode({
    name,
    podCidr: `10.244.${name.at(-1) ?? "0"}.0/24`,
    address: `172.18.0.${name.at(-1) ?? "0"}`,
    resources: { cpu: "2" },
  });

afterEach(async () => {
  for (const { cluster, clock } of clusters.splice(0)) {
    const stopped = cluster.stop();
    await clock.advance(60_000);
    await stopped;
  }
}, 30_000);

const pod = (name: string, more: Partial<NonNullable<Pod["spec"]>> = {}, annotations: Record<string, string> = {}, cpu = "100m"): Pod => ({
  metadata: { name, namespace: "default", labels: { app: name }, annotations },
  spec: { containers: [{ name: "web", image: "web:1", resources: { requests: { cpu } } }], ...more },
});

const podsOf = async (client: Client): Promise<Readonly<Record<string, string>>> =>
  Object.fromEntries(
    (await client.list(Pod)).items.map(({ metadata: { name = "", deletionTimestamp }, spec, status }) => [
      name,
      deletionTimestamp === undefined ? `${status?.phase ?? ""} on ${spec?.nodeName ?? "no node"}` : "leaving",
    ]),
  );
const told = async (client: Client, reason: string): Promise<readonly (string | undefined)[]> =>
  (await client.list(Event)).items
    .filter((event) => event.reason === reason)
    .map(({ regarding, note }) => `${regarding?.name ?? ""}: ${note ?? ""}`);

describe("pods that lack resources", () => {
  it("preempt pods of lower priority, wait until they are gone, and take their place", { timeout: 30_000 }, async () => {
    const { client, clock } = await start();
    await client.create(PriorityClass, { metadata: { name: "high" }, value: 1000 });
    await client.create(Pod, pod("low", {}, { [conductAnnotations.stopAfter]: "20s" }, "1500m"));
    await clock.advance(1000);
    const {
      metadata: { uid = "" },
    } = await client.create(Pod, pod("high", { priorityClassName: "high" }, {}, "1"));
    await clock.advance(1000);
    expect(await podsOf(client)).toEqual({ low: "leaving", high: "Pending on no node" });
    expect((await client.get(Pod, "high")).status).toMatchObject({
      nominatedNodeName: "node-1",
      conditions: [{ type: "PodScheduled", reason: "Unschedulable", message: "0/1 nodes are available: 1 Insufficient cpu." }],
    });
    expect((await client.get(Pod, "low")).status?.conditions?.find(({ type }) => type === "DisruptionTarget")).toMatchObject({
      status: "True",
      reason: "PreemptionByScheduler",
      message: "default-scheduler: preempting to accommodate a higher priority pod",
    });
    // No other pod gets the room reserved for it either.
    await client.create(Pod, pod("late", {}, {}, "900m"));
    await clock.advance(10_000);
    expect(await podsOf(client)).toMatchObject({ late: "Pending on no node" });
    await clock.advance(30_000);
    expect(await podsOf(client)).toEqual({ high: "Running on node-1", late: "Running on node-1" });
    expect((await client.get(Pod, "high")).status?.nominatedNodeName).toBeUndefined();
    expect(await told(client, "Preempted")).toEqual([`low: Preempted by pod ${uid} on node node-1`]);
  });

  it("are not scheduled while a gate holds them, and at once afterwards", async () => {
    const { client, clock } = await start();
    await client.create(Pod, pod("gated", { schedulingGates: [{ name: "example.com/wait" }] }));
    await clock.advance(60_000);
    expect((await client.get(Pod, "gated")).status?.conditions).toMatchObject([
      { type: "PodScheduled", status: "False", reason: "SchedulingGated" },
    ]);
    await client.patch(Pod, "gated", { type: "merge", body: { spec: { schedulingGates: [] } } });
    await clock.advance(1000);
    expect(await podsOf(client)).toEqual({ gated: "Running on node-1" });
  });

  it("are retried with backoff, and report once why they wait", async () => {
    const { cluster, client, clock } = await start();
    await client.create(Pod, pod("large", {}, {}, "3"));
    for (let turn = 0; turn < 5; turn++) {
      await clock.advance(100);
      await client.patch(Node, "node-1", { type: "merge", body: { metadata: { labels: { turn: String(turn) } } } });
    }
    await clock.advance(500);
    expect((await client.get(Pod, "large")).status?.conditions).toHaveLength(1);
    await cluster.kubelets.addNode({ name: "node-2", podCidr: "10.244.2.0/24", address: "172.18.0.2" });
    await clock.advance(10_000);
    expect(await podsOf(client)).toEqual({ large: "Running on node-2" });
  });
});

describe("volumes of a simulated cluster", () => {
  it("are provisioned for the claims of a StatefulSet, and deleted with them", { timeout: 30_000 }, async () => {
    const { client, clock } = await start();
    await client.create(StatefulSet, {
      metadata: { name: "db", namespace: "default" },
      spec: {
        serviceName: "db",
        replicas: 2,
        selector: { matchLabels: { app: "db" } },
        template: { metadata: { labels: { app: "db" } }, spec: { containers: [{ name: "db", image: "db:1" }] } },
        volumeClaimTemplates: [
          { metadata: { name: "data" }, spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } } },
        ],
      },
    });
    await clock.advance(30_000);
    expect(await podsOf(client)).toEqual({ "db-0": "Running on node-1", "db-1": "Running on node-1" });
    const claims = (await client.list(PersistentVolumeClaim)).items;
    expect(claims.map(({ metadata, status }) => [metadata.name, status?.phase, status?.capacity])).toEqual([
      ["data-db-0", "Bound", { storage: "1Gi" }],
      ["data-db-1", "Bound", { storage: "1Gi" }],
    ]);
    expect(
      (await client.list(PersistentVolume)).items
        .map(({ spec, status }) => `${spec?.claimRef?.name ?? ""} ${status?.phase ?? ""}`)
        .toSorted(),
    ).toEqual(["data-db-0 Bound", "data-db-1 Bound"]);
    // A claim in use stays until no pod uses it.
    await client.delete(PersistentVolumeClaim, "data-db-1");
    await clock.advance(10_000);
    expect((await client.list(PersistentVolumeClaim)).items).toHaveLength(2);
    await client.patch(StatefulSet, "db", { type: "merge", body: { spec: { replicas: 1 } } });
    await clock.advance(30_000);
    expect((await client.list(PersistentVolumeClaim)).items.map(({ metadata }) => metadata.name)).toEqual(["data-db-0"]);
    expect((await client.list(PersistentVolume)).items.map(({ spec }) => spec?.claimRef?.name)).toEqual(["data-db-0"]);
  });

  it("that exist are bound first, the smallest that fits, and retained if their policy says so", async () => {
    const { client, clock } = await start();
    const made = (name: string, storage: string): PersistentVolume => ({
      metadata: { name },
      spec: {
        capacity: { storage },
        accessModes: ["ReadWriteOnce"],
        persistentVolumeReclaimPolicy: "Retain",
        storageClassName: "",
        hostPath: { path: `/${name}` },
      },
    });
    for (const [name, storage] of [
      ["small", "1Gi"],
      ["large", "9Gi"],
      ["right", "3Gi"],
    ] as const)
      await client.create(PersistentVolume, made(name, storage));
    const claim = (name: string, storage: string): PersistentVolumeClaim => ({
      metadata: { name, namespace: "default" },
      spec: { storageClassName: "", accessModes: ["ReadWriteOnce"], resources: { requests: { storage } } },
    });
    await client.create(PersistentVolumeClaim, claim("data", "2Gi"));
    await client.create(PersistentVolumeClaim, claim("huge", "20Gi"));
    await clock.advance(10_000);
    expect((await client.get(PersistentVolumeClaim, "huge")).status?.phase).toBe("Pending");
    await client.create(PersistentVolume, made("huge", "30Gi"));
    await clock.advance(10_000);
    expect(await client.get(PersistentVolumeClaim, "huge")).toMatchObject({ spec: { volumeName: "huge" }, status: { phase: "Bound" } });
    expect(await client.get(PersistentVolumeClaim, "data")).toMatchObject({ spec: { volumeName: "right" }, status: { phase: "Bound" } });
    await client.delete(PersistentVolumeClaim, "data");
    await clock.advance(1000);
    expect((await client.list(PersistentVolume)).items.map(({ metadata, status }) => [metadata.name, status?.phase])).toEqual([
      ["huge", "Bound"],
      ["large", "Available"],
      ["right", "Released"],
      ["small", "Available"],
    ]);
  });
});

describe("containers of a simulated cluster", () => {
  it("that crash are restarted with growing delays, and the pod reports it", { timeout: 30_000 }, async () => {
    const { client, clock } = await start();
    await client.create(Pod, pod("crashing", {}, { [conductAnnotations.exitCode]: "1", [conductAnnotations.exitAfter]: "1s" }));
    await clock.advance(60_000);
    expect((await client.get(Pod, "crashing")).status?.containerStatuses?.[0]).toMatchObject({
      restartCount: 3,
      ready: false,
      state: { waiting: { reason: "CrashLoopBackOff" } },
      lastState: { terminated: { exitCode: 1 } },
    });
  });

  it("that are ready make the pod ready when its readiness gate is true, without stale conditions", async () => {
    const { client, clock } = await start();
    await client.create(Pod, pod("gate", { readinessGates: [{ conditionType: "example.com/open" }] }));
    await clock.advance(1000);
    const ready = async (): Promise<unknown> => (await client.get(Pod, "gate")).status?.conditions?.find(({ type }) => type === "Ready");
    expect(await ready()).toMatchObject({ status: "False", reason: "ReadinessGatesNotReady" });
    await client
      .resource(Pod)
      .status.patch("gate", { type: "strategic", body: { status: { conditions: [{ type: "example.com/open", status: "True" }] } } });
    await clock.advance(1000);
    expect(await ready()).toEqual({
      type: "Ready",
      status: "True",
      lastProbeTime: null,
      lastTransitionTime: expect.any(String) as unknown,
      observedGeneration: 1,
    });
  });
});

describe("nodes of a simulated cluster", () => {
  it("renew their lease every ten seconds, and their status every five minutes", { timeout: 30_000 }, async () => {
    const { client, clock } = await start();
    const began = clock.now();
    const { metadata: before } = await client.get(Node, "node-1");
    await clock.advance(100_000);
    expect(
      Date.parse((await client.get(Lease, "node-1", { namespace: "kube-node-lease" })).spec?.renewTime ?? "") - began,
    ).toBeGreaterThanOrEqual(90_000);
    expect((await client.get(Node, "node-1")).status?.conditions?.find(({ type }) => type === "Ready")).toMatchObject({
      lastHeartbeatTime: before.creationTimestamp,
    });
    await clock.advance(300_000);
    expect((await client.get(Node, "node-1")).status?.conditions?.find(({ type }) => type === "Ready")).toMatchObject({
      status: "True",
      lastTransitionTime: before.creationTimestamp,
      lastHeartbeatTime: expect.not.stringContaining(before.creationTimestamp ?? "") as unknown,
    });
  });

  it("that are cordoned keep their pods and get no new ones", async () => {
    const { client, clock } = await start({ names: ["node-1", "node-2"] });
    await client.create(Pod, pod("first", { nodeSelector: { "kubernetes.io/hostname": "node-1" } }));
    await clock.advance(1000);
    await client.patch(Node, "node-1", { type: "merge", body: { spec: { unschedulable: true } } });
    for (const name of ["second", "third"]) await client.create(Pod, pod(name));
    await clock.advance(1000);
    expect(await podsOf(client)).toEqual({ first: "Running on node-1", second: "Running on node-2", third: "Running on node-2" });
  });

  it("that are deleted stay gone with their pods, until they are added again", { timeout: 30_000 }, async () => {
    const { cluster, client, clock } = await start({ names: ["node-1", "node-2"] });
    await client.create(Deployment, {
      metadata: { name: "web", namespace: "default" },
      spec: {
        replicas: 2,
        selector: { matchLabels: { app: "web" } },
        template: { metadata: { labels: { app: "web" } }, spec: { containers: [{ name: "web", image: "web:1" }] } },
      },
    });
    await clock.advance(10_000);
    await client.delete(Node, "node-1");
    await clock.advance(120_000);
    expect(cluster.kubelets.nodes).toEqual(["node-2"]);
    expect((await client.list(Node)).items.map(({ metadata }) => metadata.name)).toEqual(["node-2"]);
    expect(Object.values(await podsOf(client))).toEqual(["Running on node-2", "Running on node-2"]);
    await addNode(cluster, "node-1");
    await client.patch(Deployment, "web", { type: "merge", body: { spec: { replicas: 4 } } });
    await clock.advance(10_000);
    expect(Object.values(await podsOf(client)).filter((where) => where === "Running on node-1")).toHaveLength(2);
  });
});
