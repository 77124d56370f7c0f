import type { KubeObject } from "@drover/machinery";
import { isNotFound } from "@drover/machinery";
import { testRuntime } from "@drover/machinery/testing";
import { afterEach, describe, expect, it } from "vitest";
import { ControllerSource } from "@drover/cache/testing";
import { waitForCacheSync } from "./cache-sync.ts";
import { DeletedFinalStateUnknown } from "./deleted-final-state-unknown.ts";
import { newGenericLister } from "./generic-lister.ts";
import { metaNamespaceIndexFunc } from "./indexer.ts";
import { newInformer } from "./informer.ts";
import { resourceEventHandlerFuncs } from "./resource-event-handler.ts";
import type { ResourceEventHandler } from "./resource-event-handler.ts";
import { newSharedIndexInformer, newSharedInformer } from "./shared-index-informer.ts";
import type { SharedIndexInformerOptions } from "./shared-index-informer.ts";
import type { Store } from "./store.ts";

const pod = (name: string, labels: Record<string, string> = {}, uid = `uid-${name}`): KubeObject => ({
  apiVersion: "v1",
  kind: "Pod",
  metadata: { namespace: "shop", name, uid, labels },
});

const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

function stage(options: Partial<SharedIndexInformerOptions<KubeObject>> = {}, ...there: readonly KubeObject[]) {
  const runtime = testRuntime();
  const source = new ControllerSource<KubeObject>();
  for (const object of there) source.add(object);
  const informer = newSharedIndexInformer(source, { runtime, ...options });
  const controller = new AbortController();
  const start = async (): Promise<void> => {
    const running = informer.run(controller.signal);
    stops.push(async () => {
      controller.abort();
      await runtime.clock.settle();
      await running;
    });
    await runtime.clock.settle();
  };
  return { runtime, source, informer, start, stop: controller, settle: () => runtime.clock.settle() };
}

/** Records its notifications. */
function scribe(): ResourceEventHandler<KubeObject> & { readonly told: string[] } {
  const told: string[] = [];
  const at = ({ metadata }: { readonly metadata: { readonly name?: string; readonly resourceVersion?: string } }): string =>
    `${metadata.name}@${metadata.resourceVersion}`;
  return {
    told,
    onAdd: (object, isInInitialList) => void told.push(`add ${at(object)}${isInInitialList ? " initial" : ""}`),
    onUpdate: (before, object) => void told.push(`update ${at(before)}→${at(object)}`),
    onDelete: (object) =>
      void told.push(
        object instanceof DeletedFinalStateUnknown
          ? `delete unknown ${object.key}@${object.obj?.metadata.resourceVersion}`
          : `delete ${at(object)}`,
      ),
  };
}

