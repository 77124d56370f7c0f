import { ConfigMap } from "@drover/api/core/v1";
import type { KubeObject } from "@drover/machinery";
import { describe, expect, it, onTestFinished } from "vitest";
import { createLassoController } from "./lasso-controller.ts";
import type { LassoHandler } from "./lasso-controller.ts";
import { newCache } from "./new-cache.ts";
import { newSharedClientFactoryForConfig } from "./shared-client-factory.ts";
import { lassoRig } from "./testing/lasso-rig.ts";

function stage(handler: LassoHandler, startCache?: (signal: AbortSignal) => void | Promise<void>) {
  const rig = lassoRig();
  const { cluster, runtime } = rig;
  const clients = newSharedClientFactoryForConfig({ cluster });
  const { object, list } = clients.newObjects(ConfigMap);
  const informer = newCache<KubeObject>(object, list, clients.forObject(ConfigMap), { runtime });
  const run = (signal: AbortSignal): void => void informer.run(signal).catch((error: unknown) => expect.fail(String(error)));
  const controller = createLassoController<KubeObject>("maps", informer, startCache ?? run, handler, { cluster, syncTimeoutMs: 5000 });
  const stop = new AbortController();
  onTestFinished(() => stop.abort());
  return { ...rig, informer, controller, stop, run };
}

describe("controller.New", () => {
  it("calls its handler with every key and the cached object", async () => {
    const seen: string[] = [];
    const { controller, configMaps, stop, inTime, informer } = stage((key, object) => void seen.push(`${key} ${object?.metadata.name}`));
    configMaps.put({ metadata: { namespace: "shop", name: "web" } });
    controller.enqueueKey("shop/ghost");
    await inTime(controller.start(stop.signal, 1));
    expect(seen.toSorted()).toEqual(["shop/ghost undefined", "shop/web web"]);
    expect(controller.informer()).toBe(informer);
  });

  it("starts once, however often start is called, and ends with its signal", async () => {
    let started = 0;
    const { controller, stop, inTime, runtime, run } = stage(
      () => undefined,
      (signal) => {
        started++;
        run(signal);
      },
    );
    await controller.ended();
    await inTime(Promise.all([controller.start(stop.signal, 1), controller.start(stop.signal, 1)]));
    await controller.start(stop.signal, 1);
    expect(started).toBe(1);
    stop.abort();
    await runtime.clock.advance(1000);
    await controller.ended();
  });

  it("rejects if its cache cannot be started, and may be started again", async () => {
    let attempts = 0;
    const seen: string[] = [];
    const { controller, stop, inTime, run } = stage(
      (key) => void seen.push(key),
      (signal) => {
        if (++attempts === 1) throw new Error("not today");
        run(signal);
      },
    );
    controller.enqueue("shop", "web");
    await expect(controller.start(stop.signal, 1)).rejects.toThrow("not today");
    await inTime(controller.start(stop.signal, 1));
    expect(seen).toEqual(["shop/web"]);
  });

  it("trap 24: rejects if its cache does not sync in time, and names it", async () => {
    const { controller, stop, inTime } = stage(
      () => undefined,
      () => undefined,
    );
    await expect(inTime(controller.start(stop.signal, 1), 5000)).rejects.toThrow(/maps.*its informer has not synced/);
  });

  it("rejects if its cache has already ended", async () => {
    const { controller, stop, inTime, runtime, informer } = stage(
      () => undefined,
      () => undefined,
    );
    const ending = new AbortController();
    informer.run(ending.signal).catch((error: unknown) => expect.fail(String(error)));
    ending.abort();
    await runtime.clock.settle();
    await expect(inTime(controller.start(stop.signal, 1))).rejects.toThrow("cannot add a handler to configmaps in all namespaces");
  });
});
