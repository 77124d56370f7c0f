import { createCluster } from "@drover/cache";
import { ConfigMap } from "@drover/api/core/v1";
import { ScriptedApi } from "@drover/cache/testing";
import { jsonResponse } from "@drover/client/testing";
import { objectKey } from "@drover/machinery";
import type { HttpResponse, ObjectKey, Transport } from "@drover/machinery";
import { ManualClock, testRuntime } from "@drover/machinery/testing";
import { describe, expect, it } from "vitest";
import type { ReconcileContext } from "../reconcile/reconciler.ts";
import { done } from "../reconcile/result.ts";
import { ShardServer } from "../shards/testing/shard-server.ts";
import { kindSource } from "../sources/kind-source.ts";
import { createManager } from "./manager.ts";
import type { ManagerOptions } from "./manager-options.ts";

const label = "example.com/tenant";

interface Run {
  readonly replica: string;
  readonly key: ObjectKey;
}

/** Replicas with a controller of config maps each, on one server. */
function rig() {
  const clock = new ManualClock();
  // Its versions are newer than those of all objects, as those of leases written after them.
  const leases = new ShardServer(1_000_000);
  const api = new ScriptedApi({ clock, random: testRuntime({ clock }).random });
  const runs: Run[] = [];
  const running = new Map<ObjectKey, string>();
  const overlaps: string[] = [];
  const replica = (
    identity: string,
    {
      reconcile,
      options = {},
    }: { readonly reconcile?: (context: ReconcileContext) => Promise<void>; readonly options?: Partial<ManagerOptions> } = {},
  ) => {
    const runtime = testRuntime({ clock });
    const network: { leases: Transport; stall: Promise<void> | undefined } = { leases: leases.transport, stall: undefined };
    const transport: Transport = (request) => {
      if (request.path.includes("/leases")) return network.leases(request);
      if (!request.path.includes("selfsubject")) return api.transport(request).then((response) => stalled(response, () => network.stall));
      return Promise.resolve(
        jsonResponse({ ...(JSON.parse(request.body as string) as object), status: { allowed: true } }, { status: 201 }),
      );
    };
    const cluster = createCluster({ runtime, transport, namespace: "shop", informers: { audit: false } });
    const shards = { namespace: "shop", name: "web", identity, count: 4, by: { label } };
    const manager = createManager({ runtime, cluster, shards, ...options });
    const controller = manager.controller({
      name: "web",
      reconcile: async (context) => {
        const other = running.get(context.key);
        if (other !== undefined) overlaps.push(`${identity} started ${context.key} while ${other} ran it`);
        running.set(context.key, identity);
        runs.push({ replica: identity, key: context.key });
        try {
          await reconcile?.(context);
        } finally {
          running.delete(context.key);
        }
        return done;
      },
    });
    controller.watch(kindSource(ConfigMap, { cluster }));
    const stop = new AbortController();
    const outcome: { run: unknown } = { run: "running" };
    manager.run(stop.signal).then(
      () => (outcome.run = "over"),
      (error: unknown) => (outcome.run = error),
    );
    return { manager, controller, network, stop, outcome, held: () => manager.state().shards?.held ?? [] };
  };
  const tenants: readonly string[] = Array.from({ length: 6 }, (_, n) => `tenant-${n}`);
  const put = (name: string, tenant: string | undefined, step = ""): void => {
    const labels = tenant === undefined ? {} : { labels: { [label]: tenant } };
    api.put({ apiVersion: "v1", kind: "ConfigMap", metadata: { name, namespace: "shop", ...labels }, data: { step } });
  };
  return { clock, leases, api, runs, overlaps, replica, tenants, put };
}

/** Delivers a watch only while nothing holds it up. */
function stalled(response: HttpResponse, stall: () => Promise<void> | undefined): HttpResponse {
  const { body } = response;
  if (typeof body === "string" || body instanceof Uint8Array) return response;
  const late = async function* (): AsyncGenerator<string | Uint8Array, void, undefined> {
    for await (const chunk of body) {
      await stall();
      yield chunk;
    }
  };
  return { ...response, body: late() };
}

const names: readonly string[] = Array.from({ length: 24 }, (_, n) => `map-${n}`);

