/**
 * The life of a manager on an API server: lease, caches, one controller, probes and metrics over a real port, and
 * failover to a warm standby.
 */
import { hostname } from "node:os";
import { Lease } from "@drover/api/coordination/v1";
import { ConfigMap, Namespace } from "@drover/api/core/v1";
import type { NodeTransport } from "@drover/client";
import { createManager, done, kindSource } from "@drover/controller";
import { createCluster } from "@drover/cache";
import type { Manager } from "@drover/controller";
import type { Cluster } from "@drover/cache";
import { isNotFound, poll, splitObjectKey } from "@drover/machinery";
import { nodeRuntime } from "drover";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { nodeManager } from "../../packages/drover/src/node-manager.ts";
import { serveHttp } from "../../packages/drover/src/serve-http.ts";
import { describeOnServers } from "../servers/servers.ts";
import type { SuiteServer } from "../servers/suite-server.ts";

const namespace = "managed";
const timing = { leaseDurationMs: 3000, renewDeadlineMs: 2000, retryPeriodMs: 300 };

interface Replica {
  readonly manager: Manager;
  readonly cluster: Cluster;
  readonly stop: AbortController;
  readonly over: Promise<void>;
  readonly ask: (path: string) => Promise<{ readonly status: number; readonly text: string }>;
}

describeOnServers("a manager", ({ missing, start }) => {
  const { clock } = nodeRuntime();
  let server: SuiteServer | undefined;
  let transport: NodeTransport;

  beforeAll(async () => {
    if (missing !== undefined) return;
    server = await start();
    const runtime = nodeRuntime({ write: () => undefined });
    transport = server.transport(runtime);
    await createCluster({ runtime, transport, namespace }).client.create(Namespace, { metadata: { name: namespace } });
  }, 90_000);
  afterAll(async () => {
    if (server === undefined) return;
    transport.close();
    await server.stop();
  }, 30_000);
  beforeEach((ctx) => {
    if (server === undefined) ctx.skip(missing);
  });

  const eventually = (holds: () => boolean | Promise<boolean>): Promise<void> =>
    poll(clock, { interval: 20, timeout: 20_000, immediate: true }, holds);

  /** Copies each config map labelled app=original into one named after it and the replica. */
  async function replica(lease: string, copy: string): Promise<Replica> {
    const runtime = nodeRuntime({ write: () => undefined });
    const cluster = createCluster({ runtime, transport, namespace });
    const manager = await nodeManager({
      runtime,
      cluster,
      graceMs: 10_000,
      leaderElection: { ...timing, name: lease, namespace },
      serving: { host: "127.0.0.1", port: 0 },
    });
    const controller = manager.controller({
      name: "copies",
      writes: [{ group: "", resource: "configmaps", verbs: ["create"], namespace }],
      reconcile: async ({ key, client }) => {
        const name = `${splitObjectKey(key).name}-${copy}`;
        try {
          await client.get(ConfigMap, name);
        } catch (error) {
          if (!isNotFound(error)) throw error;
          await client.create(ConfigMap, { metadata: { name } });
        }
        return done;
      },
    });
    controller.watch(kindSource(ConfigMap, { cluster, request: { namespace, labelSelector: `app=${lease}` } }));
    const stop = new AbortController();
    const over = manager.run(stop.signal);
    const ask = async (path: string): ReturnType<Replica["ask"]> => {
      const response = await fetch(`http://${manager.state().address ?? ""}${path}`);
      return { status: response.status, text: await response.text() };
    };
    return { manager, cluster, stop, over, ask };
  }
  const exists =
    ({ cluster }: Replica, name: string) =>
    (): Promise<boolean> =>
      cluster.client.get(ConfigMap, name).then(
        () => true,
        () => false,
      );

  it("leads, reconciles, answers probes, and serves metrics", { timeout: 60_000 }, async () => {
    const one = await replica("alone", "one");
    await one.cluster.client.create(ConfigMap, { metadata: { name: "a", labels: { app: "alone" } } });
    await one.manager.elected;
    await eventually(exists(one, "a-one"));
    expect((await one.cluster.client.get(Lease, "alone")).spec?.holderIdentity).toMatch(new RegExp(`^${hostname()}_[0-9a-f-]{36}$`));
    await eventually(async () => (await one.ask("/readyz")).status === 200);
    expect(await one.ask("/healthz?verbose")).toEqual({
      status: 200,
      text: "[+]event-loop ok\n[+]leader-election ok\nhealthz check passed\n",
    });
    expect(await one.ask("/readyz?verbose")).toEqual({
      status: 200,
      text: "[+]informers ok\n[+]leader-election ok\n[+]manager ok\nhealthz check passed\n",
    });
    expect((await one.ask("/else")).status).toBe(404);
    const { text } = await one.ask("/metrics");
    for (const line of [
      /^controller_runtime_reconcile_total\{controller="copies",result="success"\} [1-9]/m,
      /^controller_runtime_active_workers\{controller="copies"\} /m,
      /^workqueue_adds_total\{.*name="copies".*\} [1-9]/m,
      /^leader_election_master_status\{name="alone"\} 1$/m,
    ]) {
      expect(text).toMatch(line);
    }
    const { address = "" } = one.manager.state();
    one.stop.abort();
    await one.over;
    expect((await one.cluster.client.get(Lease, "alone")).spec?.holderIdentity ?? "").toBe("");
    await expect(fetch(`http://${address}/healthz`)).rejects.toThrow();
    expect(one.manager.state()).toMatchObject({ phase: "ended", running: [] });
  });

  it("hands over to a standby that is warm and ready before it leads", { timeout: 60_000 }, async () => {
    const one = await replica("handover", "one");
    await one.manager.elected;
    const two = await replica("handover", "two");
    await one.cluster.client.create(ConfigMap, { metadata: { name: "b", labels: { app: "handover" } } });
    await eventually(exists(one, "b-one"));
    await eventually(async () => two.manager.state().address !== undefined && (await two.ask("/readyz")).status === 200);
    await eventually(() =>
      two.manager.state().controllers.some(({ watches, ready }) => ready === 1 && watches.every(({ isSynced }) => isSynced)),
    );
    expect(await exists(one, "b-two")()).toBe(false);
    one.stop.abort();
    await one.over;
    await two.manager.elected;
    await eventually(exists(two, "b-two"));
    two.stop.abort();
    await two.over;
  });

  it("does not start on a port that is taken", { timeout: 60_000 }, async () => {
    const taken = await serveHttp(() => Promise.resolve({ status: 200, headers: {}, body: "" }), { host: "127.0.0.1", port: 0 });
    const runtime = nodeRuntime({ write: () => undefined });
    const manager = createManager({
      runtime,
      cluster: createCluster({ runtime, transport, namespace }),
      serving: { listen: serveHttp, host: "127.0.0.1", port: Number(taken.address.split(":")[1]) },
    });
    await expect(manager.run(new AbortController().signal)).rejects.toThrow(`cannot listen on ${taken.address}: the port is in use`);
    await taken.run(AbortSignal.abort());
  });
});
