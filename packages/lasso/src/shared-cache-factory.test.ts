import { ConfigMap, Node, Secret } from "@drover/api/core/v1";
import { isNotSyncedError } from "@drover/cache";
import { statusResponse } from "@drover/client/testing";
import { newForbidden } from "@drover/machinery";
import { describe, expect, it, onTestFinished } from "vitest";
import { metricValues } from "@drover/machinery/testing";
import { newSharedCachedFactory, newSharedCacheFactory } from "./shared-cache-factory.ts";
import type { SharedCacheFactoryOptions } from "./shared-cache-factory.ts";
import { newSharedClientFactory } from "./shared-client-factory.ts";
import { fixedMapper } from "./testing/fixed-mapper.ts";
import { lassoRig } from "./testing/lasso-rig.ts";

const configMapResource = { group: "", version: "v1", resource: "configmaps" };

function stage(options: SharedCacheFactoryOptions = {}) {
  const rig = lassoRig();
  const factory = newSharedCacheFactory(
    newSharedClientFactory({ cluster: rig.cluster }, { mapper: fixedMapper(ConfigMap, Secret, Node) }),
    options,
  );
  const stop = new AbortController();
  onTestFinished(() => stop.abort());
  const forbid = (): void =>
    rig.secrets.fault(() => statusResponse(newForbidden({ group: "", resource: "secrets" }, "", "not you")), { times: Infinity });
  return { ...rig, factory, stop, forbid };
}

