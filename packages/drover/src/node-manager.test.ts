import { hostname } from "node:os";
import { createClient } from "@drover/client";
import { memoryHost } from "@drover/client/testing";
import type { ManagerOptions } from "@drover/controller";
import type { HttpRequest } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { nodeManager } from "./node-manager.ts";
import { nodeRuntime } from "./node-runtime.ts";

type Cluster = ManagerOptions["cluster"];

/** A cluster without informers that records its requests. */
function rig() {
  const runtime = nodeRuntime({ write: () => undefined });
  const requests: HttpRequest[] = [];
  const client = createClient({
    ...runtime,
    namespace: "shop",
    transport: (request) => {
      requests.push(request);
      return request.method === "POST"
        ? new Promise(() => undefined)
        : Promise.resolve({
            status: 404,
            headers: { "content-type": "application/json" },
            body: '{"kind":"Status","status":"Failure","reason":"NotFound","code":404}',
          });
    },
  });
  const cluster = {
    name: "",
    client,
    informers: { waitForSync: () => Promise.resolve(), state: () => [] },
    run: () => Promise.resolve(),
  } as unknown as Cluster;
  const holders = (): unknown[] =>
    requests.flatMap(({ body }) =>
      typeof body === "string" ? [(JSON.parse(body) as { spec?: { holderIdentity?: string } }).spec?.holderIdentity] : [],
    );
  return { runtime, cluster, requests, holders };
}

describe("nodeManager", () => {
  it("uses the host name and a uid as identity, in the pod's namespace (trap 29)", async () => {
    const { runtime, cluster, requests, holders } = rig();
    const host = memoryHost({}, { env: { POD_NAMESPACE: "home" } });
    for (let count = 0; count < 2; count++) {
      const manager = await nodeManager({ runtime, cluster, host, permissions: "off", leaderElection: { name: "web" } });
      const stop = new AbortController();
      const over = manager.run(stop.signal);
      while (holders().length <= count) await new Promise(setImmediate);
      stop.abort();
      await over;
    }
    const [first, second] = holders();
    expect(first).toMatch(new RegExp(`^${hostname()}_[0-9a-f-]{36}$`));
    expect(second).not.toBe(first);
    expect(requests[0]?.path).toBe("/apis/coordination.k8s.io/v1/namespaces/home/leases/web");
  });

  it("requires a namespace outside a pod", async () => {
    const { runtime, cluster } = rig();
    const host = memoryHost();
    await expect(nodeManager({ runtime, cluster, host, leaderElection: { name: "web" } })).rejects.toThrow("set leaderElection.namespace");
    await nodeManager({ runtime, cluster, host, leaderElection: { name: "web", namespace: "shop" } });
    await expect(nodeManager({ runtime, cluster, host, shards: { name: "web" } })).rejects.toThrow("set shards.namespace");
    const { shards } = await nodeManager({ runtime, cluster, host, shards: { name: "web", namespace: "shop", count: 4 } });
    expect([shards?.layout, shards?.fenceOf(3).lease]).toEqual([{ count: 4, by: "hash" }, "shop/web-shard-3-of-4"]);
    await nodeManager({ runtime, cluster, host });
  });

  it("serves the runtime's metrics on a real port", async () => {
    const { runtime, cluster } = rig();
    const manager = await nodeManager({ runtime, cluster, serving: { host: "127.0.0.1", port: 0 } });
    const stop = new AbortController();
    const over = manager.run(stop.signal);
    await manager.elected;
    runtime.metrics.counter({ name: "things_total", help: "Things.", labels: [] }).with({}).add(1);
    const { address = "" } = manager.state();
    expect(await (await fetch(`http://${address}/metrics`)).text()).toContain("things_total 1");
    expect((await fetch(`http://${address}/readyz`)).status).toBe(200);
    stop.abort();
    await over;
  });
});
