import { ConfigMap } from "@drover/api/core/v1";
import { ScriptedApi } from "@drover/cache/testing";
import { jsonResponse } from "@drover/client/testing";
import { createCluster } from "@drover/cache";
import { objectKey } from "@drover/machinery";
import type { ObjectKey, Transport } from "@drover/machinery";
import { ManualClock, testRuntime } from "@drover/machinery/testing";
import { describe, expect, it } from "vitest";
import { isFenced, isFencedError } from "../leader/fenced-error.ts";
import type { ReconcileContext } from "../reconcile/reconciler.ts";
import { done } from "../reconcile/result.ts";
import { ShardServer } from "../shards/testing/shard-server.ts";
import { kindSource } from "../sources/kind-source.ts";
import { createManager } from "./manager.ts";
import type { ManagerOptions } from "./manager-options.ts";
import { managerRig } from "./testing/manager-rig.ts";

const shards = { namespace: "shop", name: "web", identity: "me", count: 4 } as const;

interface Run {
  readonly replica: string;
  readonly key: ObjectKey;
  readonly note: string | undefined;
}

/** Replicas with a controller of config maps each, on one server. */
function rig() {
  const clock = new ManualClock();
  const leases = new ShardServer();
  const first = testRuntime({ clock });
  const api = new ScriptedApi({ clock, random: first.random });
  const runs: Run[] = [];
  const replica = (
    identity: string,
    {
      reconcile,
      options = {},
    }: { readonly reconcile?: (context: ReconcileContext) => Promise<void>; readonly options?: Partial<ManagerOptions> } = {},
  ) => {
    const runtime = testRuntime({ clock });
    const network = { leases: leases.transport };
    const transport: Transport = (request) => {
      if (request.path.includes("/leases")) return network.leases(request);
      if (!request.path.includes("selfsubject")) return api.transport(request);
      return Promise.resolve(
        jsonResponse({ ...(JSON.parse(request.body as string) as object), status: { allowed: true } }, { status: 201 }),
      );
    };
    const cluster = createCluster({ runtime, transport, namespace: "shop", informers: { audit: false } });
    const manager = createManager({ runtime, cluster, shards: { ...shards, identity }, ...options });
    const controller = manager.controller({
      name: "web",
      reconcile: async (context) => {
        const [cause] = context.causes;
        runs.push({ replica: identity, key: context.key, note: cause?.type === "enqueue" ? cause.note : undefined });
        await reconcile?.(context);
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
    return { runtime, manager, controller, network, stop, outcome, held: () => manager.state().shards?.held ?? [] };
  };
  return { clock, leases, api, runs, replica };
}

const names: readonly string[] = Array.from({ length: 24 }, (_, n) => `map-${n}`);
const map = (name: string) => ({ apiVersion: "v1", kind: "ConfigMap", metadata: { name, namespace: "shop" } }) as ConfigMap;

describe("manager with shards", () => {
  it("rejects leader election beside shards, and names both", () => {
    expect(() => managerRig({ leaderElection: true, shards })).toThrow(
      "a manager has either leaderElection, so that one replica does everything, or shards",
    );
  });

  it("rejects a runnable that needs the lease", () => {
    const { manager, runnable } = managerRig({ shards });
    expect(() => manager.add(runnable("job"))).toThrow("job needs the lease, and this manager has shards instead");
    manager.add(runnable("job", { needsLease: false }));
    expect(manager.fence).toBeUndefined();
  });

  it("reconciles every object on exactly one replica, and says why after a shard was acquired", async () => {
    const { clock, api, runs, replica } = rig();
    for (const name of names) api.put(map(name));
    const a = replica("a");
    await clock.advance(3000);
    expect(new Set(runs.map(({ key }) => key)).size).toBe(24);
    expect(runs.every(({ note }) => /^shard \d of 4 acquired$/.test(note ?? ""))).toBe(true);
    const b = replica("b");
    await clock.advance(5000);
    expect([a.held().length, b.held().length]).toEqual([2, 2]);
    runs.length = 0;
    for (const name of names) api.put({ ...map(name), data: { step: "1" } });
    await clock.advance(1000);
    expect(runs.length).toBe(24);
    for (const { replica: by, key } of runs) expect((by === "a" ? a : b).held()).toContain(a.manager.shards?.shardOf(key));
    a.stop.abort();
    await clock.advance(3000);
    expect([a.outcome.run, b.held()]).toEqual(["over", [0, 1, 2, 3]]);
  });

  it("ignores keys of other shards that the program enqueues", async () => {
    const { clock, runs, replica } = rig();
    const a = replica("a");
    const b = replica("b");
    await clock.advance(6000);
    for (const { controller } of [a, b]) for (const name of names) controller.enqueue(objectKey(name, "shop"));
    await clock.advance(100);
    expect(runs.length).toBe(24);
  });

  it("waits for runs of a shard that moves before another replica starts its keys", async () => {
    const { clock, api, runs, replica } = rig();
    for (const name of names) api.put(map(name));
    const ends: (() => void)[] = [];
    const a = replica("a", { reconcile: () => new Promise((resolve) => ends.push(resolve)), options: { graceMs: 60_000 } });
    await clock.advance(3000);
    expect(runs.length).toBe(1);
    const shard = a.manager.shards?.shardOf(runs[0]?.key ?? objectKey("")) ?? -1;
    const b = replica("b");
    await clock.advance(10_000);
    const isMoving = !a.held().includes(shard);
    expect(b.held().includes(shard)).toBe(false);
    for (let turns = 0; turns < 60; turns++) {
      ends.splice(0).forEach((end) => end());
      await clock.advance(100);
    }
    expect(b.held().includes(shard)).toBe(isMoving);
    expect([a.held().length, b.held().length]).toEqual([2, 2]);
  });

  it("fences the writes of a run whose shard was lost, and aborts the run", async () => {
    const { clock, api, replica } = rig();
    api.put(map("map-0"));
    const seen: unknown[] = [];
    const a = replica("a", {
      reconcile: async ({ client, signal }) => {
        await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
        seen.push(isFencedError(signal.reason));
        await client.patch(ConfigMap, "map-0", { type: "merge", body: {} }).catch((error: unknown) => seen.push(isFenced(error)));
      },
    });
    await clock.advance(3000);
    a.network.leases = () => new Promise(() => undefined);
    await clock.advance(11_000);
    expect([seen, a.held(), a.outcome.run]).toEqual([[true, true], [], "running"]);
  });

  it("acquires lost shards again and reconciles their objects", async () => {
    const { clock, leases, api, runs, replica } = rig();
    for (const name of names) api.put(map(name));
    const a = replica("a");
    await clock.advance(3000);
    a.network.leases = () => new Promise(() => undefined);
    await clock.advance(20_000);
    runs.length = 0;
    expect(a.held()).toEqual([]);
    a.network.leases = leases.transport;
    await clock.advance(20_000);
    expect([a.held().length, new Set(runs.map(({ key }) => key)).size]).toEqual([4, 24]);
  });
});