describe("SharedCacheFactory", () => {
  it("returns one cache per kind from every method, and sends no request", async () => {
    const { factory, asked } = stage();
    const cache = factory.forResourceKind(configMapResource, "ConfigMap", true);
    expect(factory.forObject(ConfigMap)).toBe(cache);
    expect(await factory.forKind(ConfigMap)).toBe(cache);
    expect(await factory.forResource(configMapResource, true)).toBe(cache);
    expect(factory.forObject(Secret)).not.toBe(cache);
    expect(asked()).toEqual([]);
    expect(newSharedCachedFactory).toBe(newSharedCacheFactory);
  });

  it("rejects one kind under two resources or two scopes", () => {
    const { factory } = stage();
    factory.forObject(ConfigMap);
    expect(() => factory.forResourceKind({ ...configMapResource, resource: "maps" }, "ConfigMap", true)).toThrow(
      "the cache of /v1, Kind=ConfigMap already uses /v1, Resource=configmaps (namespaced)",
    );
    expect(() => factory.forResourceKind(configMapResource, "ConfigMap", false)).toThrow("(cluster-scoped)");
  });

  it("starts each cache once, also those added later, and one alone with startGVK", async () => {
    const { factory, runtime, stop, asked, inTime } = stage();
    factory.forObject(ConfigMap);
    factory.start(stop.signal);
    factory.forObject(Secret);
    await inTime(factory.waitForCacheSync(stop.signal));
    expect(asked()).toEqual(["watch configmaps"]);
    factory.startGVK(stop.signal, Node);
    factory.startGVK(stop.signal, Secret);
    factory.start(stop.signal);
    await runtime.clock.settle();
    expect(asked()).toEqual(["watch configmaps", "watch secrets"]);
    stop.abort();
    await runtime.clock.settle();
    await factory.ended();
  });

  it("rejects starting a cache that has ended", async () => {
    const { factory, runtime, stop, inTime } = stage();
    factory.forObject(ConfigMap);
    factory.start(stop.signal);
    await inTime(factory.waitForCacheSync(stop.signal));
    stop.abort();
    await runtime.clock.settle();
    await factory.ended();
    expect(() => factory.start(new AbortController().signal)).toThrow("the cache of /v1, Kind=ConfigMap has stopped");
  });

  it("trap 24: logs the unsynced caches with reasons, and rejects with the same", async () => {
    const { factory, runtime, stop, forbid } = stage();
    forbid();
    factory.forObject(ConfigMap);
    factory.forObject(Secret);
    factory.start(stop.signal);
    const failed = expect(factory.waitForCacheSync(stop.signal, { timeoutMs: 40_000 })).rejects.toSatisfy(
      (error) => isNotSyncedError(error) && /^1 of the caches .*Kind=Secret \(403 Forbidden: .*not you\) \[DRV0501\]$/.test(error.message),
    );
    await runtime.clock.advance(40_000);
    await failed;
    const said = runtime.log.entries.filter(({ message }) => message === "caches have not synced yet");
    expect(said).toHaveLength(2);
    expect(JSON.stringify(said[0]?.fields)).toContain("Kind=Secret (403 Forbidden: ");
  });

  it("trap 24: stops waiting with the signal's reason", async () => {
    const { factory, runtime, stop, forbid } = stage();
    forbid();
    factory.forObject(Secret);
    factory.start(stop.signal);
    const failed = expect(factory.waitForCacheSync(stop.signal, { timeoutMs: Infinity })).rejects.toBe("enough");
    await runtime.clock.advance(1000);
    stop.abort("enough");
    await failed;
  });

  it("reports that a cache was not started when waiting for it by kind", async () => {
    const { factory, runtime, stop } = stage();
    factory.forObject(Secret);
    const failed = expect(factory.waitForCacheSync(stop.signal, { timeoutMs: 1000 }, Secret)).rejects.toThrow(
      "not started; start the factory",
    );
    await runtime.clock.advance(1000);
    await failed;
  });

  it("trap 15: applies namespace, resync and list options, those of a kind before the defaults", async () => {
    const { factory, runtime, configMaps, secrets, stop, inTime } = stage({
      defaultNamespace: "shop",
      kindNamespace: [[Secret, "vault"]],
      defaultTweakList: (options) => ({ ...options, labelSelector: "common" }),
      kindTweakList: [[Secret, (options) => ({ ...options, labelSelector: "own" })]],
      defaultResyncMs: 5000,
      kindResyncMs: [[Secret, 0]],
      defaultWatchList: false,
    });
    for (const namespace of ["shop", "vault"])
      for (const api of [configMaps, secrets]) api.put({ metadata: { namespace, name: "web", labels: { common: "", own: "" } } });
    const resyncs: string[] = [];
    for (const cache of [factory.forObject(ConfigMap), factory.forObject(Secret)]) {
      cache.addEventHandler({
        onAdd: () => undefined,
        onDelete: () => undefined,
        onUpdate: (_before: unknown, object: { readonly kind?: string }) => void resyncs.push(object.kind ?? ""),
      });
    }
    factory.start(stop.signal);
    await inTime(factory.waitForCacheSync(stop.signal));
    expect([...configMaps.calls, ...secrets.calls].filter(({ verb }) => verb === "list")).toMatchObject([
      { path: { namespace: "shop" }, options: { labelSelector: "common" } },
      { path: { namespace: "vault" }, options: { labelSelector: "own" } },
    ]);
    await runtime.clock.advance(12_000);
    expect(resyncs).toEqual(["ConfigMap", "ConfigMap"]);
  });

  it("ignores the default namespace for cluster-scoped kinds, and rejects one set for such a kind", () => {
    expect(stage({ defaultNamespace: "shop" }).factory.forObject(Node)).toBeDefined();
    expect(() => stage({ kindNamespace: [[Node, "shop"]] }).factory.forObject(Node)).toThrow(
      "cannot limit the cache of nodes to namespace shop",
    );
  });

  it("counts cached objects: zero before the start, then their number, and nothing after the end (§3.9)", async () => {
    const { factory, runtime, configMaps, stop } = stage({ contextId: "east", metricsCollectionPeriodMs: 1000 });
    const series = (): readonly unknown[] =>
      [
        ...(runtime.metrics
          .families()
          .find(({ name }) => name === "lasso_controller_total_cached_object")
          ?.samples() ?? []),
      ].map(({ labelValues, series: { value } }) => [labelValues.join(), value]);
    factory.forObject(ConfigMap);
    expect(series()).toEqual([["east,,v1,ConfigMap", 0]]);
    for (const name of ["a", "b"]) configMaps.put({ metadata: { namespace: "shop", name } });
    factory.start(stop.signal);
    await runtime.clock.advance(1000);
    configMaps.remove("shop/a");
    expect(metricValues(runtime.metrics, "lasso_controller_total_cached_object")).toEqual({ "east,,v1,ConfigMap": 2 });
    await runtime.clock.advance(1000);
    expect(series()).toEqual([["east,,v1,ConfigMap", 1]]);
    stop.abort();
    await runtime.clock.settle();
    await factory.ended();
    expect(series()).toEqual([]);
  });
});
