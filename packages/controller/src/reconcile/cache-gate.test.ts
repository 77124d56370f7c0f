import { ConfigMap } from "@drover/api/core/v1";
import { ScriptedApi } from "@drover/cache/testing";
import { jsonResponse } from "@drover/client/testing";
import type { Transport } from "@drover/machinery";
import { ManualClock, metricValues, testRuntime } from "@drover/machinery/testing";
import { describe, expect, it } from "vitest";
import { createCluster } from "@drover/cache";
import type { Cluster } from "@drover/cache";
import { createController } from "./controller.ts";
import type { Controller } from "./controller.ts";
import type { Reconciler } from "./reconciler.ts";
import { done } from "./result.ts";
import { keyOf } from "./testing/controller-rig.ts";

const web = keyOf("shop/web");
const child = keyOf("shop/web-child");

interface Stage {
  readonly clock: ManualClock;
  readonly api: ScriptedApi;
  readonly cluster: Cluster;
  readonly controller: Controller;
  readonly waits: () => number;
  readonly created: string[];
  /** What the cache shows. */
  readonly cached: (key: string) => boolean;
  /** Ends the watch of the kind. */
  readonly unwatch: () => void;
  readonly stop: () => Promise<void>;
}

/** A controller whose cache follows the server only when the test allows it; every run that sees no child creates one. */
async function stage(reconcile?: (see: (key: string) => boolean) => Reconciler): Promise<Stage> {
  const clock = new ManualClock({ quietTurns: 64 });
  const runtime = testRuntime({ clock });
  const api = new ScriptedApi({ clock, random: runtime.random });
  const created: string[] = [];
  const transport: Transport = async (request) => {
    if (request.method !== "POST") return api.transport(request);
    const name = `web-child${created.length === 0 ? "" : created.length}`;
    created.push(name);
    api.put({ metadata: { namespace: "shop", name } });
    const { object } = { object: api.objects.get(`shop/${name}`) };
    return Promise.resolve(jsonResponse(object, { status: 201 }));
  };
  const cluster = createCluster({ runtime, transport, namespace: "shop", informers: { audit: false } });
  const lease = cluster.informers.acquire(ConfigMap, { namespace: "shop" });
  const unwatch = cluster.watchedKinds.add(ConfigMap, lease.informer, { namespace: "shop" });
  const cached = (key: string): boolean => lease.informer.getVersion(keyOf(key)) !== undefined;
  const end = new AbortController();
  const caches = cluster.run(end.signal);
  await clock.advance(100);
  const controller = createController({
    name: "web",
    cluster,
    reconcile:
      reconcile?.(cached) ??
      (async ({ client }) => {
        if (!cached(child)) await client.create(ConfigMap, { metadata: { name: "web-child" } });
        return done;
      }),
  });
  const running = controller.run(end.signal);
  await clock.settle();
  return {
    clock,
    api,
    cluster,
    controller,
    created,
    cached,
    unwatch,
    waits: () => metricValues(runtime.metrics, "drover_reconcile_cache_waits_total")["web"] ?? 0,
    stop: async () => {
      end.abort();
      await clock.advance(10_000);
      await Promise.all([running, caches]);
    },
  };
}

describe("CacheGate: a run waits until the caches show the writes of earlier runs of its key", () => {
  it("E1: creates no second child, however far the watch is behind", async () => {
    const { clock, api, controller, created, waits, stop } = await stage();
    api.lagBy(1000);
    controller.enqueue(web);
    await clock.advance(10);
    expect(created.length).toBe(1);
    for (let again = 0; again < 5; again++) {
      controller.enqueue(web, { note: `change ${again}` });
      await clock.advance(1000);
    }
    expect([created.length, waits(), controller.inspect(web)?.state, controller.state().active]).toEqual([1, 1, "waiting", 0]);
    api.lagBy(0);
    await clock.advance(10);
    expect([created.length, controller.inspectAll()]).toEqual([1, []]);
    await stop();
  });

  it("keeps all causes that arrive meanwhile, and occupies no worker", async () => {
    const runs: (readonly [string, readonly (string | undefined)[], number])[] = [];
    const { clock, api, controller, stop } = await stage(() => async ({ key, causes, causeCount, client }) => {
      runs.push([key, causes.map((cause) => (cause.type === "enqueue" ? cause.note : cause.type)), causeCount]);
      if (key === web && runs.length === 1) await client.create(ConfigMap, { metadata: { name: "web-child" } });
      return done;
    });
    api.lagBy(1000);
    controller.enqueue(web, { note: "first" });
    await clock.advance(10);
    for (let change = 0; change < 12; change++) controller.enqueue(web, { note: `change ${change}` });
    controller.enqueue(keyOf("shop/other"), { note: "other" });
    await clock.advance(1000);
    expect(runs).toEqual([
      ["shop/web", ["first"], 1],
      ["shop/other", ["other"], 1],
    ]);
    api.lagBy(0);
    await clock.advance(10);
    expect(runs[2]).toEqual([
      "shop/web",
      ["change 0", "change 1", "change 2", "change 3", "change 4", "change 5", "change 6", "change 7"],
      12,
    ]);
    controller.enqueue(web, { note: "later" });
    await clock.advance(10);
    expect(runs[3]).toEqual(["shop/web", ["later"], 1]);
    await stop();
  });

  it("waits at most ten seconds after the write", async () => {
    const { clock, api, controller, created, stop } = await stage();
    api.lagBy(1000);
    controller.enqueue(web);
    await clock.advance(10);
    controller.enqueue(web);
    await clock.advance(9_900);
    expect(created.length).toBe(1);
    await clock.advance(200);
    expect([created.length, controller.state().ready, controller.state().active]).toEqual([2, 0, 0]);
    await stop();
  });

  it("does not wait for writes of other keys, nor for kinds that are no longer watched", async () => {
    const { clock, api, controller, created, waits, unwatch, stop } = await stage();
    api.lagBy(1000);
    controller.enqueue(web);
    await clock.advance(10);
    controller.enqueue(keyOf("shop/other"));
    await clock.advance(10);
    expect([created.length, waits()]).toEqual([2, 0]);
    controller.enqueue(web);
    await clock.advance(10);
    expect([created.length, waits()]).toEqual([2, 1]);
    unwatch();
    await clock.advance(10);
    expect([created.length, waits()]).toEqual([3, 1]);
    await stop();
  });

  it("does not wait for a cache that is already ahead", async () => {
    const { clock, controller, created, waits, stop } = await stage();
    controller.enqueue(web);
    await clock.advance(10);
    controller.enqueue(web);
    await clock.advance(10);
    expect([created.length, waits(), controller.inspectAll()]).toEqual([1, 0, []]);
    await stop();
  });
});
