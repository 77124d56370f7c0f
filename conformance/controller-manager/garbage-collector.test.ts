/** The garbage collector on a server: when owners are deleted, their dependents are deleted, waited for or orphaned as requested. */
import { CustomResourceDefinition } from "@drover/api/apiextensions/v1";
import { ConfigMap, Namespace } from "@drover/api/core/v1";
import { Event } from "@drover/api/events/v1";
import { PriorityClass } from "@drover/api/scheduling/v1";
import { newOwnerReference } from "@drover/machinery";
import type { Kind, KubeObject, OwnerReference } from "@drover/machinery";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { garbageCollectorController } from "../../packages/controller-manager/src/garbage-collector/garbage-collector.ts";
import { isGone, isNotServedYet, namesOf, runControllers } from "../../packages/controller-manager/src/testing/controllers-scene.ts";
import { describeScenes } from "./scene-servers.ts";
import type { RunningControllers, SceneServer } from "../../packages/controller-manager/src/testing/controllers-scene.ts";
import { definition, objectSchema, version } from "../apiserver/custom-definitions.ts";

describeScenes("the garbage collector", ({ missing, open }) => {
  let scene: SceneServer;
  let running: RunningControllers | undefined;
  let count = 0;
  let namespace = "";

  beforeAll(async () => {
    if (missing !== undefined) return;
    scene = await open();
    running = runControllers(scene, { controllers: [garbageCollectorController] });
  }, 90_000);
  afterAll(async () => {
    if (running === undefined) return;
    await running.end();
    await scene.close();
  }, 30_000);
  beforeEach(async (ctx) => {
    if (missing !== undefined) ctx.skip(missing);
    namespace = `gc-${++count}`;
    await scene.client.create(Namespace, { metadata: { name: namespace } });
  });

  const make = async (
    name: string,
    owners: readonly ConfigMap[] = [],
    { block = false, finalizers = [] }: { readonly block?: boolean; readonly finalizers?: readonly string[] } = {},
  ): Promise<ConfigMap> =>
    scene.client.create(
      ConfigMap,
      {
        metadata: {
          name,
          namespace,
          finalizers: [...finalizers],
          ownerReferences: owners.map((owner): OwnerReference => newOwnerReference(owner, ConfigMap, { blockOwnerDeletion: block })),
        },
      },
      { namespace },
    );
  const remove = async (name: string, propagationPolicy: "Background" | "Foreground" | "Orphan"): Promise<void> => {
    await scene.client.delete(ConfigMap, name, { namespace, propagationPolicy });
  };
  const left = async (): Promise<readonly string[]> =>
    (await namesOf(scene.client, ConfigMap, namespace)).filter((name) => name !== "kube-root-ca.crt");
  const leaves = (...names: readonly string[]): Promise<void> =>
    scene.until(`only ${names.join()} is left`, async () => String(await left()) === String(names));

  it("deletes the dependents of a deleted owner, and their dependents", async () => {
    const owner = await make("a");
    const child = await make("b", [owner]);
    await make("c", [child]);
    await make("other");
    await remove("a", "Background");
    await leaves("other");
  });

  it("keeps a dependent with another owner, without the reference to the deleted one", async () => {
    const [a, b] = [await make("a"), await make("b")];
    await make("child", [a, b]);
    await remove("a", "Background");
    await scene.until(
      "the reference is gone",
      async () => (await scene.client.get(ConfigMap, "child", { namespace })).metadata.ownerReferences?.length === 1,
    );
    expect((await scene.client.get(ConfigMap, "child", { namespace })).metadata.ownerReferences?.[0]?.uid).toBe(b.metadata.uid);
  });

  it("in the foreground deletes the owner last, after its blocking dependents", async () => {
    const owner = await make("a");
    await make("b", [owner], { block: true, finalizers: ["example.com/held"] });
    await remove("a", "Foreground");
    await scene.until(
      "the child is being deleted",
      async () => (await scene.client.get(ConfigMap, "b", { namespace })).metadata.deletionTimestamp !== undefined,
    );
    await scene.calm(2000);
    expect(await left()).toEqual(["a", "b"]);
    await scene.client.patch(ConfigMap, "b", { type: "merge", body: { metadata: { finalizers: null } } }, { namespace });
    await leaves();
  });

  it("in the foreground does not wait for non-blocking dependents", async () => {
    const owner = await make("a");
    await make("b", [owner], { finalizers: ["example.com/held"] });
    await remove("a", "Foreground");
    await scene.until("the owner is gone", () => isGone(scene.client, ConfigMap, "a", namespace));
    await scene.until(
      "the child is being deleted",
      async () => (await scene.client.get(ConfigMap, "b", { namespace })).metadata.deletionTimestamp !== undefined,
    );
    await scene.client.patch(ConfigMap, "b", { type: "merge", body: { metadata: { finalizers: null } } }, { namespace });
    await leaves();
  });

  it("orphans dependents without their owner references", async () => {
    const owner = await make("a");
    await make("b", [owner]);
    await make("c", [owner], { block: true });
    await remove("a", "Orphan");
    await leaves("b", "c");
    for (const name of ["b", "c"])
      expect((await scene.client.get(ConfigMap, name, { namespace })).metadata.ownerReferences).toBeUndefined();
  });

  it("deletes cycles of blocking owners, in the background and in the foreground", async () => {
    for (const propagationPolicy of ["Background", "Foreground"] as const) {
      const names = ["a", "b", "c", "d"];
      const circle = await Promise.all(names.map((name) => make(name)));
      await Promise.all(
        circle.map((object, index) => {
          const owner = circle[(index + 1) % circle.length] ?? object;
          return scene.client.patch(
            ConfigMap,
            object.metadata.name ?? "",
            { type: "merge", body: { metadata: { ownerReferences: [newOwnerReference(owner, ConfigMap, { blockOwnerDeletion: true })] } } },
            { namespace },
          );
        }),
      );
      await scene.calm(200);
      expect(await left()).toEqual(names);
      await remove("b", propagationPolicy);
      await leaves();
    }
  });

  it("deletes dependents of an owner that never existed, or that was replaced under its name", async () => {
    const owner = await make("a");
    const reference = newOwnerReference(owner, ConfigMap);
    await scene.client.create(
      ConfigMap,
      { metadata: { name: "never", ownerReferences: [{ ...reference, name: "nobody", uid: "11111111-2222-3333-4444-555555555555" }] } },
      { namespace },
    );
    await scene.client.create(
      ConfigMap,
      { metadata: { name: "namesake", ownerReferences: [{ ...reference, uid: "21111111-2222-3333-4444-555555555555" }] } },
      { namespace },
    );
    await make("good", [owner]);
    await leaves("a", "good");
  });

  it("G013: deletes a child whose owner is in another namespace, with a warning Event", async () => {
    const other = `${namespace}-other`;
    await scene.client.create(Namespace, { metadata: { name: other } });
    const owner = await scene.client.create(ConfigMap, { metadata: { name: "a" } }, { namespace: other });
    await scene.calm(100);
    await make("child", [owner]);
    await leaves();
    const events = async (): Promise<readonly Event[]> =>
      (await scene.client.list(Event, { namespace })).items.filter(({ reason }) => reason === "OwnerRefInvalidNamespace");
    await scene.until("the warning is there", async () => (await events()).length > 0);
    expect((await events()).map(({ type, note, regarding }) => [type, note, regarding?.name])).toEqual([
      [
        "Warning",
        `ownerRef [v1/ConfigMap, namespace: ${namespace}, name: a, uid: ${owner.metadata.uid}] does not exist in namespace "${namespace}"`,
        "child",
      ],
    ]);
    expect(await isGone(scene.client, ConfigMap, "a", other)).toBe(false);
  });

  it("G012, G014: accepts a cluster-scoped owner of a namespaced object, and leaves the reverse alone", async () => {
    const cluster = await scene.client.create(PriorityClass, { metadata: { name: `${namespace}-class` }, value: 1 });
    const child = await scene.client.create(
      ConfigMap,
      { metadata: { name: "child", ownerReferences: [newOwnerReference(cluster, PriorityClass)] } },
      { namespace },
    );
    const wrong = await scene.client.create(PriorityClass, {
      metadata: { name: `${namespace}-wrong`, ownerReferences: [newOwnerReference(child, ConfigMap)] },
      value: 1,
    });
    await scene.calm(2000);
    expect(await left()).toEqual(["child"]);
    await scene.client.delete(PriorityClass, cluster.metadata.name ?? "");
    await leaves();
    await scene.calm(2000);
    expect(await isGone(scene.client, PriorityClass, wrong.metadata.name ?? "")).toBe(false);
    await scene.client.delete(PriorityClass, wrong.metadata.name ?? "");
  });

  it("G016, G017: keeps a dependent of an unserved kind, without delaying others", async () => {
    const owner = await make("a");
    const reference = newOwnerReference(owner, ConfigMap);
    await scene.client.create(
      ConfigMap,
      { metadata: { name: "stays", ownerReferences: [{ ...reference, apiVersion: "unknown.example.com/v1" }] } },
      { namespace },
    );
    await scene.client.create(
      ConfigMap,
      { metadata: { name: "version", ownerReferences: [{ ...reference, apiVersion: "v7" }] } },
      { namespace },
    );
    await make("good", [owner]);
    await remove("a", "Background");
    await leaves("stays", "version");
    await scene.calm(5000);
    expect(await left()).toEqual(["stays", "version"]);
  });

  it("G018: deletes the dependent that names the wrong kind for a uid, and keeps the others", async () => {
    const owner = await make("a");
    await make("good", [owner]);
    await scene.client.create(
      ConfigMap,
      { metadata: { name: "bad", ownerReferences: [{ ...newOwnerReference(owner, ConfigMap), kind: "Secret" }] } },
      { namespace },
    );
    await leaves("a", "good");
    await scene.calm(1000);
    expect(await left()).toEqual(["a", "good"]);
  });

  it("G001: follows custom kinds that are defined and deleted, as owners and as dependents", async () => {
    const group = `${namespace}.example.com`;
    const Widget: Kind = {
      group,
      version: "v1",
      kind: "Widget",
      listKind: "WidgetList",
      plural: "widgets",
      singular: "widget",
      shortNames: [],
      categories: [],
      scope: "Namespaced",
      verbs: [],
      subresources: {},
    };
    const widgetDefinition = definition("widgets", "Widget", [version("v1", objectSchema({}))], {
      group,
    }) as unknown as CustomResourceDefinition;
    const widget = (name: string, owners: readonly OwnerReference[] = []): KubeObject => ({
      apiVersion: `${group}/v1`,
      kind: "Widget",
      metadata: { name, ownerReferences: [...owners] },
    });
    await scene.client.create(CustomResourceDefinition, widgetDefinition);
    await scene.until("widgets are served", async () => {
      try {
        return (await scene.client.list(Widget, { namespace })).items.length === 0;
      } catch (error) {
        if (isNotServedYet(error)) return false;
        throw error;
      }
    });
    const first = await scene.client.create(Widget, widget("first"), { namespace });
    const child = await scene.client.create(
      ConfigMap,
      { metadata: { name: "child", ownerReferences: [newOwnerReference(first, Widget)] } },
      { namespace },
    );
    await scene.client.create(Widget, widget("grandchild", [newOwnerReference(child, ConfigMap)]), { namespace });
    await scene.calm(2000);
    expect([await left(), await namesOf(scene.client, Widget, namespace)]).toEqual([["child"], ["first", "grandchild"]]);
    await scene.client.delete(Widget, "first", { namespace, propagationPolicy: "Foreground" });
    await scene.until("nothing is left", async () => (await left()).length + (await namesOf(scene.client, Widget, namespace)).length === 0);
    const orphaned = await scene.client.create(Widget, widget("second"), { namespace });
    await scene.client.create(Widget, widget("third", [newOwnerReference(orphaned, Widget)]), { namespace });
    await scene.client.delete(Widget, "second", { namespace, propagationPolicy: "Orphan" });
    await scene.until("only the third is left", async () => String(await namesOf(scene.client, Widget, namespace)) === "third");
    expect((await scene.client.get(Widget, "third", { namespace })).metadata.ownerReferences).toBeUndefined();
    await scene.client.delete(CustomResourceDefinition, `widgets.${group}`);
    await scene.until("the definition is gone", () => isGone(scene.client, CustomResourceDefinition, `widgets.${group}`));
  });
});
