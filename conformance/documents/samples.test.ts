/**
 * The samples of documents 000, 001, 003 and 004, line by line in TypeScript through `drover/client-go`, `drover/lasso`
 * and `drover/wrangler`, on our server and on a real one.
 */
import type { Namespace, Pod } from "@drover/api/core/v1";
import { ConfigMap } from "@drover/api/core/v1";
import type { Deployment } from "@drover/api/apps/v1";
import { createCluster } from "@drover/cache";
import type { Cluster } from "@drover/cache";
import type { NodeTransport } from "@drover/client";
import { poll } from "@drover/machinery";
import type { KubeList, KubeObject, ListOptions } from "@drover/machinery";
import { recordingLog } from "@drover/machinery/testing";
import { nodeRuntime } from "drover";
import {
  defaultControllerRateLimiter,
  DeltaFIFO,
  deletionHandlingMetaNamespaceKeyFunc,
  encodeListOptions,
  ListWatch,
  metaNamespaceKeyFunc,
  newClientset,
  newController,
  newIndexer,
  newNamedReflector,
  newRateLimitingQueue,
  newSharedIndexInformer,
  newSharedInformer,
  newSharedInformerFactory,
  newStore,
  processNextWorkItem,
  resourceEventHandlerFuncs,
  RestClient,
  splitMetaNamespaceKey,
  waitForCacheSync,
} from "drover/client-go";
import type { Clientset, Lister, SyncHandler, Watcher } from "drover/client-go";
import { New, newCache, newClient, newSharedClientFactoryForConfig, newSharedControllerFactoryFromConfig } from "drover/lasso";
import { newFactory } from "drover/wrangler";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { describeOnServers } from "../servers/servers.ts";
import type { SuiteServer } from "../servers/suite-server.ts";

const runtime = nodeRuntime();

