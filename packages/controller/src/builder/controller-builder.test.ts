import { Deployment, ReplicaSet } from "@drover/api/apps/v1";
import { ConfigMap } from "@drover/api/core/v1";
import { getOwn, objectKey } from "@drover/machinery";
import type { Kind, KubeObject, ObjectKey, ResourceRow } from "@drover/machinery";
import { describe, expect, expectTypeOf, it } from "vitest";
import { selfHandler } from "../handlers/self-handler.ts";
import { generationChanged } from "../predicates/changed-predicates.ts";
import { hasLabel } from "../predicates/object-predicates.ts";
import { createController } from "../reconcile/controller.ts";
import type { Controller, ControllerOptions } from "../reconcile/controller.ts";
import type { ReconcileContext } from "../reconcile/reconciler.ts";
import { after, done } from "../reconcile/result.ts";
import { kindSource } from "../sources/kind-source.ts";
import { pushSource } from "../sources/push-source.ts";
import { sourceRig } from "../sources/testing/source-rig.ts";
import type { SourceRig } from "../sources/testing/source-rig.ts";
import { controllerBuilder } from "./controller-builder.ts";
import type { ControllerBuilder, ControllerBuilderFor } from "./controller-builder.ts";

const config = (name: string, metadata: KubeObject["metadata"] = {}): KubeObject => ({
  metadata: { namespace: "shop", name, ...metadata },
});
const rowOf = ({ group, version, kind, plural }: Kind): ResourceRow => ({ group, version, kind, plural, scope: "Namespaced" });
const owner = (name: string, controller = true): NonNullable<KubeObject["metadata"]["ownerReferences"]>[number] => ({
  apiVersion: "apps/v1",
  kind: "Deployment",
  name,
  uid: name,
  controller,
});

/** Runs controllers with the cluster until nothing is left to do. */
async function started({ clock, start, end }: SourceRig, ...controllers: readonly Controller[]): Promise<() => Promise<void>> {
  const stop = new AbortController();
  const running = controllers.map((controller) => controller.run(stop.signal));
  await start();
  await clock.advance(1000);
  return async () => {
    stop.abort();
    await clock.advance(100);
    await Promise.all(running);
    await end();
  };
}

