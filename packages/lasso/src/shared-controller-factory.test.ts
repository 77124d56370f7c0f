import { ConfigMap, Secret } from "@drover/api/core/v1";
import { isNotSyncedError } from "@drover/cache";
import { statusResponse } from "@drover/client/testing";
import { ApiError, newConflict, newForbidden } from "@drover/machinery";
import { itemExponentialFailureRateLimiter } from "@drover/workqueue";
import { describe, expect, it, onTestFinished } from "vitest";
import { metricValues } from "@drover/machinery/testing";
import { newDefaultRateLimiter } from "./default-rate-limiter.ts";
import { newHandlerTransaction } from "./handler-transaction.ts";
import { RetryAfterError } from "./retry-after-error.ts";
import { newSharedCacheFactory } from "./shared-cache-factory.ts";
import { newSharedClientFactory } from "./shared-client-factory.ts";
import { newSharedControllerFactory, newSharedControllerFactoryFromConfig } from "./shared-controller-factory.ts";
import type { SharedControllerFactoryOptions } from "./shared-controller-factory.ts";
import { fixedMapper } from "./testing/fixed-mapper.ts";
import { lassoRig } from "./testing/lasso-rig.ts";

function stage(options: SharedControllerFactoryOptions = {}) {
  const rig = lassoRig();
  const { cluster, inTime } = rig;
  const { cacheOptions, ...others } = options;
  const caches = newSharedCacheFactory(newSharedClientFactory({ cluster }, { mapper: fixedMapper(ConfigMap, Secret) }), cacheOptions);
  const factory = newSharedControllerFactory(caches, others);
  const stop = new AbortController();
  onTestFinished(() => stop.abort());
  const ran: string[] = [];
  const put = (name: string, resource: "configMaps" | "secrets" = "configMaps"): void =>
    void rig[resource].put({ metadata: { namespace: "shop", name } });
  return { ...rig, factory, stop, ran, put, start: (workers?: number) => inTime(factory.start(stop.signal, workers)) };
}

