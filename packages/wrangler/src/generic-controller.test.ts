/** Wrangler's controllers, caches and remove handlers on our server: what its users rely on, and the traps that Drover avoids. */
import { ConfigMap, Namespace, Node, Secret } from "@drover/api/core/v1";
import { newSharedCacheFactory, newSharedClientFactoryForConfig, newSharedControllerFactoryFromConfig } from "@drover/lasso";
import { isNotFound } from "@drover/machinery";
import { ErrSkip } from "./err-skip.ts";
import { newFactory } from "./generic-factory.ts";
import { describe, expect, it } from "vitest";
import { wranglerRig } from "./testing/wrangler-rig.ts";

describe("a controller of Wrangler", () => {
  it("runs handlers with key and object, and with no object when it is gone (§2.1.4)", () =>
    wranglerRig(async ({ cluster: { client }, factory, signal, settle }) => {
      const ran: string[] = [];
      factory
        .controller(ConfigMap)
        .onChange(signal, "note", (key, object) => void ran.push(`${key} ${object === undefined ? "gone" : object.data?.["text"]}`));
      await Promise.all([factory.start(signal), settle(2000)]);
      await client.create(ConfigMap, { metadata: { name: "web" }, data: { text: "hello" } });
      await settle();
      await client.delete(ConfigMap, "web");
      await settle();
      expect(ran).toEqual(["shop/web hello", "shop/web gone"]);
    }));

  it("has verbs that take the namespace from the object, or as an argument where the kind is in one (§3.10)", () =>
    wranglerRig(async ({ factory }) => {
      const maps = factory.controller(ConfigMap);
      const created = await maps.create({ metadata: { name: "web", namespace: "other" }, data: { a: "1" } });
      expect((await maps.update({ ...created, data: { a: "2" } })).data).toEqual({ a: "2" });
      expect((await maps.patch("other", "web", "merge", { data: { a: "3" } })).data).toEqual({ a: "3" });
      expect([(await maps.get("other", "web")).kind, (await maps.list("")).items.length, (await maps.list("shop")).items.length]).toEqual([
        "ConfigMap",
        1,
        0,
      ]);
      await maps.delete("other", "web");
      await expect(maps.get("other", "web")).rejects.toSatisfy(isNotFound);
      await expect(maps.create({ metadata: { name: "nowhere" } })).rejects.toThrow(/configmaps\/nowhere has no metadata\.namespace/);
      const nodes = factory.controller(Node);
      await nodes.create({ metadata: { name: "one" } });
      const noted = await nodes.patch("one", "merge", { status: { phase: "Running" } }, {}, "status");
      expect([(await nodes.get("one")).metadata.name, noted.status?.phase, (await nodes.list()).items.length]).toEqual([
        "one",
        "Running",
        1,
      ]);
      expect((await nodes.updateStatus({ ...noted, status: {} })).status?.phase).toBeUndefined();
      await nodes.deleteCollection();
      expect((await nodes.list()).items).toEqual([]);
      expect(
        (
          await factory
            .controller(Secret)
            .withImpersonation({ user: "system:admin", groups: ["system:masters"] })
            .list("shop")
        ).items,
      ).toEqual([]);
    }));

  it("trap 26: every verb ends when its signal is aborted", () =>
    wranglerRig(async ({ factory }) => {
      const maps = factory.controller(ConfigMap);
      const gone = { signal: AbortSignal.abort(new Error("enough")) };
      const object = { metadata: { name: "web", namespace: "shop" } };
      for (const call of [
        () => maps.get("shop", "web", gone),
        () => maps.list("shop", gone),
        () => maps.create(object, gone),
        () => maps.update(object, gone),
        () => maps.delete("shop", "web", gone),
        () => maps.patch("shop", "web", "merge", {}, gone),
        () => maps.deleteCollection("shop", gone),
      ]) {
        await expect(call()).rejects.toThrow("enough");
      }
    }));

  it("has a cache that finds by name, namespace, labels and index, and says not found (§3.11)", () =>
    wranglerRig(async ({ cluster: { client }, factory, signal, settle }) => {
      const cache = factory.controller(ConfigMap).cache();
      cache.addIndexer("by-colour", ({ data }) => (data?.["colour"] === undefined ? [] : [data["colour"]]));
      await client.create(ConfigMap, { metadata: { name: "a", labels: { app: "web" } }, data: { colour: "red" } });
      await client.create(ConfigMap, { metadata: { name: "a", namespace: "other" }, data: { colour: "red" } });
      await Promise.all([factory.sync(signal), settle(2000)]);
      expect(cache.get("shop", "a").metadata.labels).toEqual({ app: "web" });
      for (const [namespace, name] of [
        ["shop", "b"],
        ["nowhere", "a"],
      ] as const)
        expect(() => cache.get(namespace, name)).toThrow(expect.toSatisfy(isNotFound));
      expect([
        cache.list("").length,
        cache.list("other").length,
        cache.list("", "app=web").length,
        cache.list("other", "app").length,
      ]).toEqual([2, 1, 1, 0]);
      expect(
        cache
          .getByIndex("by-colour", "red")
          .map(({ metadata: { namespace = "" } }) => namespace)
          .toSorted(),
      ).toEqual(["other", "shop"]);
      const namespaces = factory.controller(Namespace).cache();
      await Promise.all([factory.sync(signal), settle(2000)]);
      expect([namespaces.get("shop").metadata.name, namespaces.list().length >= 2]).toEqual(["shop", true]);
      expect(() => namespaces.get("nowhere")).toThrow(expect.toSatisfy(isNotFound));
    }));

  it("trap 14: asking for a key a hundred times counts no failure, and a delay of zero is no way around anything", () =>
    wranglerRig(async ({ factory, signal, settle }) => {
      const attempts: number[] = [];
      const maps = factory.controller(ConfigMap);
      maps.onChange(signal, "count", (_key, _object, context) => void attempts.push(context.attempts));
      await Promise.all([factory.start(signal), settle(2000)]);
      for (let time = 0; time < 100; time++) {
        maps.enqueue("shop", "web");
        maps.enqueueAfter("shop", "web", 0);
        maps.enqueueKey("shop/web");
        await settle(1);
      }
      expect([attempts.length >= 100, Math.max(...attempts)]).toEqual([true, 0]);
    }));

  it("trap 15: an option that a factory it is given would ignore is refused, and one of its own is honoured (§2.1.5)", () =>
    wranglerRig(async ({ cluster, signal, settle }) => {
      const sharedControllerFactory = newSharedControllerFactoryFromConfig({ cluster });
      for (const vain of [{ namespace: "shop" }, { resyncMs: 1 }, { healthCallback: () => undefined }]) {
        expect(() => newFactory({ sharedControllerFactory, ...vain })).toThrow(
          new RegExp(`${Object.keys(vain)[0]} would be ignored, since sharedControllerFactory has its own`),
        );
      }
      const sharedCacheFactory = newSharedCacheFactory(newSharedClientFactoryForConfig({ cluster }));
      expect(() => newFactory({ sharedCacheFactory, namespace: "shop" })).toThrow(/defaultNamespace/);
      expect(() => newFactory({})).toThrow(/not none/);
      expect(() => newFactory({ cluster, sharedCacheFactory })).toThrow(/not cluster and sharedCacheFactory/);
      expect(() => newFactory({ sharedControllerFactory }).setThreadiness(ConfigMap, 3)).toThrow(/say kindWorkers where that is made/);

      for (const namespace of ["shop", "other"]) await cluster.client.create(ConfigMap, { metadata: { name: namespace, namespace } });
      const ran: string[] = [];
      const health: boolean[] = [];
      const factory = newFactory({ cluster, namespace: "other", healthCallback: (isHealthy) => health.push(isHealthy) });
      factory.setThreadiness(ConfigMap, 1);
      factory.controller(ConfigMap).onChange(signal, "note", (key) => void ran.push(key));
      expect(() => factory.setThreadiness(ConfigMap, 2)).toThrow(/call it before controller\(\) and start\(\)/);
      await Promise.all([factory.start(signal), settle(2000)]);
      await settle();
      expect([ran, health]).toEqual([["other/other"], [true]]);
    }));

  it("trap 30: says why a handler runs", () =>
    wranglerRig(async ({ factory, signal, settle }) => {
      const causes: string[] = [];
      const maps = factory.controller(ConfigMap);
      maps.onChange(
        signal,
        "why",
        (_key, _object, context) =>
          void causes.push(...context.causes.map((cause) => (cause.type === "enqueue" ? (cause.note ?? "") : cause.type))),
      );
      maps.enqueue("shop", "web", { note: "a push to the repository" });
      await Promise.all([factory.start(signal), settle(2000)]);
      expect(causes).toEqual(["a push to the repository"]);
    }));
});