describeOnServers("the samples of the documents", ({ missing, start }) => {
  const log = recordingLog(runtime.clock);
  let server: SuiteServer | undefined;
  let transport: NodeTransport;
  let cluster: Cluster;
  let clientset: Clientset;
  let namespace = "";
  let count = 0;
  let stop = new AbortController();
  const running: Promise<unknown>[] = [];
  const seen = (condition: () => boolean | Promise<boolean>): Promise<void> =>
    poll(runtime.clock, { interval: 20, timeout: 30_000, immediate: true }, condition);

  beforeAll(async () => {
    if (missing !== undefined) return;
    server = await start();
    transport = server.transport({ clock: runtime.clock, log });
  }, 90_000);
  afterAll(async () => {
    if (server === undefined) return;
    transport.close();
    await server.stop();
  }, 30_000);
  beforeEach(async (ctx) => {
    if (server === undefined) return ctx.skip(missing);
    cluster = createCluster({ transport, runtime: { ...runtime, log }, namespace: "default" });
    clientset = newClientset(cluster);
    namespace = `samples-${++count}`;
    stop = new AbortController();
    await clientset
      .coreV1()
      .namespaces()
      .create({ metadata: { name: namespace } } satisfies Namespace);
    return async () => {
      stop.abort();
      await Promise.all(running.splice(0));
    };
  });

  const configMap = (name: string, data: Record<string, string> = {}): ConfigMap => ({ metadata: { name, namespace }, data });
  const rest = (): RestClient => new RestClient({ transport, clock: runtime.clock, log, groupVersion: { group: "", version: "v1" } });
  /** Document 000: all one needs for a `cache.ListerWatcher` is a `rest.RESTClient`. */
  const restListerWatcher = (): Lister<ConfigMap> & Watcher<ConfigMap> => ({
    list: async (options: ListOptions, { signal }) =>
      (await rest().get().namespace(namespace).resource("configmaps").versionedParams(options, encodeListOptions).do({ signal })).into<
        KubeList<ConfigMap>
      >(),
    watch: (options: ListOptions, { signal }) =>
      rest().get().namespace(namespace).resource("configmaps").versionedParams(options, encodeListOptions).watch<ConfigMap>({ signal }),
  });

  it("000: a RESTClient posts, gets, lists and watches; watch.Interface ends with stop()", { timeout: 60_000 }, async () => {
    await rest()
      .post()
      .namespace(namespace)
      .resource("configmaps")
      .body(configMap("web", { a: "1" }))
      .do();
    const one = (await rest().get().namespace(namespace).resource("configmaps").name("web").do()).into<ConfigMap>();
    expect(one.data).toEqual({ a: "1" });
    const watcher = rest()
      .get()
      .namespace(namespace)
      .resource("configmaps")
      .versionedParams({ fieldSelector: "metadata.name=web" }, encodeListOptions)
      .watch<ConfigMap>();
    for await (const event of watcher.resultChan()) {
      expect(event).toMatchObject({ type: "ADDED", object: { metadata: { name: "web" } } });
      watcher.stop();
    }
    await rest().delete().namespace(namespace).resource("configmaps").name("web").do();
  });

  it("000: a Reflector fills a Store from a plain RESTClient, objectType given", { timeout: 60_000 }, async () => {
    await clientset.coreV1().configMaps(namespace).create(configMap("web"));
    const store = newStore<ConfigMap>(metaNamespaceKeyFunc);
    const reflector = newNamedReflector("config maps", restListerWatcher(), store, {
      runtime: { ...runtime, log },
      expectedType: { apiVersion: "v1", kind: "ConfigMap" },
      resyncPeriodMs: 60_000,
    });
    running.push(reflector.run(stop.signal));
    await seen(() => store.getByKey(`${namespace}/web`) !== undefined);
    expect([store.getByKey(`${namespace}/web`)?.kind, reflector.lastSyncResourceVersion() !== ""]).toEqual(["ConfigMap", true]);
  });

  it("000: cache.New(Config) pops a DeltaFIFO into Process, which keeps an Indexer", { timeout: 60_000 }, async () => {
    await clientset.coreV1().configMaps(namespace).create(configMap("web"));
    const indexer = newIndexer<ConfigMap>(deletionHandlingMetaNamespaceKeyFunc, {});
    const queue = new DeltaFIFO<ConfigMap>({ keyFunc: metaNamespaceKeyFunc, knownObjects: indexer });
    const controller = newController<ConfigMap>({
      runtime: { ...runtime, log },
      queue,
      listerWatcher: restListerWatcher(),
      objectType: { apiVersion: "v1", kind: "ConfigMap" },
      fullResyncPeriodMs: 60_000,
      retryOnError: true,
      process: (deltas) => {
        for (const { type, object } of deltas)
          if (type === "Deleted") indexer.delete(object as ConfigMap);
          else indexer.update(object as ConfigMap);
      },
    });
    running.push(controller.run(stop.signal));
    await seen(() => controller.hasSynced() && indexer.getByKey(`${namespace}/web`) !== undefined);
    await clientset.coreV1().configMaps(namespace).delete("web");
    await seen(() => indexer.getByKey(`${namespace}/web`) === undefined);
  });

  it("000: NewSharedInformer notifies its handlers and has a store that must not be modified", { timeout: 60_000 }, async () => {
    const informer = newSharedInformer<ConfigMap>(restListerWatcher(), { runtime: { ...runtime, log }, resyncPeriodMs: 60_000 });
    const events: string[] = [];
    informer.addEventHandler(
      resourceEventHandlerFuncs<ConfigMap>({
        addFunc: ({ metadata }) => void events.push(`add ${metadata.name}`),
        updateFunc: (_old, { data }) => void events.push(`update ${data?.["a"]}`),
        deleteFunc: () => void events.push("delete"),
      }),
    );
    running.push(informer.run(stop.signal));
    expect(await waitForCacheSync(stop.signal, informer)).toBe(true);
    const maps = clientset.coreV1().configMaps(namespace);
    await maps.create(configMap("web"));
    await seen(() => events.includes("add web"));
    await maps.update({ ...(await maps.get("web")), data: { a: "2" } });
    await seen(() => events.includes("update 2"));
    await maps.delete("web");
    await seen(() => events.includes("delete"));
    const store = informer.getStore() as unknown as { add(object: ConfigMap): void };
    expect(() => store.add(configMap("mine"))).toThrow("read-only");
  });

  it("001: NewClient, NewCache and New of Lasso, and its shared factories", { timeout: 60_000 }, async () => {
    const client = newClient<ConfigMap>({ group: "", version: "v1", resource: "configmaps" }, "ConfigMap", true, rest(), 10_000);
    await client.create(namespace, configMap("web"));
    const { object, list } = newSharedClientFactoryForConfig({ cluster }).newObjects(ConfigMap);
    const cache = newCache(object, list, client, { runtime: { ...runtime, log }, namespace });
    const ran: string[] = [];
    const controller = New(
      "config maps",
      cache,
      (signal) => void running.push(cache.run(signal)),
      (key, found) => void ran.push(`${key} ${found === undefined ? "gone" : "there"}`),
      { cluster },
    );
    await controller.start(stop.signal, 2);
    running.push(controller.ended());
    await seen(() => ran.includes(`${namespace}/web there`));

    const factory = newSharedControllerFactoryFromConfig({ cluster }, { cacheOptions: { defaultNamespace: namespace } });
    const handled: string[] = [];
    factory.forObject(ConfigMap).registerHandler(stop.signal, "note", (key) => void handled.push(key));
    await factory.start(stop.signal, 2);
    running.push(factory.ended());
    await seen(() => handled.includes(`${namespace}/web`));
  });

  it("001: Wrangler's factory gives a typed controller with onChange and a cache", { timeout: 60_000 }, async () => {
    const factory = newFactory({ cluster, namespace });
    const maps = factory.controller(ConfigMap);
    const changed: string[] = [];
    maps.onChange(stop.signal, "note", (key, found) => {
      changed.push(key);
      return found;
    });
    running.push(factory.run(stop.signal));
    await maps.create(configMap("web"));
    await seen(() => changed.includes(`${namespace}/web`));
    expect(maps.cache().get(namespace, "web").metadata.name).toBe("web");
  });

  it(
    "003: NewRateLimitingQueue(DefaultControllerRateLimiter()), keys from handlers, workers after the sync",
    { timeout: 60_000 },
    async () => {
      const queue = newRateLimitingQueue(defaultControllerRateLimiter());
      const pods = clientset.coreV1().pods(namespace);
      const informer = newSharedIndexInformer<Pod>(
        new ListWatch<Pod>({ listFunc: (options) => pods.list(options), watchFunc: (options) => pods.watch(options) }),
        { runtime: { ...runtime, log } },
      );
      informer.addEventHandler(
        resourceEventHandlerFuncs<Pod>({
          addFunc: (pod) => queue.add(metaNamespaceKeyFunc(pod)),
          updateFunc: (_old, pod) => queue.add(metaNamespaceKeyFunc(pod)),
          deleteFunc: (pod) => queue.add(deletionHandlingMetaNamespaceKeyFunc(pod)),
        }),
      );
      running.push(informer.run(stop.signal));
      expect(await waitForCacheSync(stop.signal, informer)).toBe(true);
      const scheduled: string[] = [];
      let isRefused = true;
      const syncHandler: SyncHandler = (key) => {
        const { name } = splitMetaNamespaceKey(key);
        if (isRefused) {
          isRefused = false;
          throw new Error("the first sync fails, and the key comes again");
        }
        scheduled.push(`${name} ${informer.getIndexer().getByKey(key) === undefined ? "gone" : "there"}`);
      };
      const work = async (): Promise<void> => {
        while (await processNextWorkItem(queue, syncHandler));
      };
      running.push(work());
      stop.signal.addEventListener("abort", () => queue.shutDown());
      await pods.create({ metadata: { name: "web" }, spec: { containers: [{ name: "app", image: "app:1" }] } });
      await seen(() => scheduled.includes("web there"));
    },
  );

  it("004: a Deployment informer of the factory, its ListWatch, lister and indexer", { timeout: 60_000 }, async () => {
    const factory = newSharedInformerFactory(clientset, 0, { namespace });
    const deployments = factory.apps().v1().deployments();
    const added: string[] = [];
    deployments
      .informer()
      .addEventHandler(resourceEventHandlerFuncs<Deployment>({ addFunc: ({ metadata }) => void added.push(metadata.name ?? "") }));
    factory.start(stop.signal);
    expect([...(await factory.waitForCacheSync(stop.signal))]).toEqual([["apps/v1/deployments", true]]);
    running.push(factory.shutdown());
    const labels = { app: "web" };
    await clientset
      .appsV1()
      .deployments(namespace)
      .create({
        metadata: { name: "web" },
        spec: {
          selector: { matchLabels: labels },
          template: { metadata: { labels }, spec: { containers: [{ name: "app", image: "app:1" }] } },
        },
      });
    await seen(() => added.includes("web"));
    expect(deployments.lister().deployments(namespace).get("web").metadata.name).toBe("web");

    const tweakListOptions = (options: ListOptions): ListOptions => ({ ...options, fieldSelector: "metadata.name=web" });
    const listWatch = new ListWatch<Deployment>({
      listFunc: (options) =>
        clientset
          .appsV1()
          .deployments(namespace)
          .list({ ...tweakListOptions(options), signal: options.signal }),
      watchFunc: (options) =>
        clientset
          .appsV1()
          .deployments(namespace)
          .watch({ ...tweakListOptions(options), signal: options.signal }),
    });
    const informer = newSharedIndexInformer<Deployment>(listWatch, {
      runtime: { ...runtime, log },
      indexers: { image: ({ spec }) => (spec?.template.spec?.containers ?? []).map(({ image }) => image ?? "") },
    });
    running.push(informer.run(stop.signal));
    await seen(() => informer.hasSynced());
    expect(informer.getIndexer().indexKeys("image", "app:1")).toEqual([`${namespace}/web`]);
    const objects: readonly KubeObject[] = informer.getStore().list() as KubeObject[];
    expect(objects).toHaveLength(1);
  });
});