describe("SharedControllerFactory", () => {
  it("returns one controller per resource from every method, and lists nothing by itself", async () => {
    const { factory, asked, start } = stage();
    const controller = factory.forObject(ConfigMap);
    const resource = { group: "", version: "v1", resource: "configmaps" };
    expect([
      factory.forResourceKind(resource, "ConfigMap", true),
      await factory.forKind(ConfigMap),
      await factory.forResource(resource, true),
    ]).toEqual([controller, controller, controller]);
    expect(factory.forObject(Secret)).not.toBe(controller);
    expect(controller.resource).toEqual(resource);
    expect(() => factory.forResourceKind(resource, "Map", true)).toThrow("already has the kind ConfigMap");
    await start();
    expect(asked()).toEqual([]);
  });

  it.each([
    ["registers a handler", "registerHandler"],
    ["enqueues a key", "enqueueKey"],
    ["enqueues a name", "enqueue"],
    ["enqueues a name with a delay", "enqueueAfter"],
    ["requests the informer", "informer"],
  ] as const)("lists a kind once, as soon as a caller %s", async (_what, how) => {
    const { factory, stop, asked, start } = stage();
    factory.forObject(Secret);
    const controller = factory.forObject(ConfigMap);
    if (how === "registerHandler") for (const name of ["a", "b"]) controller.registerHandler(stop.signal, name, () => undefined);
    else if (how === "enqueueKey") controller.enqueueKey("shop/web");
    else if (how === "enqueue") controller.enqueue("shop", "web");
    else if (how === "enqueueAfter") controller.enqueueAfter("shop", "web", 5000);
    else controller.informer();
    expect(asked()).toEqual([]);
    await start();
    expect(asked()).toEqual(["watch configmaps"]);
  });

  it("passes a key to all handlers in order, and again if one fails, until none does (§3.27)", async () => {
    const { factory, stop, ran, put, start, runtime } = stage();
    put("web");
    const controller = factory.forObject(ConfigMap);
    let failures = 2;
    controller.registerHandler(stop.signal, "flaky", (key) => {
      ran.push(`flaky ${key}`);
      if (failures-- > 0) throw new Error("not yet");
    });
    controller.registerHandler(
      stop.signal,
      "steady",
      (key, object, { causes, attempts }) =>
        void ran.push(`steady ${key} ${object?.kind} ${attempts} ${causes.map(({ type }) => type).join()}`),
    );
    await start();
    expect(ran).toEqual([
      "flaky shop/web",
      "steady shop/web ConfigMap 0 change",
      "flaky shop/web",
      "steady shop/web ConfigMap 1 retry",
      "flaky shop/web",
      "steady shop/web ConfigMap 2 retry",
    ]);
    expect(runtime.log.entries.find(({ level }) => level === "error")).toMatchObject({
      fields: { key: "shop/web", error: { message: "handler flaky: not yet" } },
    });
  });

  it("passes a deleted key without an object", async () => {
    const { factory, stop, ran, put, start, configMaps, runtime } = stage();
    put("web");
    factory
      .forObject(ConfigMap)
      .registerHandler(stop.signal, "see", (key, object) => void ran.push(`${key} ${object === undefined ? "gone" : "there"}`));
    await start();
    configMaps.remove("shop/web");
    await runtime.clock.settle();
    expect(ran).toEqual(["shop/web there", "shop/web gone"]);
  });

  it("runs keys enqueued before the start, and keeps their delays", async () => {
    const { factory, stop, ran, start, runtime } = stage();
    const controller = factory.forObject(ConfigMap);
    controller.enqueueKey("shop/now", { note: "early bird" });
    controller.enqueue("shop", "too");
    controller.enqueueAfter("shop", "later", 10_000);
    controller.registerHandler(stop.signal, "see", (key, _object, { causes }) => void ran.push(`${key} ${JSON.stringify(causes)}`));
    await start();
    expect(ran).toEqual(['shop/now [{"type":"enqueue","note":"early bird"}]', 'shop/too [{"type":"enqueue"}]']);
    await runtime.clock.advance(7999);
    expect(ran).toHaveLength(2);
    await runtime.clock.advance(1);
    expect(ran[2]).toContain("shop/later");
  });

  it("trap 14: enqueue is a plain add and never counts as a failure", async () => {
    const { factory, stop, start, runtime } = stage();
    const controller = factory.forObject(ConfigMap);
    const attempts: number[] = [];
    controller.registerHandler(stop.signal, "see", (_key, _object, context) => void attempts.push(context.attempts));
    await start();
    for (let round = 0; round < 40; round++) {
      controller.enqueue("shop", "web");
      await runtime.clock.settle();
    }
    expect(attempts).toEqual(Array.from({ length: 40 }, () => 0));
  });

  it("trap 13: failures of one kind do not delay a key of the same name of another kind", async () => {
    const { factory, stop, put, start, runtime } = stage({ defaultRateLimiter: () => itemExponentialFailureRateLimiter(1000, 1_000_000) });
    put("web");
    put("web", "secrets");
    const times: Record<string, number[]> = { ConfigMap: [], Secret: [] };
    let secretFails = 1;
    factory.forObject(ConfigMap).registerHandler(stop.signal, "always", () => {
      times["ConfigMap"]?.push(runtime.clock.monotonic());
      throw new Error("never");
    });
    factory.forObject(Secret).registerHandler(stop.signal, "once", () => {
      times["Secret"]?.push(runtime.clock.monotonic());
      if (secretFails-- > 0) throw new Error("once");
    });
    await start();
    await runtime.clock.advance(20_000);
    const gaps = (list: readonly number[] = []): readonly number[] => list.slice(1).map((at, index) => at - (list[index] ?? 0));
    expect(gaps(times["ConfigMap"])).toEqual([1000, 2000, 4000, 8000]);
    expect(gaps(times["Secret"])).toEqual([1000]);
  });

  it("trap 13: rejects a rate limiter factory that returns one limiter for two kinds", () => {
    const shared = newDefaultRateLimiter();
    const { factory } = stage({ defaultRateLimiter: () => shared });
    factory.forObject(ConfigMap).informer();
    expect(() => factory.forObject(Secret).informer()).toThrow("the rate limiter of /v1, Kind=Secret is already used for another kind");
  });

  it("uses the rate limiter of a kind", async () => {
    const { factory, stop, put, start, runtime } = stage({
      kindRateLimiter: [[ConfigMap, () => itemExponentialFailureRateLimiter(60_000, 60_000)]],
    });
    put("web");
    let runs = 0;
    factory.forObject(ConfigMap).registerHandler(stop.signal, "fail", () => {
      runs++;
      throw new Error("never");
    });
    await start();
    await runtime.clock.advance(57_000);
    expect(runs).toBe(1);
    await runtime.clock.advance(3000);
    expect(runs).toBe(2);
  });

  it.each([
    ["the kind's own number", { kindWorkers: [[ConfigMap, 3]], defaultWorkers: 7 } as const, 4, 3],
    ["the number given at the start", { defaultWorkers: 7 }, 4, 4],
    ["the default of the factory", { defaultWorkers: 2 }, undefined, 2],
    ["five by default", {}, undefined, 5],
  ])("limits concurrent keys: %s", async (_who, options, asked, expected) => {
    const { factory, stop, put, start } = stage(options);
    for (let n = 0; n < 10; n++) put(`web-${n}`);
    let [active, most] = [0, 0];
    factory.forObject(ConfigMap).registerHandler(stop.signal, "slow", async (_key, _object, { signal }) => {
      most = Math.max(most, ++active);
      await new Promise((resolve) => signal.addEventListener("abort", resolve));
    });
    await start(asked);
    expect(most).toBe(expected);
  });

  it("trap 15: rejects cache options that an existing cache factory cannot apply", async () => {
    const { cluster, configMaps, runtime } = lassoRig();
    const caches = newSharedCacheFactory(newSharedClientFactory({ cluster }));
    expect(() => newSharedControllerFactory(caches, { cacheOptions: { defaultNamespace: "shop" } })).toThrow("cacheOptions cannot apply");
    const factory = newSharedControllerFactoryFromConfig({ cluster }, { cacheOptions: { defaultNamespace: "shop" } });
    factory.forObject(ConfigMap).informer();
    const stop = new AbortController();
    const over = factory.run(stop.signal);
    await runtime.clock.advance(1000);
    expect(configMaps.calls[0]?.path.namespace).toBe("shop");
    stop.abort();
    await runtime.clock.advance(1000);
    await over;
  });

  it("ignores resyncs with syncOnlyChangedObjects", async () => {
    for (const [syncOnlyChangedObjects, expected] of [
      [true, 1],
      [false, 4],
    ] as const) {
      const { factory, stop, put, start, runtime } = stage({ syncOnlyChangedObjects, cacheOptions: { defaultResyncMs: 10_000 } });
      put("web");
      let runs = 0;
      factory.forObject(ConfigMap).registerHandler(stop.signal, "count", () => void runs++);
      await start();
      await runtime.clock.advance(33_000);
      expect(runs).toBe(expected);
    }
  });

  it("retries a conflict without an error in the log", async () => {
    const { factory, stop, put, start, runtime } = stage();
    put("web");
    let runs = 0;
    factory.forObject(ConfigMap).registerHandler(stop.signal, "write", () => {
      if (++runs === 1)
        throw new ApiError(
          newConflict({ group: "", resource: "configmaps" }, "web", "please apply your changes to the latest version and try again"),
        );
    });
    await start();
    expect([runs, runtime.log.entries.filter(({ level }) => level === "warn" || level === "error")]).toEqual([2, []]);
  });

  it("runs a key again on RetryAfterError, without a log line and without counting a failure", async () => {
    const { factory, stop, put, start, runtime } = stage();
    put("web");
    const attempts: number[] = [];
    factory.forObject(ConfigMap).registerHandler(stop.signal, "later", (_key, _object, context) => {
      attempts.push(context.attempts);
      if (attempts.length === 1) throw new RetryAfterError(30_000);
    });
    await start();
    await runtime.clock.advance(27_000);
    expect(attempts).toEqual([0]);
    await runtime.clock.advance(2000);
    expect(attempts).toEqual([0, 0]);
    expect(runtime.log.entries.filter(({ level }) => level === "warn" || level === "error")).toEqual([]);
  });

  it("trap 25: an error of a handler ends neither the process nor another key", async () => {
    const { factory, stop, ran, put, start } = stage();
    for (const name of ["bad", "good"]) put(name);
    factory.forObject(ConfigMap).registerHandler(stop.signal, "thrower", (key) => {
      ran.push(key);
      // oxlint-disable-next-line typescript/only-throw-error -- handlers may throw anything
      if (key === "shop/bad") throw undefined;
    });
    await start(1);
    expect(ran.filter((key) => key === "shop/good")).toHaveLength(1);
    expect(ran.filter((key) => key === "shop/bad").length).toBeGreaterThan(2);
  });

  it("runs every key again when a handler is registered late, with all handlers, and names it in the causes", async () => {
    const { factory, stop, ran, put, start, runtime } = stage();
    for (const name of ["a", "b"]) put(name);
    const controller = factory.forObject(ConfigMap);
    controller.registerHandler(stop.signal, "early", (key) => void ran.push(`early ${key}`));
    await start(1);
    expect(ran).toEqual(["early shop/a", "early shop/b"]);
    controller.registerHandler(stop.signal, "late", (key, _object, { causes }) => void ran.push(`late ${key} ${JSON.stringify(causes)}`));
    await runtime.clock.settle();
    expect(ran.slice(2)).toEqual(
      ["a", "b"].flatMap((name) => [`early shop/${name}`, `late shop/${name} [{"type":"enqueue","note":"handler late was registered"}]`]),
    );
  });

  it("starts the handlers of a transaction on commit, though their caches exist before", async () => {
    const { factory, stop, ran, put, start, runtime, asked } = stage();
    put("web");
    const [kept, dropped] = [newHandlerTransaction(stop.signal), newHandlerTransaction(stop.signal)];
    const controller = factory.forObject(ConfigMap);
    controller.registerHandler(kept, "kept", (key) => void ran.push(`kept ${key}`));
    controller.registerHandler(dropped, "dropped", (key) => void ran.push(`dropped ${key}`));
    await start();
    expect([asked(), ran]).toEqual([["watch configmaps"], []]);
    dropped.rollback();
    kept.commit();
    await runtime.clock.settle();
    expect(ran).toEqual(["kept shop/web"]);
  });

  it("starts what was added since when it is started again, and nothing twice (§3.35)", async () => {
    const { factory, stop, ran, put, start, asked } = stage();
    put("web");
    put("key", "secrets");
    factory.forObject(ConfigMap).registerHandler(stop.signal, "see", (key) => void ran.push(key));
    await start();
    factory.forObject(Secret).registerHandler(stop.signal, "see", (key) => void ran.push(key));
    await start();
    expect([asked(), ran]).toEqual([
      ["watch configmaps", "watch secrets"],
      ["shop/web", "shop/key"],
    ]);
  });

  it("trap 24: does not start if a cache does not sync, reports the reason, and may be started again", async () => {
    const { factory, stop, ran, put, start, secrets, runtime, inTime } = stage({ syncTimeoutMs: 20_000 });
    put("web");
    secrets.fault(() => statusResponse(newForbidden({ group: "", resource: "secrets" }, "", "not you")), { times: Infinity });
    factory.forObject(ConfigMap).registerHandler(stop.signal, "see", (key) => void ran.push(key));
    factory.forObject(Secret).informer();
    await expect(inTime(factory.start(stop.signal), 20_000)).rejects.toSatisfy(
      (error) => isNotSyncedError(error) && error.message.includes("Kind=Secret (403 Forbidden: "),
    );
    expect(ran).toEqual([]);
    secrets.repair();
    await runtime.clock.advance(60_000);
    await start();
    expect(ran).toEqual(["shop/web"]);
  });

  it("returns controllers to a handler, and to any caller while it starts", async () => {
    const { factory, stop, put, start, asked } = stage();
    put("web");
    factory.forObject(ConfigMap).registerHandler(stop.signal, "asks", () => void factory.forObject(Secret).informer());
    await start();
    await start();
    expect(asked()).toEqual(["watch configmaps", "watch secrets"]);
  });

  it("ends with its signal, when the running handlers have ended", async () => {
    const { factory, stop, put, start, runtime } = stage();
    put("web");
    const told: string[] = [];
    factory.forObject(ConfigMap).registerHandler(stop.signal, "long", async (_key, _object, { draining }) => {
      await new Promise((resolve) => draining.addEventListener("abort", resolve));
      told.push("draining");
    });
    await start();
    let isOver = false;
    const over = factory.ended().then(() => (isOver = true));
    await runtime.clock.settle();
    expect(isOver).toBe(false);
    stop.abort();
    await runtime.clock.advance(1000);
    await over;
    expect(told).toEqual(["draining"]);
  });

  it("records metrics under Lasso's names, with the controller's resource and the context", async () => {
    const { factory, stop, put, start, runtime } = stage({ contextId: "east" });
    put("web");
    factory.forObject(ConfigMap).registerHandler(stop.signal, "count", () => undefined);
    await start();
    expect(metricValues(runtime.metrics, "lasso_controller_total_handler_execution")).toEqual({
      "east,/v1, Resource=configmaps,count,false": 1,
    });
  });

  it("has a client per controller that reaches its resource", () => {
    const { factory } = stage();
    expect(factory.forObject(ConfigMap).client().gvr.resource).toBe("configmaps");
  });
});
