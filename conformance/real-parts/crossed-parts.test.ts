/**
 * Each side's controllers with the other's server: ours in place of kube-controller-manager on a real API server, and
 * kube-controller-manager on ours.
 */
import { Deployment, StatefulSet } from "@drover/api/apps/v1";
import { Job } from "@drover/api/batch/v1";
import { Pod } from "@drover/api/core/v1";
import { createClient } from "@drover/client";
import type { Client } from "@drover/client";
import { createControllerManager } from "@drover/controller-manager";
import { addKubelets, addScheduler, promptPods } from "@drover/dev-cluster";
import type { Transport } from "@drover/machinery";
import { nodeRuntime } from "drover";
import { describe, expect, it } from "vitest";
import { startEmbeddedServer } from "../servers/embedded-server.ts";
import { addressesAre, frontendComesUp, namespaceGoes, readyPods } from "../documents/frontend-scene.ts";
import type { FrontendGround } from "../documents/frontend-scene.ts";
import { RealProgram, freePorts, programsMissing, temporaryFolder } from "../servers/real-program.ts";
import { realClusterMissing, startRealCluster } from "../servers/real-cluster.ts";
import { realTransport } from "../servers/real-transport.ts";

const runtime = nodeRuntime({ write: () => undefined });
const { clock } = runtime;

function groundOn(client: Client, namespace: string): FrontendGround {
  const until: FrontendGround["until"] = async (what, holds) => {
    const deadline = clock.now() + 60_000;
    while (!(await holds())) {
      if (clock.now() > deadline) throw new Error(`${what}: not within a minute`);
      await new Promise((resolve) => {
        setTimeout(resolve, 50);
      });
    }
  };
  return { client, namespace, until };
}

/** Everyday use: a rollout with its endpoints, a Job, a StatefulSet that shrinks, and the deletion of everything. */
async function aDay(ground: FrontendGround): Promise<void> {
  const { client, namespace, until } = ground;
  const before = await frontendComesUp(ground);
  await addressesAre(ground, before);
  await client.patch(
    Deployment,
    "frontend",
    { type: "strategic", body: { spec: { template: { spec: { containers: [{ name: "web", image: "nginx:1.30" }] } } } } },
    { namespace },
  );
  const after = await readyPods(ground, ({ spec }) => spec?.containers[0]?.image === "nginx:1.30");
  await addressesAre(ground, after);
  await client.create(Job, {
    metadata: { name: "once", namespace },
    spec: {
      completions: 3,
      parallelism: 2,
      template: { spec: { restartPolicy: "Never", containers: [{ name: "work", image: "work:1" }] } },
    },
  });
  await until(
    "the job is complete",
    async () =>
      (await client.get(Job, "once", { namespace })).status?.conditions?.some(
        ({ type, status }) => type === "Complete" && status === "True",
      ) === true,
  );
  expect((await client.get(Job, "once", { namespace })).status).toMatchObject({ succeeded: 3 });
  const labels = { app: "store" };
  await client.create(StatefulSet, {
    metadata: { name: "store", namespace },
    spec: {
      serviceName: "store",
      replicas: 3,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: "db", image: "db:1" }] } },
    },
  });
  await until("the set is complete", async () => (await client.get(StatefulSet, "store", { namespace })).status?.readyReplicas === 3);
  await client.patch(StatefulSet, "store", { type: "merge", body: { spec: { replicas: 1 } } }, { namespace });
  await until("the set is small", async () => {
    const { items } = await client.list(Pod, { namespace, labelSelector: "app=store" });
    return items.length === 1 && items[0]?.metadata.name === "store-0";
  });
  await namespaceGoes(ground);
}

/** Our controllers on any server; with `isWhole` the scheduler and the kubelets too. */
function runOurs(
  transport: Transport,
  { controllers, nodes }: { readonly controllers: readonly string[]; readonly nodes: number },
): () => Promise<void> {
  const made = createControllerManager({ runtime: nodeRuntime({ write: () => undefined }), transport, controllers, permissions: "off" });
  const kubelets = nodes === 0 ? undefined : addKubelets({ manager: made.manager, times: promptPods });
  if (nodes > 0) addScheduler({ manager: made.manager, events: made.events });
  const stop = new AbortController();
  const running = made.run(stop.signal);
  running.catch(() => undefined);
  void made.manager.elected.then(async () => {
    for (let node = 1; node <= nodes; node++)
      await kubelets?.addNode({ name: `node-${node}`, podCidr: `10.244.${node}.0/24`, address: `172.18.0.${node + 1}` });
  });
  return async () => {
    stop.abort(new DOMException("enough", "AbortError"));
    await running;
  };
}

describe("controllers on the other side's server", () => {
  it("our controllers, on a real API server with the real scheduler and kwok", { timeout: 180_000 }, async (ctx) => {
    const missing = realClusterMissing({ scheduler: true, kwok: {} });
    if (missing !== undefined) ctx.skip(missing);
    const cluster = await startRealCluster({
      scheduler: true,
      kwok: { count: 3 },
      manager: (server) => {
        const transport = realTransport(server, runtime);
        const stop = runOurs(transport, { controllers: ["*"], nodes: 0 });
        return async () => {
          await stop();
          transport.close();
        };
      },
    });
    const transport = realTransport(cluster, runtime);
    try {
      await aDay(groundOn(createClient({ ...runtime, transport, namespace: "default" }), "day"));
    } finally {
      transport.close();
      await cluster.stop();
    }
  });

  it("kube-controller-manager, on our API server with our scheduler and kubelets, speaking JSON", { timeout: 180_000 }, async (ctx) => {
    const missing = programsMissing("kube-controller-manager");
    if (missing !== undefined) ctx.skip(missing);
    const server = await startEmbeddedServer();
    const folder = temporaryFolder("crossed-parts");
    const [port = 0] = await freePorts(1);
    const manager = new RealProgram(
      "kube-controller-manager",
      [
        `--kubeconfig=${server.kubeconfig}`,
        "--leader-elect=false",
        "--authentication-skip-lookup",
        "--bind-address=127.0.0.1",
        `--secure-port=${port}`,
        `--cert-dir=${folder.path}`,
        "--allocate-node-cidrs=false",
        "--kube-api-content-type=application/json",
        "--kube-api-qps=1000",
        "--kube-api-burst=2000",
      ],
      folder.path,
    );
    const transport = server.transport(runtime);
    const stop = runOurs(transport, { controllers: [], nodes: 3 });
    try {
      await aDay(groundOn(createClient({ ...runtime, transport, namespace: "default" }), "day"));
    } catch (error) {
      throw new Error(`kube-controller-manager said:\n${manager.tail(40)}`, { cause: error });
    } finally {
      await stop();
      await manager.end();
      transport.close();
      await server.stop();
      folder.remove();
    }
  });
});
