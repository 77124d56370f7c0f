/** The table of hostile values under the names of client-go, Lasso and Wrangler; see hostile-values.test.ts. */
import { ConfigMap, ResourceQuota } from "@drover/api/core/v1";
import { createCluster, listWatchFromClient } from "@drover/cache";
import type { Cluster } from "@drover/cache";
import {
  clusterIndexInformer,
  filteringResourceEventHandler,
  metaNamespaceKeyFunc,
  newController,
  newDeltaFIFO,
  newNamedReflector,
  newRateLimitingQueue,
  newSharedInformerFactory,
  newStore,
  processNextWorkItem,
} from "@drover/client-go";
import type { DeletedObject, ResourceEventHandler } from "@drover/client-go";
import { newSharedControllerFactoryFromConfig } from "@drover/lasso";
import type { DeepReadonly, KubeObject } from "@drover/machinery";
import { ManualClock } from "@drover/machinery/testing";
import { cond, newApply, newFactory, registerGeneratingHandler, registerStatusHandler, relatedresource } from "@drover/wrangler";
import type { Factory } from "@drover/wrangler";
import { describe, expect, it } from "vitest";
import type { HarnessApp, HarnessPlace } from "./harness/harness-app.ts";
import type { Harness } from "./harness/harness.ts";
import { Mine, chosen, quietly, survives } from "./testing/hostile-scene.ts";

const nameOf = (object: DeletedObject<KubeObject>): string | undefined => ("metadata" in object ? object.metadata.name : undefined);
const clusterAt = ({ runtime, transport, namespace }: HarnessPlace): Cluster =>
  createCluster({ runtime, transport, namespace, fieldManager: "app" });

/** Runs something of client-go until the signal aborts. */
const running =
  (start: (cluster: Cluster, place: HarnessPlace) => { run(signal: AbortSignal): Promise<unknown> }) =>
  (place: HarnessPlace): ReturnType<Extract<HarnessApp, (place: HarnessPlace) => unknown>> => {
    const cluster = clusterAt(place);
    const started = start(cluster, place);
    return { controllers: [], run: async (signal) => void (await Promise.all([cluster.run(signal), started.run(signal)])) };
  };

const patchTwice = async (t: Harness): Promise<void> => {
  for (const data of [{ a: "1" }, { a: "2" }])
    for (const { metadata } of await t.list(ConfigMap)) await t.patch(ConfigMap, metadata.name ?? "", { data });
};
const deleteAll = async (t: Harness): Promise<void> => {
  for (const { metadata } of await t.list(ConfigMap)) await t.delete(ConfigMap, metadata.name ?? "");
};
/** Every object is deleted three times: handlers are not called again for an event that they failed on. */
const deleteThrice = async (t: Harness): Promise<void> => {
  for (let times = 0; times < 3; times++) {
    const names = (await t.list(ConfigMap)).map(({ metadata }) => metadata.name ?? "");
    await deleteAll(t);
    for (const name of names) await t.create(ConfigMap, { metadata: { name } });
    await t.advance("1s");
  }
};
const ignored: ResourceEventHandler<ConfigMap> = { onAdd: () => undefined, onUpdate: () => undefined, onDelete: () => undefined };