describe("a controller built with controllerBuilder", () => {
  it("reconciles the objects of its kind, is named after it, and applies its options", async () => {
    const rig = sourceRig();
    rig.configMaps.put(config("a"));
    const runs: ObjectKey[] = [];
    const controller = controllerBuilder({ cluster: rig.cluster })
      .for(ConfigMap)
      .options({ workers: 7 })
      .options({ deadlineMs: 1000 })
      .reconcile(({ key }) => {
        runs.push(key);
        return done;
      });
    expect([controller.name, controller.state().workers, controller.state().watches.map(({ name }) => name)]).toEqual([
      "configmap",
      7,
      ["ConfigMap"],
    ]);
    const stop = await started(rig, controller);
    rig.configMaps.put(config("b"));
    await rig.clock.advance(10);
    expect(runs).toEqual(["shop/a", "shop/b"]);
    await stop();
    // The queue updates its gauges once more.
    await rig.clock.advance(500);
    expect(rig.clock.pending).toEqual([]);
  });

  it("reconciles objects that have only the fields it declares", async () => {
    const rig = sourceRig();
    rig.configMaps.put({ ...config("a"), data: { text: "1" }, immutable: true } as KubeObject);
    const objects: unknown[] = [];
    const controller = controllerBuilder({ cluster: rig.cluster })
      .for(ConfigMap, { request: { fields: ["immutable"] } })
      .reconcileObject((object) => {
        objects.push([Object.keys(object), object.immutable, object.metadata.name]);
        return done;
      });
    const stop = await started(rig, controller);
    expect(objects).toEqual([[["apiVersion", "kind", "metadata", "immutable"], true, "a"]]);
    await stop();
  });

  it("owns: reconciles the controlling owner, and every owner with onlyController: false", async () => {
    const rig = sourceRig();
    rig.serve(rowOf(Deployment));
    const [managed, every]: [ObjectKey[], ObjectKey[]] = [[], []];
    const builder = controllerBuilder({ cluster: rig.cluster }).for(Deployment);
    const stop = await started(
      rig,
      builder.owns(ConfigMap).reconcile(({ key }) => {
        managed.push(key);
        return done;
      }),
      builder
        .named("every-owner")
        .owns(ConfigMap, { onlyController: false })
        .reconcile(({ key }) => {
          every.push(key);
          return done;
        }),
    );
    rig.configMaps.put(config("c", { ownerReferences: [owner("a", false), owner("b")] }));
    await rig.clock.advance(10);
    expect([managed, every]).toEqual([["shop/b"], ["shop/a", "shop/b"]]);
    await stop();
  });

  it("watches: maps the old and the new object with a function, or the change with a handler; without for it needs a name", async () => {
    const rig = sourceRig();
    const [mapped, handled]: [ObjectKey[], ObjectKey[]] = [[], []];
    const apps = ({
      metadata: { labels = {} },
    }: {
      readonly metadata: { readonly labels?: Readonly<Record<string, string>> };
    }): ObjectKey[] => [objectKey(getOwn(labels, "app") ?? "")];
    const builder = controllerBuilder({ cluster: rig.cluster, name: "apps" });
    const stop = await started(
      rig,
      builder.watches(ConfigMap, apps).reconcile(({ key }) => {
        mapped.push(key);
        return done;
      }),
      builder
        .named("others")
        .watches(ConfigMap, { handler: selfHandler })
        .reconcile(({ key }) => {
          handled.push(key);
          return done;
        }),
    );
    rig.configMaps.put(config("c", { labels: { app: "a" } }));
    await rig.clock.advance(10);
    rig.configMaps.put(config("c", { labels: { app: "b" } }));
    await rig.clock.advance(10);
    expect([mapped, handled]).toEqual([
      ["a", "a", "b"],
      ["shop/c", "shop/c"],
    ]);
    await stop();
  });

  it("applies predicates of a watch only to its kind, and those of where to every kind, in any order of the steps", async () => {
    const rig = sourceRig();
    const deployments = rig.serve(rowOf(Deployment));
    const keys: ObjectKey[] = [];
    const webhook = pushSource("webhook", { runtime: rig.runtime });
    const stop = await started(
      rig,
      controllerBuilder({ cluster: rig.cluster })
        .where(hasLabel("mine"))
        .for(Deployment, { predicates: [generationChanged] })
        .watches(ConfigMap, ({ metadata: { name = "" } }) => [objectKey(name)])
        .watchesSource(webhook)
        .where(hasLabel("today"))
        .reconcile(({ key }) => {
          keys.push(key);
          return done;
        }),
    );
    const both = { mine: "", today: "" };
    const deployment = (generation: number, labels: Record<string, string> = both): KubeObject => ({
      metadata: { namespace: "shop", name: "web", generation, labels },
    });
    const seen = async (): Promise<readonly ObjectKey[]> => {
      await rig.clock.advance(10);
      return keys.splice(0);
    };
    deployments.put(deployment(1));
    expect(await seen()).toEqual(["shop/web"]);
    deployments.put(deployment(1, { ...both, more: "" }));
    expect(await seen()).toEqual([]);
    deployments.put(deployment(2, { mine: "" }));
    expect(await seen()).toEqual([]);
    deployments.put(deployment(3));
    expect(await seen()).toEqual(["shop/web"]);
    rig.configMaps.put(config("a", { labels: { today: "" } }));
    expect(await seen()).toEqual([]);
    rig.configMaps.put(config("a", { labels: both }));
    rig.configMaps.put(config("a", { labels: { ...both, more: "" } }));
    expect(await seen()).toEqual(["a", "a"]);
    webhook.push(objectKey("anything"));
    expect(await seen()).toEqual(["anything"]);
    await stop();
  });

  it("shares the cache of a kind with other controllers, also for metadata only, with all three ways to watch", async () => {
    const rig = sourceRig();
    rig.serve(rowOf(Deployment));
    const metadata = { projection: "metadata" } as const;
    const builder = controllerBuilder({ cluster: rig.cluster })
      .for(Deployment, metadata)
      .owns(ConfigMap, metadata)
      .watches(ConfigMap, () => [], metadata);
    const [one, two] = [builder.named("one").reconcile(() => done), builder.named("two").reconcile(() => done)];
    expect(one.state().watches.map(({ name }) => name)).toEqual([
      "Deployment apps (metadata)",
      "ConfigMap owned by Deployment",
      "ConfigMap, mapped",
    ]);
    const stop = await started(rig, one, two);
    expect(rig.cluster.informers.state()).toHaveLength(2);
    await stop();
  });

  it("does not wait for an optional kind that is absent (§9.31)", async () => {
    const rig = sourceRig();
    rig.serve({
      group: "apiextensions.k8s.io",
      version: "v1",
      kind: "CustomResourceDefinition",
      plural: "customresourcedefinitions",
      scope: "Cluster",
    });
    rig.configMaps.put(config("a"));
    const runs: ObjectKey[] = [];
    const controller = controllerBuilder({ cluster: rig.cluster })
      .for(ConfigMap)
      .owns({ ...ReplicaSet, group: "example.com" }, { optional: true })
      .reconcile(({ key }) => {
        runs.push(key);
        return done;
      });
    const stop = await started(rig, controller);
    expect([runs, controller.needs.map(({ resource }) => resource)]).toEqual([
      ["shop/a"],
      ["configmaps", "replicasets", "customresourcedefinitions"],
    ]);
    await stop();
  });

  it("can watch another cluster than the one it writes to", async () => {
    const [here, there] = [sourceRig(), sourceRig({ name: "there" })];
    there.configMaps.put(config("far"));
    const runs: ReconcileContext[] = [];
    const stop = await started(
      here,
      controllerBuilder({ cluster: here.cluster })
        .for(ConfigMap)
        .watches(ConfigMap, { handler: selfHandler }, { cluster: there.cluster })
        .reconcile((context) => {
          runs.push(context);
          return done;
        }),
    );
    expect(runs).toEqual([]);
    await there.start();
    await here.clock.advance(1000);
    expect(runs).toMatchObject([{ key: "shop/far", causes: [{ cluster: "there" }] }]);
    await stop();
    await there.end();
  });

  it("adds and removes watches while it runs", async () => {
    const rig = sourceRig();
    const deployments = rig.serve(rowOf(Deployment));
    const keys: ObjectKey[] = [];
    const controller = controllerBuilder({ cluster: rig.cluster })
      .for(ConfigMap)
      .reconcile(({ key }) => {
        keys.push(key);
        return done;
      });
    const stop = await started(rig, controller);
    const put = async (name: string): Promise<readonly ObjectKey[]> => {
      deployments.put({ metadata: { namespace: "shop", name } });
      await rig.clock.advance(100);
      return keys.splice(0);
    };
    expect(await put("a")).toEqual([]);
    const source = kindSource(Deployment, { cluster: rig.cluster });
    for (const name of ["b", "c"]) {
      const watch = controller.watch(source);
      await rig.clock.advance(100);
      expect([watch.isSynced, keys.splice(0).length]).toEqual([true, name === "b" ? 1 : 3]);
      expect(await put(name)).toEqual([`shop/${name}`]);
      const stopped = watch.stop();
      await rig.clock.advance(10);
      await stopped;
      expect([await put(`${name}-later`), rig.cluster.informers.state().length]).toEqual([[], 1]);
    }
    await stop();
  });

  it("is created with the create option, for example by a manager", () => {
    const { cluster } = sourceRig();
    const asked: ControllerOptions[] = [];
    const create = (options: ControllerOptions): Controller => {
      asked.push(options);
      return createController(options);
    };
    controllerBuilder({ cluster, create })
      .for(ConfigMap)
      .options({ workers: 2 })
      .reconcile(() => done);
    expect(asked).toMatchObject([{ name: "configmap", workers: 2 }]);
  });
});

