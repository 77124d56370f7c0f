/** Wrangler's apply under its own names, and its factory of definitions, on our server. */
import { CustomResourceDefinition } from "@drover/api/apiextensions/v1";
import { Deployment } from "@drover/api/apps/v1";
import { ConfigMap, Namespace, Secret } from "@drover/api/core/v1";
import { ApiError, isNotFound, newForbidden } from "@drover/machinery";
import { ApplySetError } from "@drover/patterns";
import { newApply } from "./apply-builder.ts";
import { crd } from "./crd-builder.ts";
import { newCrdFactory } from "./crd-factory.ts";
import { ErrOwnerNotFound } from "./object-owner.ts";
import { newObjectSet } from "./object-set.ts";
import { describe, expect, it } from "vitest";
import { wranglerRig } from "./testing/wrangler-rig.ts";

const map = (name: string, namespace?: string, data: Record<string, string> = {}): ConfigMap => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name, ...(namespace === undefined ? {} : { namespace }) },
  data,
});
const secret = (name: string, namespace = "shop"): Secret => ({ apiVersion: "v1", kind: "Secret", metadata: { name, namespace } });
const names = (list: { readonly items: readonly { readonly metadata: { readonly name?: string } }[] }): readonly string[] =>
  list.items.map(({ metadata: { name = "" } }) => name).toSorted();

