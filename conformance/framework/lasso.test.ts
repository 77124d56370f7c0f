/**
 * Lasso's factories on an API server: deferred caches, chains of handlers over two kinds, retries, finalizers, and a
 * kind that is defined late.
 */
import { CustomResourceDefinition } from "@drover/api/apiextensions/v1";
import { ConfigMap, Namespace, Secret } from "@drover/api/core/v1";
import type { NodeTransport } from "@drover/client";
import { isNotFound, poll } from "@drover/machinery";
import type { HttpRequest } from "@drover/machinery";
import { recordingLog } from "@drover/machinery/testing";
import { nodeRuntime } from "drover";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { createCluster } from "@drover/cache";
import type { Cluster } from "@drover/cache";
import { newSharedClientFactoryForConfig, newSharedClientFactoryWithAgent } from "@drover/lasso";
import { newSharedControllerFactoryFromConfig } from "@drover/lasso";
import type { SharedControllerFactory } from "@drover/lasso";
import { definition, objectSchema, version } from "../apiserver/custom-definitions.ts";
import { describeOnServers } from "../servers/servers.ts";
import type { SuiteServer } from "../servers/suite-server.ts";

const runtime = nodeRuntime();
const group = "lasso.ex.io";
const finalizer = "lasso.ex.io/last-word";

