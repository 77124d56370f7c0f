/** Controllers, scheduler and simulated nodes on our server, in virtual time. */
import { Deployment } from "@drover/api/apps/v1";
import { Endpoints, Namespace, Node, Pod, Service } from "@drover/api/core/v1";
import { deleted, waitFor } from "@drover/client";
import { startCluster } from "./index.ts";
import type { Kubelets, StartClusterOptions } from "./index.ts";
import { testRuntime } from "@drover/machinery/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

/** In virtual time, without nodes. */
async function rig() {
  const runtime = testRuntime();
  const { clock } = runtime;
  const cluster = await startCluster({ runtime, nodes: 0 });
  const end = async (): Promise<void> => {
    const stopped = cluster.stop();
    await clock.advance(60_000);
    await stopped;
  };
  return { clock, kubelets: cluster.kubelets, client: cluster.client, end };
}

async function addNodes(kubelets: Kubelets, ...names: readonly string[]): Promise<void> {
  for (const [index, name] of names.entries())
    await kubelets.addNode({ name, podCidr: `10.244.${index}.0/24`, address: `172.18.0.${index + 2}` });
}

const deployment = (
  name: string,
  replicas: number,
  more: Partial<NonNullable<NonNullable<Deployment["spec"]>["template"]["spec"]>> = {},
): Deployment => ({
  metadata: { name, namespace: "default" },
  spec: {
    replicas,
    selector: { matchLabels: { app: name } },
    template: { metadata: { labels: { app: name } }, spec: { containers: [{ name: "web", image: "web:1" }], ...more } },
  },
});

describe("startCluster in virtual time", () => {
  let life: Awaited<ReturnType<typeof rig>>;
  beforeEach(async () => {
    life = await rig();
  });
  afterEach(async () => {
    await life.end();
  });

  it("starts a Deployment: pods are scheduled on all nodes, run and become ready", async () => {
    const { client, clock, kubelets } = life;
    await addNodes(kubelets, "node-1", "node-2", "node-3");
    await client.create(Deployment, deployment("web", 9));
    await clock.advance(1000);
    const { items } = await client.list(Pod, { namespace: "default" });
    expect(items.map(({ status }) => status?.phase)).toEqual(Array.from({ length: 9 }, () => "Running"));
    for (const node of kubelets.nodes) expect(items.filter(({ spec }) => spec?.nodeName === node)).toHaveLength(3);
    expect(new Set(items.map(({ status }) => status?.podIP)).size).toBe(9);
    expect((await client.get(Deployment, "web", { namespace: "default" })).status).toMatchObject({
      replicas: 9,
      readyReplicas: 9,
      availableReplicas: 9,
    });
  });

  it("rolls out a new image completely", async () => {
    const { client, clock, kubelets } = life;
    await addNodes(kubelets, "node-1", "node-2");
    await client.create(Deployment, deployment("web", 4));
    await clock.advance(1000);
    await client.patch(
      Deployment,
      "web",
      { type: "strategic", body: { spec: { template: { spec: { containers: [{ name: "web", image: "web:2" }] } } } } },
      { namespace: "default" },
    );
    await clock.advance(60_000);
    const { items } = await client.list(Pod, { namespace: "default" });
    expect(items.map(({ spec }) => spec?.containers[0]?.image)).toEqual(["web:2", "web:2", "web:2", "web:2"]);
  });

  it("reports why a pod is unschedulable, and schedules it as soon as there is room", async () => {
    const { client, clock, kubelets } = life;
    await client.create(Deployment, deployment("web", 1, { nodeSelector: { disk: "ssd" } }));
    await clock.advance(1000);
    const condition = async () =>
      (await client.list(Pod, { namespace: "default" })).items[0]?.status?.conditions?.find(({ type }) => type === "PodScheduled");
    expect(await condition()).toMatchObject({ status: "False", reason: "Unschedulable", message: "no nodes available to schedule pods" });
    await addNodes(kubelets, "node-1");
    // A pod that failed more than once waits longer, up to ten seconds.
    await clock.advance(10_000);
    expect(await condition()).toMatchObject({
      status: "False",
      message:
        "0/1 nodes are available: 1 node(s) didn't match Pod's node affinity/selector. no new claims to deallocate, preemption: 0/1 nodes are available: 1 Preemption is not helpful for scheduling.",
    });
    await client.patch(Node, "node-1", { type: "merge", body: { metadata: { labels: { disk: "ssd" } } } });
    await clock.advance(10_000);
    expect(await condition()).toMatchObject({ status: "True" });
  });

  it("leaves the pods of a stopped node alone", async () => {
    const { client, clock, kubelets } = life;
    await addNodes(kubelets, "node-1");
    kubelets.stopNode("node-1");
    await client.create(Deployment, deployment("web", 1));
    await clock.advance(1000);
    expect((await client.list(Pod, { namespace: "default" })).items[0]).toMatchObject({
      spec: { nodeName: "node-1" },
      status: { phase: "Pending" },
    });
    await addNodes(kubelets, "node-1");
    await clock.advance(1000);
    expect((await client.list(Pod, { namespace: "default" })).items[0]?.status?.phase).toBe("Running");
    expect(() => kubelets.stopNode("node-9")).toThrow("unknown simulated node node-9; running nodes: node-1");
  });
});