describe("an apply of Wrangler", () => {
  it("creates, changes and prunes what a set has, and sends nothing when nothing is new (§3.28)", () =>
    wranglerRig(async ({ cluster, writes }) => {
      const apply = newApply({ cluster }).withSetID("settings").withDynamicLookup();
      await apply.apply(newObjectSet(map("a", "shop", { x: "1" }), map("b", "other")));
      const before = writes().length;
      await apply.applyObjects(map("a", "shop", { x: "1" }), undefined, map("b", "other"));
      expect(writes().slice(before)).toEqual([]);
      await apply.applyObjects(map("a", "shop", { x: "2" }));
      expect([
        (await cluster.client.get(ConfigMap, "a")).data,
        names(await cluster.client.list(ConfigMap, { namespace: "other" })).includes("b"),
      ]).toEqual([{ x: "2" }, false]);
      await apply.withGVK(ConfigMap).applyObjects();
      await expect(cluster.client.get(ConfigMap, "a")).rejects.toSatisfy(isNotFound);
    }));

  it("is immutable: what one branch adds, no other sees (§2.2.10)", () =>
    wranglerRig(async ({ cluster }) => {
      const base = newApply({ cluster }).withSetID("base").withDynamicLookup();
      const kept = base.withNoDeleteGVK(Secret);
      base
        .withNoDelete()
        .withInjector(() => [])
        .withDefaultNamespace("other");
      await kept.applyObjects(secret("kept"), map("gone", "shop"));
      await kept.applyObjects(map("new", "shop"));
      expect([names(await cluster.client.list(Secret)), (await cluster.client.get(ConfigMap, "new")).metadata.name]).toEqual([
        ["kept"],
        "new",
      ]);
      await expect(cluster.client.get(ConfigMap, "gone")).rejects.toSatisfy(isNotFound);
      await base.withGVK(Secret, ConfigMap).applyObjects();
      expect(names(await cluster.client.list(Secret))).toEqual([]);
    }));

  it("withSetOwnerReference refers as it is told, where the garbage collector follows, and withOwner alone refers to nobody (§3.31)", () =>
    wranglerRig(async ({ cluster }) => {
      const owner = await cluster.client.create(ConfigMap, map("owner", "shop"));
      const apply = newApply({ cluster }).withOwner(owner).withDynamicLookup();
      const references = async (name: string, namespace = "shop"): Promise<unknown> =>
        (await cluster.client.get(ConfigMap, name, { namespace })).metadata.ownerReferences?.map(({ controller, blockOwnerDeletion }) => [
          controller,
          blockOwnerDeletion,
        ]);
      await apply.withSetID("one").withSetOwnerReference(true, false).applyObjects(map("a"), map("far", "other"));
      await apply.withSetID("two").withSetOwnerReference(false, true).applyObjects(map("b"));
      await apply.withSetID("three").applyObjects(map("c"));
      expect([await references("a"), await references("far", "other"), await references("b"), await references("c")]).toEqual([
        [[true, false]],
        undefined,
        [[undefined, true]],
        undefined,
      ]);
    }));

  it("withStrictCaching is how it begins: a kind without a cache is an error, and withCacheTypes looks into the caches (§2.2.3)", () =>
    wranglerRig(async ({ cluster, factory, signal, settle }) => {
      const apply = newApply({ cluster }).withSetID("cached").withDefaultNamespace("shop");
      await expect(apply.applyObjects(map("a"))).rejects.toThrow(/there is no cache of .*ConfigMap.*withCacheTypes/);
      const cached = apply.withCacheTypes(factory.controller(ConfigMap));
      await Promise.all([factory.start(signal), settle(2000)]);
      await cached.applyObjects(map("a"), map("b"));
      await settle();
      await cached.applyObjects(map("a"));
      expect(names(await cluster.client.list(ConfigMap)).filter((name) => name.length === 1)).toEqual(["a"]);
      await settle();
      await cached.applyObjects();
      expect(names(await cluster.client.list(ConfigMap)).filter((name) => name.length === 1)).toEqual([]);
    }));

  it("withDiffPatch leaves a field to whoever sets it, and takes nothing but removals (§2.2.5)", () =>
    wranglerRig(async ({ cluster }) => {
      const template = { metadata: { labels: { app: "web" } }, spec: { containers: [{ name: "web", image: "web" }] } };
      const web: Deployment = {
        apiVersion: "apps/v1",
        kind: "Deployment",
        metadata: { name: "web", namespace: "shop" },
        spec: { replicas: 1, selector: { matchLabels: { app: "web" } }, template },
      };
      const apply = newApply({ cluster })
        .withSetID("web")
        .withDynamicLookup()
        .withDiffPatch(Deployment, "shop", "web", [
          { op: "remove", path: "/spec/replicas" },
          { op: "remove", path: "/spec/missing" },
        ]);
      await apply.applyObjects(web);
      await cluster.client.patch(Deployment, "web", { type: "merge", body: { spec: { replicas: 7 } } });
      await apply.applyObjects(web);
      expect((await cluster.client.get(Deployment, "web")).spec?.replicas).toBe(7);
      expect(() => apply.withDiffPatch(Deployment, "", "", [{ op: "replace", path: "/spec/replicas", value: 1 }])).toThrow(
        /only "remove" is taken/,
      );
      expect(() => apply.withReconciler(Deployment, (() => true) as never)).toThrow(/a function cannot be kept; say "recreate"/);
      expect(() => apply.withPatcher(Deployment, "leave")).not.toThrow();
    }));

  it("withRestrictClusterScoped, withListerNamespace and a set of nobody are refused with what to do (§2.2.4)", () =>
    wranglerRig(async ({ cluster }) => {
      const apply = newApply({ cluster }).withDynamicLookup();
      await expect(apply.applyObjects(map("a", "shop"))).rejects.toThrow(/Say withOwner, withOwnerKey or withSetID/);
      const set = apply.withSetID("s");
      await expect(set.applyObjects(map("a"))).rejects.toThrow(/ConfigMap a has no metadata\.namespace.*withDefaultNamespace/);
      await expect(
        set.withRestrictClusterScoped().applyObjects({ apiVersion: "v1", kind: "Namespace", metadata: { name: "n" } }),
      ).rejects.toThrow(/Namespace n is in no namespace/);
      await expect(set.withRestrictClusterScoped().withGVK(Namespace).applyObjects()).rejects.toThrow(/Namespace is in no namespace/);
      await expect(
        set
          .withOwner({ ...map("o", "shop") })
          .withListerNamespace("other")
          .applyObjects(),
      ).rejects.toThrow(/withListerNamespace\("other"\) cannot be kept/);
      await expect(set.apply(newObjectSet().addErr(new Error("template is broken")))).rejects.toThrow("template is broken");
      await expect(set.applyObjects({ metadata: { name: "what" } })).rejects.toThrow(/what says no apiVersion or no kind/);
      const here = set.withListerNamespace("shop");
      await here.applyObjects(map("a"), map("b"));
      await here.applyObjects(map("a"));
      expect(names(await cluster.client.list(ConfigMap)).filter((name) => name.length === 1)).toEqual(["a"]);
    }));

  it("an object of somebody else is not taken from them, unless it is nobody's and the apply adopts (§2.2.9)", () =>
    wranglerRig(async ({ cluster }) => {
      await cluster.client.create(ConfigMap, map("a", "shop", { theirs: "1" }));
      await expect(newApply({ cluster }).withSetID("s").withDynamicLookup().applyObjects(map("a", "shop"))).rejects.toBeInstanceOf(
        ApplySetError,
      );
      await newApply({ cluster, adopt: "unowned" })
        .withSetID("s")
        .withDynamicLookup()
        .applyObjects(map("a", "shop", { ours: "1" }));
      expect((await cluster.client.get(ConfigMap, "a")).data).toEqual({ theirs: "1", ours: "1" });
      await expect(
        newApply({ cluster, adopt: "unowned" }).withSetID("other").withDynamicLookup().applyObjects(map("a", "shop")),
      ).rejects.toThrow(/belongs to the set s/);
    }));

  it("dryRun says what would be done and writes nothing (§3.32)", () =>
    wranglerRig(async ({ cluster }) => {
      const apply = newApply({ cluster }).withSetID("s").withDynamicLookup();
      await apply.applyObjects(map("a", "shop", { x: "1" }), map("b", "shop"));
      const { create, update, delete: deleted } = await apply.dryRun(map("a", "shop", { x: "2" }), map("c", "shop"));
      expect(
        [create, update, deleted].map((changes) =>
          changes.map(({ name, fields }) => `${name} ${fields.map(({ path }) => path).includes("data.x")}`),
        ),
      ).toEqual([["c false"], ["a true"], ["b false"]]);
      expect(names(await cluster.client.list(ConfigMap)).filter((name) => name.length === 1)).toEqual(["a", "b"]);
    }));

  it("withOwnerKey needs no owner, findOwner finds one, and purgeOrphan deletes what has none any more (§2.2.2)", () =>
    wranglerRig(async ({ cluster }) => {
      const { client } = cluster;
      const owner = await client.create(ConfigMap, map("owner", "shop"));
      const apply = newApply({ cluster }).withDynamicLookup();
      await apply.withOwner(owner).withSetID("owned").applyObjects(map("a"));
      const member = await client.get(ConfigMap, "a");
      expect([(await apply.findOwner(member)).metadata.uid, await apply.purgeOrphan(member)]).toEqual([owner.metadata.uid, false]);
      await expect(apply.findOwner(owner)).rejects.toBeInstanceOf(ErrOwnerNotFound);
      await client.delete(ConfigMap, "owner");
      expect([await apply.purgeOrphan(member), await apply.purgeOrphan(owner)]).toEqual([true, false]);
      await expect(client.get(ConfigMap, "a")).rejects.toSatisfy(isNotFound);
      const keyed = apply
        .withOwnerKey("shop/imaginary", { group: "internal.io", version: "v1", kind: "Relation" })
        .withSetID("keyed")
        .withGVK(ConfigMap);
      await keyed.applyObjects(map("k"));
      await keyed.applyObjects();
      await expect(client.get(ConfigMap, "k")).rejects.toSatisfy(isNotFound);
      const wrangled = await client.create(ConfigMap, {
        ...map("w", "shop"),
        metadata: {
          name: "w",
          annotations: {
            "objectset.rio.cattle.io/id": "x",
            "objectset.rio.cattle.io/owner-gvk": "/v1, Kind=Secret",
            "objectset.rio.cattle.io/owner-name": "gone",
            "objectset.rio.cattle.io/owner-namespace": "shop",
          },
        },
      });
      expect(await apply.purgeOrphan(wrangled)).toBe(true);
    }));

  it("takes over what Wrangler has made for the same owner and set (§2.2.1)", () =>
    wranglerRig(async ({ cluster }) => {
      const { client } = cluster;
      const owner = await client.create(ConfigMap, map("owner", "shop"));
      const marks = {
        "objectset.rio.cattle.io/id": "web",
        "objectset.rio.cattle.io/owner-gvk": "/v1, Kind=ConfigMap",
        "objectset.rio.cattle.io/owner-name": "owner",
        "objectset.rio.cattle.io/owner-namespace": "shop",
      };
      for (const name of ["a", "b"])
        await client.create(ConfigMap, { metadata: { name, labels: { "objectset.rio.cattle.io/hash": "abc" }, annotations: marks } });
      await newApply({ cluster, wrangler: true }).withOwner(owner).withSetID("web").withDynamicLookup().applyObjects(map("a"));
      expect(names(await client.list(ConfigMap)).filter((name) => name.length === 1)).toEqual(["a"]);
    }));
});