describe("manager with shards by label", () => {
  it("reconciles all objects of a tenant on one replica, and new ones within a second", async () => {
    const { clock, runs, overlaps, replica, tenants, put } = rig();
    for (const [n, name] of names.entries()) put(name, tenants[n % 6]);
    const a = replica("a");
    await clock.advance(4000);
    expect(new Set(runs.map(({ key }) => key)).size).toBe(24);
    const b = replica("b");
    await clock.advance(8000);
    expect([a.held().length, b.held().length]).toEqual([2, 2]);
    runs.length = 0;
    for (const [n, name] of names.entries()) put(name, tenants[n % 6], "1");
    put("new", tenants[0]);
    await clock.advance(1000);
    expect(runs.length).toBe(25);
    const byTenant = new Map<string, Set<string>>();
    for (const { replica: by, key } of runs) {
      const tenant = key === objectKey("new", "shop") ? "tenant-0" : (tenants[Number(key.slice("shop/map-".length)) % 6] ?? "");
      byTenant.set(tenant, (byTenant.get(tenant) ?? new Set()).add(by));
    }
    expect([...byTenant.values()].map(({ size }) => size)).toEqual([1, 1, 1, 1, 1, 1]);
    expect([overlaps, a.outcome.run, b.outcome.run]).toEqual([[], "running", "running"]);
  });

  it("starts a changed object of a shard that it has at once, without waiting for others", async () => {
    const { clock, runs, replica, tenants, put } = rig();
    put("map-0", tenants[0]);
    replica("a");
    replica("b");
    await clock.advance(15_000);
    runs.length = 0;
    put("map-0", tenants[0], "1");
    await clock.advance(20);
    expect(runs.length).toBe(1);
  });

  it("starts an object that moved to its shard only after the other's run of it has ended", async () => {
    const { clock, runs, overlaps, replica, tenants, put } = rig();
    const ends: (() => void)[] = [];
    const reconcile = (): Promise<void> => new Promise((resolve) => ends.push(resolve));
    const [a, b] = [replica("a", { reconcile }), replica("b", { reconcile })];
    await clock.advance(15_000);
    put("map-0", tenants[0]);
    await clock.advance(2000);
    const first = runs[0]?.replica ?? "";
    const other = first === "a" ? b : a;
    const target = tenants.find((tenant) => other.held().includes(a.manager.shards?.shardOf(objectKey("map-0", "shop"), tenant) ?? -1));
    put("map-0", target);
    await clock.advance(5000);
    expect(runs.length).toBe(1);
    ends.splice(0).forEach((end) => end());
    await clock.advance(2000);
    expect([runs.map(({ replica: by }) => by), overlaps]).toEqual([[first, first === "a" ? "b" : "a"], []]);
  });

  it("waits for a replica whose cache is late, and goes on without it when that has given up its shards", async () => {
    const { clock, runs, overlaps, replica, tenants, put } = rig();
    put("map-0", tenants[0]);
    const [a, b] = [replica("a"), replica("b")];
    await clock.advance(15_000);
    expect([a.held().length, b.held().length]).toEqual([2, 2]);
    let go = (): void => undefined;
    // Its watch stands still, and its leases are renewed.
    b.network.stall = new Promise((resolve) => (go = resolve));
    runs.length = 0;
    for (const tenant of tenants) put(`of-${tenant}`, tenant);
    await clock.advance(10_000);
    // A key whose hash and whose label lead to the same shard has been there before it had an object.
    const moved = runs.filter(({ key }) => a.manager.shards?.shardOf(key) !== a.manager.shards?.shardOf(key, key.slice("shop/of-".length)));
    expect(moved).toEqual([]);
    await clock.advance(25_000);
    expect([a.held().length, b.held().length, new Set(runs.map(({ key }) => key)).size]).toEqual([4, 0, 7]);
    go();
    b.network.stall = undefined;
    await clock.advance(10_000);
    expect([a.held().length, b.held().length, overlaps]).toEqual([2, 2, []]);
  });

  it("ends with an error if the server was restored from a backup", async () => {
    const { clock, leases, replica, tenants, put } = rig();
    put("map-0", tenants[0]);
    const a = replica("a");
    await clock.advance(5000);
    const restored = new ShardServer(500_000);
    for (const lease of leases.leases.values()) restored.put(lease);
    a.network.leases = restored.transport;
    await clock.advance(60_000);
    expect(String(a.outcome.run)).toMatch(/was restored from a backup.*this replica ends/);
  });

  it("rejects threads, and a controller whose keys have no cache", async () => {
    const { clock, replica } = rig();
    const threads = { count: 2, start: () => undefined } as unknown as NonNullable<ManagerOptions["threads"]>;
    expect(() => replica("t", { options: { threads } })).toThrow("shards.by a label cannot be used with threads");
    const a = replica("a");
    a.manager.controller({ name: "blind", reconcile: () => done });
    await clock.advance(10_000);
    expect(String(a.outcome.run)).toMatch(/controller blind: shards by label need the objects of its keys/);
  });
});
