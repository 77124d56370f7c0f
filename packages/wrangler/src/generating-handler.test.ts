/** Wrangler's status handlers and generating handlers on our server, and related resources: the traps that Drover avoids. */
import { Deployment } from "@drover/api/apps/v1";
import { Job } from "@drover/api/batch/v1";
import { ConfigMap, Namespace, Node, Secret } from "@drover/api/core/v1";
import { ClusterRole } from "@drover/api/rbac/v1";
import { isNotFound } from "@drover/machinery";
import type { DeepReadonly, KubeObject } from "@drover/machinery";
import { newApply } from "./apply-builder.ts";
import { cond } from "./cond.ts";
import { ErrSkip } from "./err-skip.ts";
import { keep, registerGeneratingHandler } from "./generating-handler.ts";
import { newFactory } from "./generic-factory.ts";
import { relatedresource } from "./related-resource.ts";
import { StatusError } from "./status-error.ts";
import { registerStatusHandler } from "./status-handler.ts";
import type { GeneratingHandlerOptions } from "./generating-handler.ts";
import { describe, expect, it } from "vitest";
import { wranglerRig } from "./testing/wrangler-rig.ts";
import type { WranglerRig } from "./testing/wrangler-rig.ts";

const template = { metadata: { labels: { app: "web" } }, spec: { containers: [{ name: "web", image: "web" }] } };
const deployment = (name = "web"): Deployment => ({
  metadata: { name, namespace: "shop" },
  spec: { selector: { matchLabels: { app: "web" } }, template },
});
/** The conditions of Deployments are older than the standard ones. */
const Synced = cond("Synced", { form: "generic" });
const settings = (data: Record<string, string> = { a: "1" }, metadata: object = {}): ConfigMap => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name: "settings", ...metadata },
  data,
});

describe("a status handler of Wrangler", () => {
  it("writes what is new once, and a condition with a generation and a time that moves only with its status (§2.1.1)", () =>
    wranglerRig(async ({ cluster: { client }, factory, signal, settle, writes, runtime }) => {
      registerStatusHandler(signal, factory.controller(Deployment), Synced, "note", (_object, status) => ({
        ...status,
        collisionCount: 3,
      }));
      await Promise.all([factory.start(signal), settle(2000)]);
      await client.create(Deployment, deployment());
      await settle();
      const { status } = await client.get(Deployment, "web");
      expect([status?.collisionCount, status?.conditions]).toEqual([
        3,
        [{ type: "Synced", status: "True", lastTransitionTime: "2026-01-01T00:00:02Z", lastUpdateTime: "2026-01-01T00:00:02Z" }],
      ]);
      await settle(60_000);
      expect(writes().filter((write) => write.startsWith("PUT"))).toEqual(["PUT deployments/web/status"]);
      expect(runtime.log.entries.filter(({ level }) => level === "error")).toEqual([]);
    }));

  it("trap 11: a status that comes with an error is written, and the key is tried again", () =>
    wranglerRig(async ({ cluster: { client }, factory, signal, settle }) => {
      let tries = 0;
      registerStatusHandler(signal, factory.controller(Deployment), Synced, "note", (_object, status) => {
        tries++;
        if (tries <= 2) throw new StatusError({ ...status, collisionCount: 7 }, new Error("no quota"));
        return { ...status, collisionCount: 8 };
      });
      await Promise.all([factory.start(signal), settle(2000)]);
      await client.create(Deployment, deployment());
      await settle(3);
      expect((await client.get(Deployment, "web")).status).toMatchObject({
        collisionCount: 7,
        conditions: [{ type: "Synced", status: "False", reason: "Error", message: "no quota" }],
      });
      await settle(1000);
      expect((await client.get(Deployment, "web")).status).toMatchObject({ collisionCount: 8, conditions: [{ status: "True" }] });
    }));

  it("an error without a status leaves the status as it was, but for the condition, and ErrSkip is a success that changes nothing else (§2.1.1)", () =>
    wranglerRig(async ({ cluster: { client }, factory, signal, settle }) => {
      await client.create(Deployment, deployment());
      let fails = true;
      registerStatusHandler(signal, factory.controller(Deployment), Synced, "note", () => {
        throw fails ? new Error("no nodes") : ErrSkip;
      });
      await Promise.all([factory.start(signal), settle(2000)]);
      await settle(10);
      expect((await client.get(Deployment, "web")).status).toEqual({
        conditions: [expect.objectContaining({ status: "False", message: "no nodes" })],
      });
      fails = false;
      await settle(60_000);
      expect((await client.get(Deployment, "web")).status).toEqual({ conditions: [expect.objectContaining({ status: "True" })] });
    }));

  it("trap 12: a conflict neither clears what is wrong nor is taken for it", () =>
    wranglerRig(async ({ cluster: { client }, factory, signal, settle }) => {
      await client.create(Deployment, deployment());
      /** The server's state when each run begins. */
      const found: string[] = [];
      registerStatusHandler(signal, factory.controller(Deployment), Synced, "note", async (object, status, context) => {
        const live = await client.get(Deployment, "web");
        found.push(`${Synced.getStatus(live)} ${Synced.getMessage(live)}`.trim());
        if (found.length === 1) throw new Error("broken");
        if (found.length < 4)
          await context.client.update(Deployment, { ...object, metadata: { ...object.metadata, resourceVersion: "1" } });
        return status;
      });
      await Promise.all([factory.start(signal), settle(2000)]);
      await settle(60_000);
      expect(found.slice(0, 5)).toEqual(["", "False broken", "False broken", "False broken", "True"]);
    }));

  it("refuses a kind that has no status of its own", () =>
    wranglerRig(async ({ factory, signal }) => {
      expect(() =>
        registerStatusHandler(signal, factory.controller(ConfigMap as never), undefined, "note", (_object, status) => status),
      ).toThrow(/ConfigMap has no status of its own/);
    }));
});

