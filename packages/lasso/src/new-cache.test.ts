import { ConfigMap } from "@drover/api/core/v1";
import { resourceEventHandlerFuncs } from "@drover/client-go";
import type { KubeObject } from "@drover/machinery";
import { describe, expect, it, onTestFinished } from "vitest";
import { newCache } from "./new-cache.ts";
import type { CacheSettings } from "./new-cache.ts";
import { newSharedClientFactoryForConfig } from "./shared-client-factory.ts";
import { lassoRig } from "./testing/lasso-rig.ts";

function stage(settings: CacheSettings = {}) {
  const rig = lassoRig();
  const { cluster, runtime, configMaps } = rig;
  for (const namespace of ["shop", "home"]) configMaps.put({ metadata: { namespace, name: "web" } });
  const clients = newSharedClientFactoryForConfig({ cluster });
  const { object, list } = clients.newObjects(ConfigMap);
  const cache = newCache(object, list, clients.forObject(ConfigMap), { runtime, ...settings });
  const stop = new AbortController();
  onTestFinished(() => stop.abort());
  const start = async (): Promise<void> => {
    cache.run(stop.signal).catch((error: unknown) => expect.fail(String(error)));
    await runtime.clock.settle();
  };
  return { ...rig, cache, start };
}

describe("newCache", () => {
  it("sends nothing until it runs", async () => {
    const { cache, asked, start } = stage();
    expect([asked(), cache.hasSynced(), cache.getStore().list()]).toEqual([[], false, []]);
    await start();
    expect([asked(), cache.hasSynced()]).toEqual([["watch configmaps"], true]);
  });

  it("holds objects with their kind, frozen, by key and by namespace", async () => {
    const { cache, start } = stage();
    await start();
    expect(cache.getIndexer().byIndex("namespace", "shop")).toMatchObject([
      { apiVersion: "v1", kind: "ConfigMap", metadata: { namespace: "shop", name: "web" } },
    ]);
    expect(Object.isFrozen(cache.getStore().getByKey("home/web"))).toBe(true);
  });

  it("rejects examples without a kind, and a list of another kind", () => {
    const { cluster, runtime } = lassoRig();
    const clients = newSharedClientFactoryForConfig({ cluster });
    const { object, list } = clients.newObjects(ConfigMap);
    expect(() => newCache({}, list, clients.forObject(ConfigMap), { runtime })).toThrow("no apiVersion or no kind");
    expect(() => newCache(object, object, clients.forObject(ConfigMap), { runtime })).toThrow("expected v1 ConfigMapList");
  });

  it("lists in pages with watchList: false", async () => {
    const { asked, start } = stage({ watchList: false });
    await start();
    expect(asked()).toEqual(["list configmaps", "watch configmaps"]);
  });

  it("holds the objects of one namespace, and those that the list options select", async () => {
    const { cache, configMaps, start } = stage({
      namespace: "shop",
      tweakList: (options) => ({ ...options, fieldSelector: "metadata.name=web" }),
    });
    await start();
    expect(cache.getStore().listKeys()).toEqual(["shop/web"]);
    expect(configMaps.calls[0]).toMatchObject({ path: { namespace: "shop" }, options: { fieldSelector: "metadata.name=web" } });
  });

  it.each([
    ["ten hours by default", {}, 36_000_000],
    ["resyncMs", { resyncMs: 60_000 }, 60_000],
  ])("resyncs its handlers: %s", async (_how, settings, periodMs) => {
    const { cache, runtime, start } = stage(settings);
    let resyncs = 0;
    cache.addEventHandler(resourceEventHandlerFuncs<KubeObject>({ updateFunc: () => void resyncs++ }));
    await start();
    await runtime.clock.advance(periodMs * 0.9);
    expect(resyncs).toBe(0);
    // The first round is spread over the second period.
    await runtime.clock.advance(periodMs * 1.05);
    expect(resyncs).toBe(2);
  });
});
