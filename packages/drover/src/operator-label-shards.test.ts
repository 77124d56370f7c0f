import { createApiServer } from "@drover/apiserver";
import { nodeHost } from "@drover/apiserver/node";
import { createClient } from "@drover/client";
import { memoryHost } from "@drover/client/testing";
import { testRuntime } from "@drover/machinery/testing";
import { describe, expect, it } from "vitest";
import { ConfigMap, Lease } from "./kinds.ts";
import { operator } from "./operator.ts";

const label = "example.com/tenant";
const kubeconfig = {
  text: JSON.stringify({
    apiVersion: "v1",
    kind: "Config",
    "current-context": "c",
    clusters: [{ name: "c", cluster: { server: "https://api.example" } }],
    users: [{ name: "u", user: {} }],
    contexts: [{ name: "c", context: { cluster: "c", user: "u", namespace: "default" } }],
  }),
};

describe("operator().run with shards by label", () => {
  it("reconciles the objects of a tenant on one replica, on an API server", async () => {
    const runtime = testRuntime();
    const { clock } = runtime;
    const server = await createApiServer({ runtime, host: nodeHost });
    const client = createClient({ transport: server.handle, clock, log: runtime.log, namespace: "default" });
    const runs: { readonly replica: string; readonly name: string; readonly tenant: string }[] = [];
    const stop = new AbortController();
    const replica = (identity: string): Promise<void> => {
      const app = operator({ name: "web" });
      app.controller(ConfigMap, {
        reconcile: ({ object: { metadata } }) => {
          const tenant = metadata.labels?.[label];
          if (tenant !== undefined) runs.push({ replica: identity, name: metadata.name ?? "", tenant });
        },
      });
      return app.run({
        runtime: { ...testRuntime({ clock }) },
        host: memoryHost({}, { env: {} }),
        permissions: "off",
        signal: stop.signal,
        shards: { namespace: "default", count: 4, by: { label }, identity },
        cluster: {
          kubeconfig,
          sockets: {
            transport: () => Object.assign(server.handle.bind(server), { close: () => undefined }),
            webSocket: () => () => Promise.reject(new Error("none")),
          },
        },
      });
    };
    const running = [replica("a"), replica("b")];
    const pass = async (ms: number): Promise<void> => {
      // The start loads modules, which takes turns of the real event loop.
      for (let passedMs = 0; passedMs < ms; passedMs += 250) {
        await clock.advance(250);
        await new Promise(setImmediate);
      }
    };
    for (let held = 0; held < 4;) {
      await pass(250);
      const { items } = await client.list(Lease, { labelSelector: "drover.dev/shard-role=shard" });
      held = items.filter(({ spec }) => (spec?.holderIdentity ?? "") !== "").length;
    }
    await pass(15_000);
    const put = (name: string, tenant: string): Promise<unknown> =>
      client.apply(ConfigMap, { metadata: { name, labels: { [label]: tenant } } }, { fieldManager: "test", force: true });
    for (let n = 0; n < 16; n++) await put(`map-${n}`, `tenant-${n % 8}`);
    await pass(5000);
    const owners = new Map<string, Set<string>>();
    for (const { replica: by, tenant } of runs) owners.set(tenant, (owners.get(tenant) ?? new Set()).add(by));
    expect([owners.size, [...owners.values()].every(({ size }) => size === 1), new Set(runs.map(({ name }) => name)).size]).toEqual([
      8,
      true,
      16,
    ]);
    expect(new Set(runs.map((run) => run.replica)).size).toBe(2);
    const from = [...owners].find(([, by]) => by.has("a"))?.[0] ?? "";
    const to = [...owners].find(([, by]) => by.has("b"))?.[0] ?? "";
    runs.length = 0;
    await put(`map-${from.slice("tenant-".length)}`, to);
    await pass(5000);
    expect(runs.map((run) => [run.replica, run.tenant])).toEqual([["b", to]]);
    stop.abort();
    await pass(60_000);
    await Promise.all(running);
    server.close();
  });
});