describe("controllerBuilder.reconcileObject", () => {
  it("passes the cached object, typed, and skips a key whose object is gone", async () => {
    const rig = sourceRig();
    rig.configMaps.put({ ...config("a"), data: { text: "hello" } });
    const seen: unknown[] = [];
    const stop = await started(
      rig,
      controllerBuilder({ cluster: rig.cluster })
        .for(ConfigMap)
        .reconcileObject(({ data }, { key }) => {
          expectTypeOf(data).toEqualTypeOf<Readonly<Record<string, string>> | undefined>();
          seen.push([key, data]);
          return after("1h");
        }),
    );
    rig.configMaps.remove("shop/a");
    await rig.clock.advance(10);
    expect(seen).toEqual([["shop/a", { text: "hello" }]]);
    await stop();
  });

  it("fails with a clear error when its kind is no longer watched", async () => {
    const rig = sourceRig();
    const controller = controllerBuilder({
      cluster: rig.cluster,
      name: "web",
      create: (options) => {
        const made = createController(options);
        return {
          ...made,
          name: made.name,
          run: (signal) => made.run(signal),
          enqueue: (...args) => made.enqueue(...args),
          watch: (source) =>
            source.name === "ConfigMap" ? made.watch(pushSource("instead", { runtime: rig.runtime })) : made.watch(source),
        };
      },
    })
      .for(ConfigMap)
      .reconcileObject(() => done);
    const stop = await started(rig, controller);
    controller.enqueue(objectKey("a", "shop"));
    await rig.clock.advance(1);
    expect(JSON.stringify(rig.runtime.log.lines)).toContain("cannot read shop/a: source ConfigMap has stopped");
    await stop();
  });
});