describe("a remove handler of Wrangler", () => {
  it("puts its finalizer on a new object, leaves one that has it, cleans up once and takes it off (§3.12)", () =>
    wranglerRig(async ({ cluster: { client }, factory, signal, settle, writes }) => {
      const cleaned: string[] = [];
      factory.controller(ConfigMap).onRemove(signal, "uninstall", (key) => void cleaned.push(key));
      await Promise.all([factory.start(signal), settle(2000)]);
      await client.create(ConfigMap, { metadata: { name: "web" } });
      await settle();
      expect((await client.get(ConfigMap, "web")).metadata.finalizers).toEqual(["wrangler.cattle.io/uninstall"]);
      await settle(60_000);
      expect(writes()).toEqual(["POST configmaps", "PATCH configmaps/web"]);
      await client.delete(ConfigMap, "web");
      await settle();
      expect([cleaned, writes().slice(2)]).toEqual([["shop/web"], ["DELETE configmaps/web", "PATCH configmaps/web"]]);
      await expect(client.get(ConfigMap, "web")).rejects.toSatisfy(isNotFound);
    }));

  it("does nothing with an object that goes without its finalizer (§3.12)", () =>
    wranglerRig(async ({ cluster: { client }, factory, signal, settle, writes }) => {
      await client.create(ConfigMap, { metadata: { name: "web", finalizers: ["example.com/other"] } });
      await client.delete(ConfigMap, "web");
      let cleaned = 0;
      factory.controller(ConfigMap).onRemove(signal, "uninstall", () => void cleaned++);
      await Promise.all([factory.start(signal), settle(2000)]);
      await settle(60_000);
      expect([cleaned, writes().slice(2)]).toEqual([0, []]);
    }));

  it("trap 16: only objects it is for get the finalizer, and those it is for no longer are cleaned up and lose it", () =>
    wranglerRig(async ({ cluster: { client }, factory, signal, settle }) => {
      const cleaned: string[] = [];
      factory.controller(ConfigMap).onRemove(signal, "uninstall", (key) => void cleaned.push(key), {
        finalizer: "helm.cattle.io/uninstall",
        when: ({ metadata: { labels } }) => labels?.["managed"] === "yes",
      });
      await Promise.all([factory.start(signal), settle(2000)]);
      await client.create(ConfigMap, { metadata: { name: "theirs" } });
      await client.create(ConfigMap, { metadata: { name: "ours", labels: { managed: "yes" } } });
      await settle();
      const finalizers = async (name: string): Promise<readonly string[]> => (await client.get(ConfigMap, name)).metadata.finalizers ?? [];
      expect([await finalizers("theirs"), await finalizers("ours")]).toEqual([[], ["helm.cattle.io/uninstall"]]);
      await client.patch(ConfigMap, "ours", { type: "merge", body: { metadata: { labels: { managed: null } } } });
      await settle();
      expect([cleaned, await finalizers("ours")]).toEqual([["shop/ours"], []]);
    }));

  it("trap 17: a renamed finalizer takes the place of the one before, on objects that live and on those that go", () =>
    wranglerRig(async ({ cluster: { client }, factory, signal, settle }) => {
      for (const name of ["lives", "goes"])
        await client.create(ConfigMap, { metadata: { name, finalizers: ["wrangler.cattle.io/on-remove"] } });
      await client.delete(ConfigMap, "goes");
      const cleaned: string[] = [];
      factory.controller(ConfigMap).onRemove(signal, "uninstall", (key) => void cleaned.push(key), {
        finalizer: "helm.cattle.io/uninstall",
        supersedes: ["wrangler.cattle.io/on-remove"],
      });
      await Promise.all([factory.start(signal), settle(2000)]);
      await settle();
      expect([cleaned, (await client.get(ConfigMap, "lives")).metadata.finalizers]).toEqual([["shop/goes"], ["helm.cattle.io/uninstall"]]);
      await expect(client.get(ConfigMap, "goes")).rejects.toSatisfy(isNotFound);
    }));

  it("trap 18: ErrSkip keeps the finalizer, and the cleanup is tried again", () =>
    wranglerRig(async ({ cluster: { client }, factory, signal, settle, runtime }) => {
      let tries = 0;
      factory.controller(ConfigMap).onRemove(signal, "uninstall", () => {
        tries++;
        if (tries < 3) throw new Error("the job still runs", { cause: ErrSkip });
      });
      await Promise.all([factory.start(signal), settle(2000)]);
      await client.create(ConfigMap, { metadata: { name: "web" } });
      await settle();
      await client.delete(ConfigMap, "web");
      await settle();
      expect([tries, (await client.get(ConfigMap, "web")).metadata.finalizers]).toEqual([1, ["wrangler.cattle.io/uninstall"]]);
      await settle(30_000);
      expect(tries).toBe(3);
      await expect(client.get(ConfigMap, "web")).rejects.toSatisfy(isNotFound);
      expect(runtime.log.entries.filter(({ level }) => level === "error")).toEqual([]);
    }));

  it("refuses a name that no server would take for a finalizer, when it is registered", () =>
    wranglerRig(async ({ factory, signal }) => {
      expect(() => factory.controller(ConfigMap).onRemove(signal, "a".repeat(64), () => undefined)).toThrow(
        /cannot be a finalizer: .*63.*set the option finalizer/s,
      );
      factory.controller(ConfigMap).addGenericRemoveHandler(signal, "generic", () => undefined, { finalizer: "example.com/generic" });
    }));
});
