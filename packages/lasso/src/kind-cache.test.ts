import { ConfigMap } from "@drover/api/core/v1";
import { describe, expect, it, onTestFinished } from "vitest";
import { KindCache } from "./kind-cache.ts";
import { lassoMetrics } from "./lasso-metrics.ts";
import type { CacheSettings } from "./new-cache.ts";
import { newSharedClientFactoryForConfig } from "./shared-client-factory.ts";
import { lassoRig } from "./testing/lasso-rig.ts";

function stage(settings: CacheSettings = {}) {
  const rig = lassoRig();
  const { runtime, cluster } = rig;
  const cache = new KindCache(ConfigMap, newSharedClientFactoryForConfig({ cluster }).forObject(ConfigMap), {
    cluster,
    metrics: lassoMetrics(runtime.metrics, ""),
    settings,
    countPeriodMs: 1000,
  });
  const stop = new AbortController();
  onTestFinished(() => stop.abort());
  return { ...rig, cache, stop };
}

describe("KindCache", () => {
  it("reports why it has not synced, until it has", async () => {
    const { cache, stop, configMaps, runtime } = stage();
    expect(cache.unsynced()).toMatchObject({ name: "/v1, Kind=ConfigMap", why: "not started; start the factory" });
    configMaps.fault(() => new Error("nobody listens"), { times: 8 });
    cache.start(stop.signal);
    expect(cache.unsynced()?.why).toBe("the list is still running");
    await runtime.clock.advance(500);
    expect(cache.unsynced()?.why).toContain("nobody listens");
    configMaps.repair();
    await runtime.clock.advance(120_000);
    expect(cache.unsynced()).toBeUndefined();
  });

  it("reports that it has ended, if it ended before it had synced", async () => {
    const { cache, stop, configMaps, runtime } = stage();
    configMaps.fault(() => "hang", { times: Infinity });
    cache.start(stop.signal);
    await runtime.clock.settle();
    stop.abort();
    await runtime.clock.advance(1000);
    await cache.ended();
    expect(cache.unsynced()?.why).toBe("it has been stopped");
    expect(() => cache.start(new AbortController().signal)).toThrow("has stopped; create a new factory");
  });

  it("is not started by a signal that has already aborted", async () => {
    const { cache, asked } = stage();
    cache.start(AbortSignal.abort());
    await cache.ended();
    expect([cache.isStarted, asked()]).toEqual([false, []]);
  });

  it("returns the permissions it needs, with the namespace", () => {
    expect(stage().cache.need).toEqual({ group: "", resource: "configmaps", verbs: ["list", "watch"] });
    expect(stage({ namespace: "shop" }).cache.need).toEqual({
      group: "",
      resource: "configmaps",
      verbs: ["list", "watch"],
      namespace: "shop",
    });
  });
});