describe("a generating handler of Wrangler", () => {
  type Objects = (object: DeepReadonly<Deployment>) => readonly DeepReadonly<KubeObject>[] | "keep";
  /** A Deployment that generates the objects of the test. */
  async function generating(
    { cluster, factory, signal, settle }: WranglerRig,
    objects: Objects,
    options: GeneratingHandlerOptions = {},
  ): Promise<void> {
    const apply = newApply({ cluster }).withCacheTypes(factory.controller(ConfigMap));
    registerGeneratingHandler(
      signal,
      factory.controller(Deployment),
      apply,
      Synced,
      "generate",
      (object, status) => {
        const wanted = objects(object);
        return wanted === "keep" ? keep(status) : { objects: wanted, status };
      },
      options,
    );
    await Promise.all([factory.start(signal), settle(2000)]);
    await cluster.client.create(Deployment, deployment());
    await settle(1000);
  }
  const poke = (rig: WranglerRig, text: string): Promise<unknown> =>
    rig.cluster.client
      .patch(Deployment, "web", { type: "merge", body: { metadata: { annotations: { poke: text } } } })
      .then(() => rig.settle(1000));
  const synced = async ({ cluster: { client } }: WranglerRig): Promise<string> => {
    const object = await client.get(Deployment, "web");
    return `${Synced.getStatus(object)} ${Synced.getMessage(object)}`;
  };

  it("makes what it returns, sets it right when it is asked again, and refers to its owner (§2.1.2)", () =>
    wranglerRig(async (rig) => {
      await generating(rig, () => [settings()]);
      const { client } = rig.cluster;
      const {
        metadata: { uid },
      } = await client.get(Deployment, "web");
      const made = await client.get(ConfigMap, "settings");
      expect([made.data, made.metadata.ownerReferences, await synced(rig)]).toEqual([
        { a: "1" },
        [{ apiVersion: "apps/v1", kind: "Deployment", name: "web", uid, controller: true, blockOwnerDeletion: true }],
        "True ",
      ]);
      await client.patch(ConfigMap, "settings", { type: "merge", body: { data: { a: "9" } } });
      await poke(rig, "1");
      expect((await client.get(ConfigMap, "settings")).data).toEqual({ a: "1" });
    }));

  it("trap 8: another namespace is refused unless allowCrossNamespace says so", () =>
    wranglerRig(async (rig) => {
      await generating(rig, () => [settings({}, { namespace: "other" })]);
      expect(await synced(rig)).toMatch(/^False .*ConfigMap settings is in namespace other, its owner in shop.*say allowCrossNamespace/);
      await expect(rig.cluster.client.get(ConfigMap, "settings", { namespace: "other" })).rejects.toSatisfy(isNotFound);
    }));

  it("trap 8: allowCrossNamespace allows it, and without a reference that could lead there a finalizer sees to the end", () =>
    wranglerRig(async (rig) => {
      await generating(rig, () => [settings({}, { namespace: "other" })], { allowCrossNamespace: true });
      const { client } = rig.cluster;
      const made = await client.get(ConfigMap, "settings", { namespace: "other" });
      expect([made.metadata.ownerReferences, (await client.get(Deployment, "web")).metadata.finalizers, await synced(rig)]).toEqual([
        undefined,
        ["drover.dev/generate"],
        "True ",
      ]);
      await client.delete(Deployment, "web");
      await rig.settle(10_000);
      await expect(client.get(ConfigMap, "settings", { namespace: "other" })).rejects.toSatisfy(isNotFound);
      await expect(client.get(Deployment, "web")).rejects.toSatisfy(isNotFound);
    }));

  it("refuses what is in no namespace unless allowClusterScoped says so (§2.1.3)", () =>
    wranglerRig(async (rig) => {
      const role = { apiVersion: "rbac.authorization.k8s.io/v1", kind: "ClusterRole", metadata: { name: "generated" }, rules: [] };
      await generating(rig, () => [role]);
      expect(await synced(rig)).toMatch(/^False .*ClusterRole generated is in no namespace.*say allowClusterScoped/);
    }));

  it("allowClusterScoped with dynamicLookup makes it, and it goes with its owner", () =>
    wranglerRig(async (rig) => {
      const role = { apiVersion: "rbac.authorization.k8s.io/v1", kind: "ClusterRole", metadata: { name: "generated" }, rules: [] };
      await generating(rig, () => [role], { allowClusterScoped: true, dynamicLookup: true });
      const { client } = rig.cluster;
      expect([(await client.get(ClusterRole, "generated")).metadata.ownerReferences, await synced(rig)]).toEqual([undefined, "True "]);
      await client.delete(Deployment, "web");
      await rig.settle(10_000);
      await expect(client.get(ClusterRole, "generated")).rejects.toSatisfy(isNotFound);
    }));

  it("dynamicLookup: without it a kind that has no cache is refused, and the message says what to do (§2.1.3)", () =>
    wranglerRig(async (rig) => {
      await generating(rig, () => [{ apiVersion: "v1", kind: "Secret", metadata: { name: "settings" } }]);
      expect(await synced(rig)).toMatch(/^False .*there is no cache of .*Secret.*withCacheTypes.*withDynamicLookup/);
    }));

  it("trap 9: noOwnerReference sets none, and a finalizer sees to the end", () =>
    wranglerRig(async (rig) => {
      await generating(rig, () => [settings()], { noOwnerReference: true });
      const { client } = rig.cluster;
      expect([
        (await client.get(ConfigMap, "settings")).metadata.ownerReferences,
        (await client.get(Deployment, "web")).metadata.finalizers,
      ]).toEqual([undefined, ["drover.dev/generate"]]);
      await client.delete(Deployment, "web");
      await rig.settle(10_000);
      await expect(client.get(ConfigMap, "settings")).rejects.toSatisfy(isNotFound);
    }));

  it("trap 10: no objects delete what was there, keep leaves it, and returning nothing is an error that deletes nothing", () =>
    wranglerRig(async (rig) => {
      let wanted: ReturnType<Objects> | undefined = [settings()];
      await generating(rig, () => wanted as ReturnType<Objects>);
      const { client } = rig.cluster;
      wanted = "keep";
      await poke(rig, "keep");
      expect((await client.get(ConfigMap, "settings")).data).toEqual({ a: "1" });
      wanted = undefined;
      await poke(rig, "nothing");
      expect([(await client.get(ConfigMap, "settings")).data, await synced(rig)]).toEqual([
        { a: "1" },
        expect.stringMatching(/^False .*it returned no objects; return \{ objects, status \}, or keep\(status\)/),
      ]);
      wanted = [];
      await rig.settle(60_000);
      await expect(client.get(ConfigMap, "settings")).rejects.toSatisfy(isNotFound);
      expect(await synced(rig)).toBe("True ");
    }));

  /** The same program, started and stopped by the test. */
  async function program(
    { cluster, signal, settle }: WranglerRig,
    objects: readonly KubeObject[],
    options: GeneratingHandlerOptions,
  ): Promise<() => Promise<void>> {
    const stop = new AbortController();
    signal.addEventListener("abort", () => stop.abort());
    const factory = newFactory({ cluster });
    registerGeneratingHandler(
      stop.signal,
      factory.controller(Deployment),
      newApply({ cluster }),
      undefined,
      "generate",
      (_object, status) => ({ objects, status }),
      { dynamicLookup: true, ...options },
    );
    await Promise.all([factory.start(stop.signal), settle(10_000)]);
    return async () => {
      stop.abort();
      await Promise.all([factory.ended(), settle(60_000)]);
    };
  }

  it("trap 17: a set that was renamed keeps its members, and prunes them", () =>
    wranglerRig(async (rig) => {
      const { client } = rig.cluster;
      await client.create(Deployment, deployment());
      const end = await program(rig, [settings(), { apiVersion: "v1", kind: "Secret", metadata: { name: "token" } }], {
        setID: "old-name",
      });
      await end();
      const {
        metadata: { uid },
      } = await client.get(ConfigMap, "settings");
      await program(rig, [settings()], { setID: "new-name", supersedes: ["old-name"] });
      expect((await client.get(ConfigMap, "settings")).metadata.uid).toBe(uid);
      await expect(client.get(Secret, "token")).rejects.toSatisfy(isNotFound);
    }));

  it("trap 19: objects of an owner that was deleted while nobody looked go when the program is back", () =>
    wranglerRig(async (rig) => {
      const { client } = rig.cluster;
      await client.create(Deployment, deployment());
      const end = await program(rig, [settings()], { noOwnerReference: true });
      expect((await client.get(ConfigMap, "settings")).data).toEqual({ a: "1" });
      await end();
      await client.delete(Deployment, "web");
      expect((await client.get(Deployment, "web")).metadata.deletionTimestamp).toBeDefined();
      await program(rig, [settings()], { noOwnerReference: true });
      await expect(client.get(ConfigMap, "settings")).rejects.toSatisfy(isNotFound);
      await expect(client.get(Deployment, "web")).rejects.toSatisfy(isNotFound);
    }));

  it("trap 20: the last object of a kind is pruned, also of a kind that nobody names any more", () =>
    wranglerRig(async (rig) => {
      const secret = { apiVersion: "v1", kind: "Secret", metadata: { name: "token" } };
      let wanted: readonly KubeObject[] = [settings(), secret];
      await generating(rig, () => wanted, { dynamicLookup: true });
      expect((await rig.cluster.client.get(Secret, "token")).metadata.name).toBe("token");
      wanted = [settings()];
      await poke(rig, "1");
      await expect(rig.cluster.client.get(Secret, "token")).rejects.toSatisfy(isNotFound);
    }));

  it("trap 21: an object without a namespace is in its owner's", () =>
    wranglerRig(async (rig) => {
      await generating(rig, () => [settings()], { noOwnerReference: true });
      expect((await rig.cluster.client.get(ConfigMap, "settings", { namespace: "shop" })).metadata.namespace).toBe("shop");
    }));

  it("without unique applies every run applies; with them a run at the same resourceVersion does not, and a changed one does (§3.13)", () =>
    wranglerRig(async (rig) => {
      const { client } = rig.cluster;
      await generating(rig, () => [settings()], { uniqueApplyForResourceVersion: true });
      const drift = (): Promise<unknown> => client.patch(ConfigMap, "settings", { type: "merge", body: { data: { a: "drift" } } });
      const data = async (): Promise<unknown> => (await client.get(ConfigMap, "settings")).data?.["a"];
      await drift();
      for (let time = 0; time < 3; time++) rig.factory.controller(Deployment).enqueue("shop", "web");
      await rig.settle(1000);
      expect(await data()).toBe("drift");
      await poke(rig, "1");
      expect(await data()).toBe("1");
    }));

  it("unique applies for a generation hold while only the status or a label changes", () =>
    wranglerRig(async (rig) => {
      const { client } = rig.cluster;
      await generating(rig, () => [settings()], { uniqueApplyForGeneration: true });
      await client.patch(ConfigMap, "settings", { type: "merge", body: { data: { a: "drift" } } });
      await client.patch(Deployment, "web", { type: "merge", body: { metadata: { labels: { poke: "1" } } } });
      await rig.settle(1000);
      expect((await client.get(ConfigMap, "settings")).data).toEqual({ a: "drift" });
      await client.patch(Deployment, "web", { type: "merge", body: { spec: { replicas: 5 } } });
      await rig.settle(1000);
      expect((await client.get(ConfigMap, "settings")).data).toEqual({ a: "1" });
      expect(() =>
        registerGeneratingHandler(
          rig.signal,
          rig.factory.controller(Deployment),
          newApply(rig),
          undefined,
          "both",
          (_o, status) => keep(status),
          { uniqueApplyForGeneration: true, uniqueApplyForResourceVersion: true },
        ),
      ).toThrow(/cannot both hold/);
    }));
});