describe("newSharedIndexInformer", () => {
  it("lists, watches, stores, and notifies every handler in order", async () => {
    const { source, informer, start, settle } = stage({}, pod("a"));
    const [one, two] = [scribe(), scribe()];
    informer.addEventHandler(one);
    informer.addEventHandler(two);
    expect([informer.hasSynced(), informer.lastSyncResourceVersion()]).toEqual([false, ""]);
    await start();
    source.add(pod("b"));
    source.modify(pod("a"));
    source.delete(pod("b"));
    await settle();
    expect(one.told).toEqual(["add a@1 initial", "add b@2", "update a@1→a@3", "delete b@4"]);
    expect(two.told).toEqual(one.told);
    expect([informer.getStore().listKeys(), informer.hasSynced(), informer.lastSyncResourceVersion()]).toEqual([["shop/a"], true, "4"]);
  });
  it("stores the new state before it notifies a handler", async () => {
    const { source, informer, start, settle } = stage();
    const seen: unknown[] = [];
    informer.addEventHandler(
      resourceEventHandlerFuncs<KubeObject>({
        addFunc: (object) => void seen.push(informer.getStore().getByKey("shop/a") === object),
        deleteFunc: () => void seen.push(informer.getStore().getByKey("shop/a")),
      }),
    );
    await start();
    source.add(pod("a"));
    source.delete(pod("a"));
    await settle();
    expect(seen).toEqual([true, undefined]);
  });
  it("reports a missed deletion as a tombstone with the last known state", async () => {
    const { runtime, source, informer, start } = stage({}, pod("a"), pod("b"));
    const handler = scribe();
    informer.addEventHandler(handler);
    await start();
    source.deleteDropWatch(pod("a"));
    source.resetWatch();
    await runtime.clock.advance(60_000);
    expect(handler.told.slice(2)).toEqual(["delete unknown shop/a@1"]);
  });
  it("reports an object recreated under the same name as a deletion and an addition", async () => {
    const { runtime, source, informer, start } = stage({}, pod("a"));
    const handler = scribe();
    informer.addEventHandler(handler);
    await start();
    source.deleteDropWatch(pod("a"));
    source.addDropWatch(pod("a", {}, "another"));
    source.resetWatch();
    await runtime.clock.advance(60_000);
    expect(handler.told.slice(1)).toEqual(["delete unknown shop/a@1", "add a@3"]);
  });
  it("does not notify handlers of unchanged objects after a relist", async () => {
    const { runtime, source, informer, start } = stage({ resyncPeriodMs: 3_600_000 }, pod("a"), pod("b"));
    const [silent, again] = [scribe(), scribe()];
    informer.addEventHandlerWithResyncPeriod(silent, 0);
    informer.addEventHandlerWithResyncPeriod(again, 3_600_000);
    await start();
    source.modifyDropWatch(pod("b"));
    source.resetWatch();
    await runtime.clock.advance(60_000);
    expect(silent.told).toEqual(["add a@1 initial", "add b@2 initial", "update b@2→b@3"]);
    expect(again.told).toEqual(silent.told);
  });
  it("resyncs each handler in its own period, from the cache", async () => {
    const { runtime, source, informer, start } = stage({ resyncPeriodMs: 10_000 }, pod("a"));
    const [often, seldom, never] = [scribe(), scribe(), scribe()];
    informer.addEventHandlerWithResyncPeriod(often, 2000);
    informer.addEventHandlerWithResyncPeriod(seldom, 6000);
    informer.addEventHandlerWithResyncPeriod(never, 0);
    await start();
    const lists = source.lists.length;
    await runtime.clock.advance(12_000);
    const updates = ({ told }: { readonly told: readonly string[] }): number => told.filter((word) => word === "update a@1→a@1").length;
    expect([updates(often), updates(seldom), updates(never), source.lists.length]).toEqual([6, 2, 0, lists]);
  });
  it("raises resync periods below one second to one second", async () => {
    const { runtime, informer, start } = stage({ resyncPeriodMs: 10_000 }, pod("a"));
    await start();
    const late = scribe();
    informer.addEventHandlerWithResyncPeriod(late, 1);
    await runtime.clock.advance(3_000);
    expect(late.told).toEqual(["add a@1 initial", "update a@1→a@1", "update a@1→a@1", "update a@1→a@1"]);
    expect(runtime.log.entries.filter(({ level }) => level === "warn")).toHaveLength(1);
  });
  it("sends a late handler every cached object once, merged with pending changes", async () => {
    const { source, informer, start, runtime } = stage({}, pod("a"), pod("b"));
    await start();
    const late = scribe();
    const registration = informer.addEventHandler(late);
    expect(registration.hasSynced()).toBe(false);
    source.modify(pod("a"));
    await runtime.clock.advance(1);
    expect(late.told).toEqual(["add a@3 initial", "add b@2 initial"]);
    expect(registration.hasSynced()).toBe(true);
  });
  it("hasSynced of a registration is true only after its handler has processed the first list", async () => {
    const { informer, start, settle } = stage({}, pod("a"));
    let finish = (): void => undefined;
    const registration = informer.addEventHandler(
      resourceEventHandlerFuncs<KubeObject>({
        addFunc: () =>
          new Promise<void>((resolve) => {
            finish = resolve;
          }),
      }),
    );
    await start();
    expect([informer.hasSynced(), registration.hasSynced()]).toEqual([true, false]);
    finish();
    await settle();
    expect(registration.hasSynced()).toBe(true);
  });
  it("calls handlers independently, and each with one call at a time", async () => {
    const { source, informer, start, settle } = stage();
    const fast = scribe();
    let running = 0;
    let most = 0;
    const releases: (() => void)[] = [];
    informer.addEventHandler(
      resourceEventHandlerFuncs<KubeObject>({
        addFunc: async () => {
          most = Math.max(most, ++running);
          await new Promise<void>((resolve) => releases.push(resolve));
          running--;
        },
      }),
    );
    informer.addEventHandler(fast);
    await start();
    for (const name of ["a", "b", "c"]) source.add(pod(name));
    await settle();
    expect([fast.told.length, releases.length]).toEqual([3, 1]);
    for (let n = 0; n < 3; n++) {
      releases[n]?.();
      await settle();
    }
    expect([most, releases.length]).toEqual([1, 3]);
  });
  it("continues when a handler throws or rejects", async () => {
    const { runtime, informer, start } = stage({}, pod("a"), pod("b"));
    const told: string[] = [];
    const registration = informer.addEventHandler(
      resourceEventHandlerFuncs<KubeObject>({
        addFunc: ({ metadata }) => {
          told.push(metadata.name ?? "");
          if (metadata.name === "a") throw new Error("no");
          return Promise.reject(new Error("neither"));
        },
      }),
    );
    await start();
    expect([told, registration.hasSynced(), runtime.log.entries.filter(({ level }) => level === "error").length]).toEqual([
      ["a", "b"],
      true,
      2,
    ]);
  });
  it("stops notifying a removed handler, and ignores a second removal and foreign registrations", async () => {
    const { source, informer, start, settle } = stage();
    const handler = scribe();
    const registration = informer.addEventHandler(handler);
    const twice = informer.addEventHandler(handler);
    await start();
    source.add(pod("a"));
    await settle();
    informer.removeEventHandler(registration);
    informer.removeEventHandler(registration);
    informer.removeEventHandler({ hasSynced: () => true });
    source.modify(pod("a"));
    await settle();
    expect(handler.told).toEqual(["add a@1", "add a@1", "update a@1→a@2"]);
    expect(twice.hasSynced()).toBe(true);
  });
  it("rejects handlers, indexers and a second run after it has stopped", async () => {
    const { runtime, informer, start, stop, settle } = stage({}, pod("a"));
    await start();
    stop.abort();
    await settle();
    expect(informer.isStopped()).toBe(true);
    expect(() => informer.addEventHandler(scribe())).toThrow(
      "was not added to the shared informer of objects of the test: it has stopped already",
    );
    expect(() => informer.addIndexers({})).toThrow("stopped already");
    await informer.run(new AbortController().signal);
    expect(runtime.log.entries.at(-1)?.message).toContain("was started before");
    expect(informer.getStore().listKeys()).toEqual(["shop/a"]);
  });
  it("calls the watch error handler after a failure, and retries", async () => {
    const { runtime, source, informer, start } = stage({}, pod("a"));
    const errors: unknown[] = [];
    informer.setWatchErrorHandler((reflector, error) => errors.push([reflector.lastSyncResourceVersion(), error]));
    source.failList(new Error("not today"));
    await start();
    await runtime.clock.advance(60_000);
    expect([errors.length, informer.hasSynced()]).toEqual([1, true]);
    expect(() => informer.setWatchErrorHandler(() => undefined)).toThrow("informer has already started");
  });
  it("transforms objects before it stores and reports them", async () => {
    const { source, informer, start, settle } = stage();
    const names: unknown[] = [];
    informer.setTransform((object) => ({ ...object, metadata: { ...object.metadata, labels: { seen: "yes" } } }));
    informer.addEventHandler(
      resourceEventHandlerFuncs<KubeObject>({ addFunc: ({ metadata }) => void names.push(metadata.labels?.["seen"]) }),
    );
    await start();
    source.add(pod("a"));
    await settle();
    expect([names, informer.getStore().getByKey("shop/a")?.metadata.labels]).toEqual([["yes"], { seen: "yes" }]);
    expect(() => informer.setTransform((same) => same)).toThrow("informer has already started");
  });
  it("drops objects of another kind", async () => {
    const { runtime, source, informer, start, settle } = stage({ objectType: { apiVersion: "v1", kind: "Pod" } });
    await start();
    source.add({ ...pod("a"), kind: "Service" });
    source.add(pod("b"));
    await settle();
    expect(informer.getStore().listKeys()).toEqual(["shop/b"]);
    expect(runtime.log.entries.some(({ message }) => message.includes("unexpected kind"))).toBe(true);
  });
  it("treats objects without a kind, such as list items, as the expected kind", async () => {
    const { informer, start } = stage(
      { objectType: { apiVersion: "v1", kind: "Pod" } },
      { metadata: { namespace: "shop", name: "a", uid: "uid-a" } },
    );
    await start();
    expect([informer.hasSynced(), informer.getStore().list()]).toMatchObject([true, [{ apiVersion: "v1", kind: "Pod" }]]);
  });
  it("rejects writes to its store", async () => {
    const { informer, start } = stage({}, pod("a"));
    await start();
    const store = informer.getStore() as Store<KubeObject>;
    for (const write of [() => store.add(pod("b")), () => store.update(pod("a")), () => store.delete(pod("a")), () => store.replace([])])
      expect(write).toThrow("the store of the informer of objects of the test is read-only");
    expect(store.listKeys()).toEqual(["shop/a"]);
  });
  it("accepts indexes before and after the start", async () => {
    const { informer, start } = stage({ indexers: { namespace: metaNamespaceIndexFunc } }, pod("a", { app: "web" }));
    await start();
    informer.addIndexers({ app: ({ metadata }) => [metadata.labels?.["app"] ?? ""] });
    expect(informer.getIndexer().indexKeys("app", "web")).toEqual(["shop/a"]);
    expect(informer.getIndexer().indexKeys("namespace", "shop")).toEqual(["shop/a"]);
  });
});