describe("controllerBuilder", () => {
  const { cluster } = sourceRig();
  const builder = controllerBuilder({ cluster });

  it("does not change with further steps, so that two controllers can start from the same steps", () => {
    const begun = builder.for(ConfigMap);
    begun.owns(ReplicaSet);
    begun.named("other");
    expect([begun.reconcile(() => done).name, begun.reconcile(() => done).state().watches.length]).toEqual(["configmap", 1]);
  });

  it("rejects a second for, and owns and reconcileObject without for, at compile time and at run time", () => {
    expectTypeOf<ControllerBuilderFor<ConfigMap>>().not.toHaveProperty("for");
    for (const step of ["owns", "reconcileObject"] as const) expectTypeOf<ControllerBuilder>().not.toHaveProperty(step);
    const careless = builder as ControllerBuilder & ControllerBuilderFor<ConfigMap>;
    expect(() => (careless.for(ConfigMap) as typeof careless).for(Deployment)).toThrow(
      "controller builder for ConfigMap: for(Deployment) after for(ConfigMap)",
    );
    expect(() => (careless.named("web") as typeof careless).owns(ReplicaSet)).toThrow(
      'controller builder "web": owns(ReplicaSet) before for',
    );
    expect(() => careless.reconcileObject(() => done)).toThrow("controller builder: reconcileObject without for");
  });

  it("rejects a missing or empty name, and nothing to watch", () => {
    expect(() => builder.watches(ConfigMap, () => []).reconcile(() => done)).toThrow(
      "controller builder: no name; call for with a kind, or named",
    );
    expect(() =>
      builder
        .for(ConfigMap)
        .named("")
        .reconcile(() => done),
    ).toThrow("no name");
    expect(() => builder.named("web").reconcile(() => done)).toThrow(
      'controller builder "web": nothing to watch; call for, watches or watchesSource',
    );
  });

  it("passes on errors about the controller's options", () => {
    expect(() =>
      builder
        .for(ConfigMap)
        .options({ workers: 0 })
        .reconcile(() => done),
    ).toThrow(RangeError);
  });
});