describe("hostile values thrown under client-go's names (SEC6)", { timeout: 60_000 }, () => {
  const handled =
    (handler: (mine: Mine) => Partial<ResourceEventHandler<ConfigMap>>) =>
    (mine: Mine): HarnessApp =>
      running((cluster) => {
        const informer = clusterIndexInformer(cluster, ConfigMap, { request: {} });
        informer.addEventHandler({ ...ignored, ...handler(mine) });
        return informer;
      });

  it("ResourceEventHandler.onAdd", () =>
    survives(
      handled((mine) => ({ onAdd: (object) => mine.go(object.metadata.name), onUpdate: (_, object) => mine.go(nameOf(object)) })),
      {
        afterwards: patchTwice,
      },
    ));
  it("ResourceEventHandler.onUpdate", () =>
    survives(
      handled((mine) => ({ onUpdate: async (_, object) => mine.go(object.metadata.name) })),
      {
        afterwards: async (t) => {
          await patchTwice(t);
          await t.advance("1s");
          await patchTwice(t);
        },
      },
    ));
  it("ResourceEventHandler.onDelete", () =>
    survives(
      handled((mine) => ({ onDelete: (object) => mine.go(nameOf(object)) })),
      { afterwards: deleteThrice },
    ));
  it("FilteringOptions.filterFunc", () =>
    survives(
      handled((mine) =>
        filteringResourceEventHandler({
          filterFunc: (object) => {
            mine.go(object.metadata.name);
            return true;
          },
          handler: ignored,
        }),
      ),
      { afterwards: patchTwice },
    ));
  it("SharedInformerFactoryOptions.transform", () =>
    survives(
      (mine) =>
        running((cluster) => {
          const factory = newSharedInformerFactory({ cluster }, 0, {
            transform: (object) => {
              mine.go(object.metadata.name);
              return object;
            },
          });
          factory.core().v1().configMaps().informer();
          return {
            run: async (signal) => {
              factory.start(signal);
              await factory.shutdown();
            },
          };
        }),
      { afterwards: patchTwice },
    ));
  it("IndexFunc", () =>
    survives(
      (mine) =>
        running((cluster) => {
          const informer = clusterIndexInformer(cluster, ConfigMap, {
            request: {},
            indexers: {
              mined: (object) => {
                mine.go(object.metadata.name);
                return [];
              },
            },
          });
          return informer;
        }),
      { afterwards: patchTwice },
    ));

  /** A classic controller: reflector, DeltaFIFO and one function. */
  const classic =
    (parts: (mine: Mine) => { readonly keyFunc?: Key; readonly process?: Key; readonly transformer?: Key }) =>
    (mine: Mine): HarnessApp =>
      running((cluster, { runtime }) => {
        const { keyFunc, process, transformer } = parts(mine);
        const queue = newDeltaFIFO<ConfigMap>({
          keyFunc: (object) => {
            keyFunc?.(object.metadata.name);
            return metaNamespaceKeyFunc(object);
          },
          transformer: (object) => {
            transformer?.(object.metadata.name);
            return object;
          },
        });
        return newController<ConfigMap>({
          runtime,
          queue,
          listerWatcher: listWatchFromClient(cluster.client, ConfigMap),
          retryOnError: true,
          process: (deltas) => {
            for (const { object } of deltas) process?.(nameOf(object));
          },
        });
      });
  type Key = (name: string | undefined) => void;

  it("PopProcessFunc", () => survives(classic((mine) => ({ process: (name) => mine.go(name) }))));
  it("KeyFunc", () =>
    survives(
      classic((mine) => ({ keyFunc: (name) => mine.go(name) })),
      { afterwards: patchTwice },
    ));
  it("DeltaFIFOOptions.transformer", () =>
    survives(
      classic((mine) => ({ transformer: (name) => mine.go(name) })),
      { afterwards: patchTwice },
    ));
  it("Config.shouldResync", () => {
    let turn = 0;
    return survives((mine) =>
      running((cluster, { runtime }) =>
        newNamedReflector("mined", listWatchFromClient(cluster.client, ConfigMap), newStore<ConfigMap>(metaNamespaceKeyFunc), {
          runtime,
          resyncPeriodMs: 1000,
          shouldResync: () => {
            mine.go([...chosen.map((_, index) => `value-${index}`), "last"][Math.floor(turn++ / 3)]);
            return true;
          },
        }),
      ),
    );
  });

  it("SyncHandler", () =>
    quietly(async () => {
      const { queue, work } = workItems();
      const mine = new Mine();
      for (const name of names) queue.add(name);
      await work((name) => mine.go(name), {});
      expect([...mine.succeeded].toSorted()).toEqual(names.toSorted());
    }));
  it("ProcessOptions.onError", () =>
    quietly(async () => {
      const { queue, work } = workItems();
      const [mine, reporter] = [new Mine(), new Mine(1)];
      for (const name of names) queue.add(name);
      // What the callback throws reaches the caller; the key runs again all the same.
      const rejected = await work((name) => mine.go(name), { onError: (_, name) => reporter.go(name) });
      expect([[...mine.succeeded].toSorted(), rejected]).toEqual([names.toSorted(), reporter.thrown]);
    }));
  it("RateLimiter of a client-go queue", () =>
    quietly(async () => {
      const [limiter, mine] = [new Mine(1), new Mine()];
      const { queue, work } = workItems((name) => limiter.go(name));
      for (const name of names) queue.add(name);
      const rejected = await work((name) => mine.go(name), {});
      expect([[...mine.succeeded].toSorted(), rejected]).toEqual([names.toSorted(), limiter.thrown]);
    }));
});

const names = chosen.map((_, index) => `value-${index}`);

/** A queue and its worker. `work` runs until nothing is left, and counts the calls that rejected. */
function workItems(when: (name: string) => void = () => undefined) {
  const clock = new ManualClock();
  const limiter = {
    when: (key: string): number => {
      when(key);
      return 1;
    },
    forget: (): void => undefined,
    numRequeues: (): number => 0,
  };
  const queue = newRateLimitingQueue<string>(limiter, { clock });
  const work = async (sync: (name: string) => void, options: { readonly onError?: (error: unknown, name: string) => void }) => {
    let rejected = 0;
    while (queue.len() > 0 || queue.waitingLen() > 0) {
      if (queue.len() === 0) await clock.advance(1000);
      await processNextWorkItem(queue, sync, options).catch(() => void rejected++);
    }
    return rejected;
  };
  return { queue, work };
}