describe("informers, listers and cache sync", () => {
  it("newGenericLister finds objects by name and label, with and without an index of namespaces", async () => {
    for (const indexers of [{ namespace: metaNamespaceIndexFunc }, {}]) {
      const { informer, start } = stage({ indexers }, pod("a", { app: "web" }), pod("b"));
      await start();
      const lister = newGenericLister(informer.getIndexer(), { group: "", resource: "pod" });
      expect(lister.namespace("shop").get("a").metadata.name).toBe("a");
      expect([
        lister.list({ labelSelector: "app=web" }).length,
        lister.namespace("shop").list().length,
        lister.namespace("other").list().length,
        lister.list().length,
      ]).toEqual([1, 2, 0, 2]);
      expect(() => lister.namespace("shop").get("c")).toThrow('pod "c" not found');
      try {
        lister.get("c");
      } catch (error) {
        expect(isNotFound(error)).toBe(true);
      }
    }
  });
  it("newInformer fills a store and notifies one handler", async () => {
    const runtime = testRuntime();
    const source = new ControllerSource<KubeObject>();
    source.add(pod("a"));
    const handler = scribe();
    const { store, controller } = newInformer(source, { runtime, handler, transform: (object) => object });
    const stop = new AbortController();
    const running = controller.run(stop.signal);
    await runtime.clock.settle();
    expect([handler.told, store.listKeys(), controller.hasSynced(), controller.lastSyncResourceVersion()]).toEqual([
      ["add a@1 initial"],
      ["shop/a"],
      true,
      "1",
    ]);
    stop.abort();
    await running;
  });
  it("waitForCacheSync waits until caches have synced, or until the signal aborts", async () => {
    const { runtime, informer, start } = stage({}, pod("a"));
    const waiting = waitForCacheSync({ clock: runtime.clock, signal: new AbortController().signal }, informer);
    await start();
    await runtime.clock.advance(200);
    expect(await waiting).toBe(true);
    const given = waitForCacheSync(
      { clock: runtime.clock, signal: AbortSignal.abort() },
      newSharedInformer(new ControllerSource<KubeObject>(), { runtime }),
    );
    expect(await given).toBe(false);
  });
});