describe("a node that stops", () => {
  it("is unknown after 50 s, its pods are not ready, and after their five minutes of toleration they run elsewhere", async () => {
    const life = await rig();
    const { client, clock, kubelets } = life;
    try {
      await addNodes(kubelets, "node-1", "node-2", "node-3");
      await client.create(Deployment, deployment("web", 3));
      await clock.advance(30_000);
      kubelets.stopNode("node-1");
      await clock.advance(40_000);
      expect((await client.get(Node, "node-1")).status?.conditions?.find(({ type }) => type === "Ready")?.status).toBe("True");
      await clock.advance(30_000);
      const node = await client.get(Node, "node-1");
      expect(node.status?.conditions?.find(({ type }) => type === "Ready")).toMatchObject({
        status: "Unknown",
        reason: "NodeStatusUnknown",
        message: "Kubelet stopped posting node status.",
      });
      expect(node.spec?.taints?.map(({ key, effect }) => `${key}:${effect}`)).toEqual([
        "node.kubernetes.io/unreachable:NoSchedule",
        "node.kubernetes.io/unreachable:NoExecute",
      ]);
      expect((await client.get(Deployment, "web", { namespace: "default" })).status).toMatchObject({ readyReplicas: 2 });
      await clock.advance(6 * 60_000);
      const { items } = await client.list(Pod, { namespace: "default" });
      expect(
        items
          .filter(({ metadata }) => metadata.deletionTimestamp === undefined)
          .map(({ spec, status }) => [spec?.nodeName === "node-1", status?.phase]),
      ).toEqual([
        [false, "Running"],
        [false, "Running"],
        [false, "Running"],
      ]);
      await addNodes(kubelets, "node-1");
      await clock.advance(30_000);
      expect((await client.get(Node, "node-1")).spec?.taints).toBeUndefined();
      expect((await client.list(Pod, { namespace: "default" })).items).toHaveLength(3);
    } finally {
      await life.end();
    }
  });
});

describe("pods of a new cluster", () => {
  it("get a service account and its token, unless the plug-in is disabled or no controller creates accounts", async () => {
    const volumesWith = async (options: StartClusterOptions): Promise<unknown> => {
      const runtime = testRuntime();
      const cluster = await startCluster({ runtime, nodes: 0, ...options });
      const { spec } = await cluster.client.create(Pod, {
        metadata: { name: "p", namespace: "default" },
        spec: { containers: [{ name: "c", image: "web:1" }] },
      });
      const stopped = cluster.stop();
      await runtime.clock.advance(60_000);
      await stopped;
      return [spec?.serviceAccountName, spec?.volumes?.length];
    };
    expect(await volumesWith({})).toEqual(["default", 1]);
    expect(await volumesWith({ server: { admissionPlugins: { disable: ["ServiceAccount"] } } })).toEqual([undefined, undefined]);
    expect(await volumesWith({ controllers: ["*", "-serviceaccount"] })).toEqual([undefined, undefined]);
  });
});

describe("startCluster in real time", () => {
  it("rolls a Deployment out behind a Service, and deletes a namespace completely", { timeout: 60_000 }, async () => {
    await using cluster = await startCluster();
    const { client } = cluster;
    await client.create(Namespace, { metadata: { name: "shop" } });
    await client.create(Deployment, { ...deployment("web", 6), metadata: { name: "web", namespace: "shop" } });
    await client.create(Service, {
      metadata: { name: "web", namespace: "shop" },
      spec: { selector: { app: "web" }, ports: [{ port: 80 }] },
    });
    await waitFor(client, Deployment, "web", (found) => found?.status?.readyReplicas === 6, { namespace: "shop", timeoutMs: 30_000 });
    await waitFor(client, Endpoints, "web", (found) => found?.subsets?.[0]?.addresses?.length === 6, {
      namespace: "shop",
      timeoutMs: 30_000,
    });
    await client.delete(Namespace, "shop");
    await waitFor(client, Namespace, "shop", deleted, { timeoutMs: 30_000 });
    expect((await client.list(Pod, { namespace: "shop" })).items).toEqual([]);
  });
});