/** An app of Lasso or Wrangler. */
const factoryApp =
  (use: (cluster: Cluster, signal: AbortSignal) => { start(signal: AbortSignal): Promise<void>; ended(): Promise<void> }): HarnessApp =>
  (place) => {
    const cluster = clusterAt(place);
    let isUp = false;
    return {
      controllers: [],
      isReady: () => isUp,
      run: async (signal) => {
        const factory = use(cluster, signal);
        await factory.start(signal);
        isUp = true;
        await factory.ended();
      },
    };
  };

const wrangled = (use: (factory: Factory, signal: AbortSignal, cluster: Cluster) => void): HarnessApp =>
  factoryApp((cluster, signal) => {
    const factory = newFactory({ cluster });
    use(factory, signal, cluster);
    return factory;
  });

describe("hostile values thrown under Lasso's and Wrangler's names (SEC6)", { timeout: 60_000 }, () => {
  it("SharedControllerHandler", () =>
    survives((mine) =>
      factoryApp((cluster, signal) => {
        const factory = newSharedControllerFactoryFromConfig({ cluster });
        factory.forObject(ConfigMap).registerHandler(signal, "mined", async (_, object) => {
          mine.go(object?.metadata.name);
          return undefined;
        });
        return { start: (until) => factory.start(until, 2), ended: () => factory.ended() };
      }),
    ));
  it("RateLimiterFactory", () =>
    survives(
      (mine) =>
        factoryApp((cluster, signal) => {
          const limiting = new Mine(1);
          const limiter = {
            when: (key: string): number => {
              limiting.go(key.split("/").at(-1));
              return 10;
            },
            forget: (key: string): void => limiting.go(key.split("/").at(-1)),
            numRequeues: (): number => 0,
          };
          const factory = newSharedControllerFactoryFromConfig({ cluster }, { defaultRateLimiter: () => limiter });
          factory.forObject(ConfigMap).registerHandler(signal, "mined", (_, object) => mine.go(object?.metadata.name));
          return { start: (until) => factory.start(until, 2), ended: () => factory.ended() };
        }),
      { reports: "more" },
    ));
  it("AllHandler", () =>
    survives((mine) =>
      wrangled((factory, signal) =>
        factory.controller(ConfigMap).addGenericHandler(signal, "mined", async (_, object) => {
          mine.go(object?.metadata.name);
          return object;
        }),
      ),
    ));
  it("RemoveHandler", () =>
    survives(
      (mine) =>
        wrangled((factory, signal) => factory.controller(ConfigMap).onRemove(signal, "mined", (_, object) => mine.go(nameOf(object)))),
      {
        afterwards: deleteAll,
      },
    ));
  const quota = (t: Harness, name: string): Promise<unknown> => t.create(ResourceQuota, { metadata: { name }, spec: {} });
  const Mined = cond("Mined");
  it("StatusHandler", () =>
    survives(
      (mine) =>
        wrangled((factory, signal) =>
          registerStatusHandler(signal, factory.controller(ResourceQuota), Mined, "mined", (object, status) => {
            mine.go(object.metadata.name);
            return status;
          }),
        ),
      { create: quota },
    ));
  it("GeneratingHandler", () =>
    survives(
      (mine) =>
        wrangled((factory, signal, cluster) =>
          registerGeneratingHandler(signal, factory.controller(ResourceQuota), newApply({ cluster }), Mined, "mined", (object, status) => {
            mine.go(object.metadata.name);
            return { objects: [], status };
          }),
        ),
      { create: quota },
    ));
  it("GeneratingHandler returns the value", () =>
    survives(
      (mine) =>
        wrangled((factory, signal, cluster) =>
          registerGeneratingHandler(
            signal,
            factory.controller(ResourceQuota),
            newApply({ cluster }),
            undefined,
            "mined",
            (object, status) => (mine.value(object.metadata.name) ?? { value: { objects: [], status } }).value as never,
          ),
        ),
      { create: quota },
    ));
  it("Resolver", () =>
    survives((mine) =>
      wrangled((factory, signal) => {
        const maps = factory.controller(ConfigMap);
        maps.onChange(signal, "seen", (_, object: DeepReadonly<ConfigMap> | undefined) => object);
        const resolve = async (_: string, name: string): Promise<[]> => {
          mine.go(name);
          return [];
        };
        relatedresource.watch(signal, "mined", resolve, maps, maps);
      }),
    ));
});