describe("related resources of Wrangler", () => {
  it("trap 22: whoever is referred to no longer hears of it, at once, as whoever is now (§3.36)", () =>
    wranglerRig(async ({ cluster: { client }, factory, signal, settle }) => {
      const ran: string[] = [];
      const maps = factory.controller(ConfigMap);
      maps.onChange(signal, "note", (key) => void ran.push(key));
      relatedresource.watch(
        signal,
        "by-label",
        (namespace, _name, object) => [relatedresource.newKey(namespace, object?.metadata.labels?.["for"] ?? "")],
        maps,
        factory.controller(Secret),
      );
      await Promise.all([factory.start(signal), settle(2000)]);
      ran.length = 0;
      await client.create(Secret, { metadata: { name: "token", labels: { for: "a" } } });
      await settle(1);
      expect(ran.splice(0)).toEqual(["shop/a"]);
      await client.patch(Secret, "token", { type: "merge", body: { metadata: { labels: { for: "b" } } } });
      await settle(1);
      expect(ran.splice(0).toSorted()).toEqual(["shop/a", "shop/b"]);
      await client.delete(Secret, "token");
      await settle(1);
      expect(ran.splice(0)).toEqual(["shop/b"]);
    }));

  it("a resolver that fails is asked again, about what it was asked before, and the others are not kept back (§2.4.1)", () =>
    wranglerRig(async ({ cluster: { client }, factory, signal, settle }) => {
      const ran: string[] = [];
      const maps = factory.controller(ConfigMap);
      maps.onChange(signal, "note", (key) => void ran.push(key));
      let failures = 6;
      relatedresource.watch(
        signal,
        "flaky",
        (namespace, name, object) => {
          if (name === "token" && failures-- > 0) throw new Error("not now");
          return [relatedresource.newKey(namespace, object?.metadata.labels?.["for"] ?? "")];
        },
        maps,
        factory.controller(Secret),
      );
      await Promise.all([factory.start(signal), settle(2000)]);
      await client.create(Secret, { metadata: { name: "token", labels: { for: "a" } } });
      await client.create(Secret, { metadata: { name: "other", labels: { for: "b" } } });
      await settle(1);
      expect(ran).toEqual(["shop/b"]);
      await settle(1000);
      expect(ran).toEqual(["shop/b", "shop/a"]);
    }));

  it("owners are found by their kind, in namespaces and in none, and watchClusterScoped asks for names alone (§2.4.3)", () =>
    wranglerRig(async ({ cluster: { client }, factory, signal, settle }) => {
      const ran: string[] = [];
      for (const kind of [Deployment, Node, Namespace] as const)
        factory.controller(kind as typeof Node).onChange(signal, "note", (key) => void ran.push(`${kind.kind} ${key}`));
      relatedresource.watch(
        signal,
        "owners",
        relatedresource.ownerResolver(Deployment),
        factory.controller(Deployment),
        factory.controller(Secret),
        factory.controller(ConfigMap),
      );
      relatedresource.watchClusterScoped(
        signal,
        "nodes",
        relatedresource.ownerResolver(Node),
        factory.controller(Node),
        factory.controller(Secret),
      );
      relatedresource.watchClusterScoped(
        signal,
        "all",
        relatedresource.triggerAllKey,
        factory.controller(Namespace),
        factory.controller(Secret),
      );
      await Promise.all([factory.start(signal), settle(2000)]);
      ran.length = 0;
      const owner = (apiVersion: string, kind: string, name: string) => ({ apiVersion, kind, name, uid: name });
      await client.create(Secret, {
        metadata: {
          name: "token",
          ownerReferences: [owner("apps/v1beta1", "Deployment", "web"), owner("v1", "Node", "one"), owner("other/v1", "Deployment", "no")],
        },
      });
      await settle(1);
      expect(ran.toSorted()).toEqual(["Deployment shop/web", `Namespace ${relatedresource.allKey}`, "Node one"]);
      expect([relatedresource.fromString("a/b"), relatedresource.fromString("b")]).toEqual([
        { namespace: "a", name: "b" },
        { namespace: "", name: "b" },
      ]);
    }));

  it("stops firing once its signal is aborted (§3.16)", () =>
    wranglerRig(async ({ cluster: { client }, factory, signal, settle }) => {
      const ran: string[] = [];
      const maps = factory.controller(ConfigMap);
      maps.onChange(signal, "note", (key) => void ran.push(key));
      const stop = new AbortController();
      relatedresource.watch(stop.signal, "short", () => [relatedresource.newKey("shop", "a")], maps, factory.controller(Secret));
      relatedresource.watch(
        AbortSignal.abort(),
        "never",
        () => [relatedresource.newKey("shop", "never")],
        maps,
        factory.controller(Secret),
      );
      await Promise.all([factory.start(signal), settle(2000)]);
      ran.length = 0;
      await client.create(Secret, { metadata: { name: "one" } });
      await settle(1);
      stop.abort();
      await client.create(Secret, { metadata: { name: "two" } });
      await settle(1);
      expect(ran).toEqual(["shop/a"]);
    }));
});

describe("a Job that a GitJob would make", () => {
  it("is deleted and made anew when its template changes (§3.30)", () =>
    wranglerRig(async ({ cluster, settle }) => {
      const job = (image: string): Job => ({
        apiVersion: "batch/v1",
        kind: "Job",
        metadata: { name: "run", namespace: "shop" },
        spec: { template: { spec: { restartPolicy: "Never", containers: [{ name: "run", image }] } } },
      });
      const apply = newApply({ cluster }).withSetID("jobs").withDynamicLookup();
      await apply.applyObjects(job("one"));
      const {
        metadata: { uid },
      } = await cluster.client.get(Job, "run");
      await apply.applyObjects(job("two"));
      await settle();
      await apply.applyObjects(job("two"));
      const made = await cluster.client.get(Job, "run");
      expect([made.metadata.uid === uid, made.spec?.template.spec?.containers[0]?.image]).toEqual([false, "two"]);
    }));
});