describe("a factory of definitions of Wrangler", () => {
  const gitJobs = crd
    .namespacedType("GitJob.gitjob.cattle.io/v1")
    .withStatus()
    .withScale()
    .withColumn("Repo", ".spec.repo")
    .withShortNames("gj");

  it("trap 28: installs definitions that the server takes, waits until they are served, and writes nothing the second time (§3.20)", () =>
    wranglerRig(async ({ cluster: { client }, runtime: { log }, signal, settle }) => {
      const factory = newCrdFactory({ client, log });
      const [created] = await Promise.all([
        factory.createCRDs(signal, gitJobs, crd.nonNamespacedType("Fleet.fleet.example.com/v1")),
        settle(5000),
      ]);
      expect([...created.keys()].toSorted()).toEqual(["fleets.fleet.example.com", "gitjobs.gitjob.cattle.io"]);
      const installed = await client.get(CustomResourceDefinition, "gitjobs.gitjob.cattle.io");
      expect(installed.status?.conditions?.some(({ type, status }) => type === "Established" && status === "True")).toBe(true);
      await Promise.all([factory.batchCreateCRDs(signal, gitJobs.withCategories("all")).batchWait(), settle(5000)]);
      expect((await client.get(CustomResourceDefinition, "gitjobs.gitjob.cattle.io")).spec.names.categories).toEqual(["all"]);
    }));

  it("where definitions may not be listed they are taken to be there, and the log says so (§2.6)", () =>
    wranglerRig(async ({ cluster: { client }, runtime: { log }, signal, intercept, writes }) => {
      intercept(({ path }) =>
        path.includes("customresourcedefinitions")
          ? new ApiError(newForbidden({ group: "apiextensions.k8s.io", resource: "customresourcedefinitions" }, "", "no"))
          : undefined,
      );
      expect((await newCrdFactory({ client, log }).createCRDs(signal, gitJobs)).size).toBe(0);
      expect([writes(), log.entries.filter(({ level }) => level === "warn").map(({ message }) => message)]).toEqual([
        [],
        ["definitions may not be listed; they are taken to be there already"],
      ]);
    }));

  it("says in batchWait what went wrong, and times out on one that is never served (§3.20)", () =>
    wranglerRig(async ({ cluster: { client }, runtime: { log }, signal, settle }) => {
      const factory = newCrdFactory({ client, log, timeoutMs: 1000 });
      const bad = factory.batchCreateCRDs(signal, crd.namespacedType("Bad.example.com/v1").withSchema({ type: "string" })).batchWait();
      await Promise.all([expect(bad).rejects.toThrow(/bads\.example\.com/), settle(5000)]);
      await factory.batchWait();
      await Promise.all([factory.createCRDs(signal, crd.namespacedType("First.example.com/v1").withPlural("same")), settle(5000)]);
      const clash = factory.createCRDs(signal, crd.namespacedType("First.example.com/v1").withPlural("others"));
      await Promise.all([expect(clash).rejects.toThrow(), settle(5000)]);
    }));
});