describeOnServers("Lasso's factories", ({ missing, start }) => {
  const log = recordingLog(runtime.clock);
  let server: SuiteServer | undefined;
  let transport: NodeTransport;
  let cluster: Cluster;
  const requests: HttpRequest[] = [];
  const asked = (resource: string): number => requests.filter(({ path }) => path.split("?")[0]?.split("/").includes(resource)).length;
  const seen = (condition: () => boolean | Promise<boolean>): Promise<void> =>
    poll(runtime.clock, { interval: 20, timeout: 20_000, immediate: true }, condition);

  beforeAll(async () => {
    if (missing !== undefined) return;
    server = await start();
    const direct = server.transport({ clock: runtime.clock, log });
    transport = Object.assign((request: HttpRequest) => (requests.push(request), direct(request)), { close: () => direct.close() });
    cluster = createCluster({ transport, runtime: { ...runtime, log }, namespace: "default" });
  }, 90_000);
  afterAll(async () => {
    if (server === undefined) return;
    transport.close();
    await server.stop();
  }, 30_000);
  beforeEach((ctx) => {
    if (server === undefined) ctx.skip(missing);
    requests.length = 0;
  });

  /** Returns a namespace and a factory limited to it, and stops everything at the end. */
  async function inNamespace(
    namespace: string,
    test: (factory: SharedControllerFactory, signal: AbortSignal) => Promise<void>,
  ): Promise<void> {
    await cluster.client.create(Namespace, { metadata: { name: namespace } });
    requests.length = 0;
    const stop = new AbortController();
    const factory = newSharedControllerFactoryFromConfig({ cluster, timeoutMs: 10_000 }, { cacheOptions: { defaultNamespace: namespace } });
    try {
      await test(factory, stop.signal);
    } finally {
      stop.abort();
      await factory.ended();
    }
  }

  it("list a kind when somebody registers a handler for it, and start with what was asked for before", { timeout: 60_000 }, () =>
    inNamespace("lasso-deferred", async (factory, signal) => {
      const ran: string[] = [];
      factory.forObject(Secret);
      const maps = factory.forObject(ConfigMap);
      maps.registerHandler(signal, "note", (key, object) => void ran.push(`${key} ${object === undefined ? "absent" : "there"}`));
      maps.enqueueKey("lasso-deferred/ghost");
      expect(requests).toEqual([]);
      await cluster.client.create(ConfigMap, { metadata: { name: "web", namespace: "lasso-deferred" } });
      await factory.start(signal, 2);
      await seen(() => ran.length >= 2);
      expect([ran.includes("lasso-deferred/ghost absent"), ran.includes("lasso-deferred/web there"), asked("secrets")]).toEqual([
        true,
        true,
        0,
      ]);
      factory.forObject(Secret).informer();
      await factory.start(signal);
      expect([asked("secrets") > 0, factory.forObject(Secret).informer().hasSynced()]).toEqual([true, true]);
    }),
  );

  it("run a chain over two kinds: each handler gets what the one before wrote, and what fails comes again", { timeout: 60_000 }, () =>
    inNamespace("lasso-chain", async (factory, signal) => {
      const ran: string[] = [];
      let isRefused = true;
      const maps = factory.forObject(ConfigMap);
      maps.registerHandler(signal, "stamp", async (key, object, { client }) => {
        if (object?.metadata.name !== "web" || object.data?.["stamped"] === "yes") return undefined;
        ran.push(`stamp ${key}`);
        return client.update(ConfigMap, { ...object, data: { stamped: "yes" } });
      });
      maps.registerHandler(signal, "secret", async (_key, object, { client, attempts, signal: given }) => {
        if (object?.metadata.name !== "web") return;
        ran.push(`secret ${object.data?.["stamped"]} ${attempts}`);
        if (isRefused) {
          isRefused = false;
          throw new Error("not at the first time");
        }
        await client.apply(
          Secret,
          { metadata: { name: "web", namespace: "lasso-chain", labels: { from: "web" } } },
          { fieldManager: "lasso", force: true, signal: given },
        );
      });
      factory.forObject(Secret).registerHandler(signal, "back", (key, object) => {
        if (object?.metadata.labels?.["from"] === "web") maps.enqueueKey(key, { note: "its secret is there" });
      });
      let notes = 0;
      maps.registerHandler(
        signal,
        "why",
        (_key, _object, { causes }) =>
          void (notes += causes.filter((cause) => cause.type === "enqueue" && cause.note === "its secret is there").length),
      );
      await factory.start(signal);
      await cluster.client.create(ConfigMap, { metadata: { name: "web", namespace: "lasso-chain" } });
      await seen(() => notes > 0);
      expect(ran.slice(0, 2)).toEqual(["stamp lasso-chain/web", "secret yes 0"]);
      expect((await cluster.client.get(Secret, "web", { namespace: "lasso-chain" })).metadata.labels).toEqual({ from: "web" });
    }),
  );

  it("show no ghost to a handler that has removed the last finalizer (§3.7)", { timeout: 60_000 }, () =>
    inNamespace("lasso-finalizers", async (factory, signal) => {
      const ran: string[] = [];
      const maps = factory.forObject(ConfigMap);
      maps.registerHandler(signal, "finish", async (_key, object) => {
        if (object !== undefined && object.metadata.name !== "web") return undefined;
        ran.push(
          object === undefined
            ? "gone"
            : `${object.metadata.finalizers?.length ?? 0} ${object.metadata.deletionTimestamp === undefined ? "alive" : "terminating"}`,
        );
        if (object?.metadata.deletionTimestamp === undefined) return undefined;
        // The nine verbs are untyped; they return what was sent.
        return await maps.client().update("lasso-finalizers", { ...object, metadata: { ...object.metadata, finalizers: [] } });
      });
      await factory.start(signal);
      await cluster.client.create(ConfigMap, { metadata: { name: "web", namespace: "lasso-finalizers", finalizers: [finalizer] } });
      await seen(() => ran.includes("1 alive"));
      await cluster.client.delete(ConfigMap, "web", { namespace: "lasso-finalizers" });
      await seen(() => ran.includes("gone"));
      expect(ran).toEqual(["1 alive", "1 terminating", "gone"]);
      await expect(cluster.client.get(ConfigMap, "web", { namespace: "lasso-finalizers" })).rejects.toSatisfy(isNotFound);
    }),
  );

  it("wait for a kind that is defined later, and then look it up, list it and watch it (§3.33, §3.34)", { timeout: 60_000 }, () =>
    inNamespace("lasso-late", async (factory, signal) => {
      const Widget = { group, version: "v1", kind: "Widget" };
      const coming = factory.forKind(Widget, { signal });
      await seen(() => log.entries.some(({ message }) => message.startsWith("resource lookup failed")));
      await cluster.client.create(
        CustomResourceDefinition,
        definition("widgets", "Widget", [version("v1", objectSchema({}))], { group }) as unknown as CustomResourceDefinition,
      );
      const widgets = await coming;
      const ran: string[] = [];
      widgets.registerHandler(signal, "note", (key) => void ran.push(key));
      await factory.start(signal);
      await widgets.client().create("lasso-late", { apiVersion: `${group}/v1`, kind: "Widget", metadata: { name: "one" } });
      await seen(() => ran.length > 0);
      expect(ran).toEqual(["lasso-late/one"]);
      await cluster.client.delete(CustomResourceDefinition, `widgets.${group}`);
    }),
  );

  it("send another agent for those who ask for it, and say whether the server is well", async () => {
    const factory = newSharedClientFactoryForConfig({ cluster });
    expect(await factory.isHealthy()).toBe(true);
    await newSharedClientFactoryWithAgent("fleet/1.2", factory).forObject(ConfigMap).list("default");
    expect(requests.at(-1)?.headers["user-agent"]).toBe("fleet/1.2");
    expect([await factory.isNamespaced(ConfigMap), await factory.isNamespaced(Namespace)]).toEqual([true, false]);
  });
});
