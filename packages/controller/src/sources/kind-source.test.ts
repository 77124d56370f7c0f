import { ConfigMap } from "@drover/api/core/v1";
import { Deployment } from "@drover/api/apps/v1";
import type { Change } from "@drover/cache";
import { refused } from "@drover/cache/testing";
import { statusResponse } from "@drover/client/testing";
import { definedOnly, newForbidden, objectKey } from "@drover/machinery";
import type { KubeObject } from "@drover/machinery";
import { describe, expect, expectTypeOf, it } from "vitest";
import { mappedHandler } from "../handlers/mapped-handler.ts";
import { lowPriority } from "../handlers/request.ts";
import { selfHandler } from "../handlers/self-handler.ts";
import { kindSource } from "./kind-source.ts";
import { sliceLength } from "./slices.ts";
import { sourceRig } from "./testing/source-rig.ts";
import type { SourceLife } from "./testing/source-rig.ts";

const config = (name: string, text = "1"): KubeObject & { data: Record<string, string> } => ({
  metadata: { namespace: "shop", name },
  data: { text },
});
const changes = ({ causes }: SourceLife): readonly string[] =>
  causes.map((cause) => (cause.type === "change" ? `${cause.change.type} ${cause.change.key}` : cause.type));

describe("kindSource", () => {
  it("requests added, updated and deleted objects, each with its cause", async () => {
    const rig = sourceRig({ name: "west" });
    rig.configMaps.put(config("old"));
    const life = rig.watch(kindSource(ConfigMap, { cluster: rig.cluster }));
    await rig.start();
    rig.configMaps.put(config("new"));
    rig.configMaps.put(config("new", "2"));
    await rig.clock.advance(10);
    rig.configMaps.remove("shop/old");
    await rig.clock.advance(10);
    expect(changes(life)).toEqual(["added shop/old", "added shop/new", "updated shop/new", "deleted shop/old"]);
    expect(life.requests.map(({ priority }) => priority)).toEqual([lowPriority, 0, 0, 0]);
    expect(life.causes[0]).toMatchObject({
      type: "change",
      via: "self",
      kind: { group: "", kind: "ConfigMap" },
      cluster: "west",
      change: { isInInitialList: true },
    });
    await life.stop();
    await rig.end();
  });

  it("limits objects to declared fields, and keeps writers of them only if asked to", async () => {
    const rig = sourceRig();
    const managedFields = [{ manager: "kubectl", operation: "Update" as const, apiVersion: "v1" }];
    rig.configMaps.put({ metadata: { namespace: "shop", name: "a", managedFields }, data: { text: "1" }, immutable: true } as KubeObject);
    const request = { fields: ["immutable"] };
    const sources = [undefined, true].map((writers) =>
      kindSource(ConfigMap, { cluster: rig.cluster, request, ...definedOnly({ writers }) }),
    );
    const lives = sources.map((source) => rig.watch(source));
    await rig.start();
    const seen = sources.map((source) => source.informer?.get(objectKey("a", "shop")));
    expect(seen.map((object) => [object?.immutable, object?.data, object?.metadata.managedFields])).toEqual([
      [true, undefined, undefined],
      [true, undefined, managedFields],
    ]);
    for (const life of lives) await life.stop();
    await rig.end();
  });

  it("trap 30: gives each run its cause with both states of the object and its writers", async () => {
    const rig = sourceRig();
    const written = (text: string, manager: string): ReturnType<typeof config> => ({
      metadata: { namespace: "shop", name: "a", managedFields: [{ manager, operation: "Update", apiVersion: "v1" }] },
      data: { text },
    });
    rig.configMaps.put(written("1", "kubectl"));
    const [life, forgetful] = [
      rig.watch(kindSource(ConfigMap, { cluster: rig.cluster })),
      rig.watch(kindSource(ConfigMap, { cluster: rig.cluster, writers: false })),
    ];
    await rig.start();
    rig.configMaps.put(written("2", "helm"));
    await rig.clock.advance(10);
    const states = ({ causes }: SourceLife): unknown =>
      causes
        .flatMap((cause) => (cause.type === "change" && cause.change.type === "updated" ? [cause.change.before, cause.change.object] : []))
        .map(({ metadata: { managedFields }, ...rest }) => [
          (rest as { data?: unknown }).data,
          managedFields?.map(({ manager }) => manager),
        ]);
    expect(states(life)).toEqual([
      [{ text: "1" }, ["kubectl"]],
      [{ text: "2" }, ["helm"]],
    ]);
    expect(states(forgetful)).toEqual([
      [{ text: "1" }, undefined],
      [{ text: "2" }, undefined],
    ]);
  });

  it("reports a missed deletion with an unknown final state (§9.4)", async () => {
    const rig = sourceRig();
    rig.configMaps.put(config("a"));
    const life = rig.watch(kindSource(ConfigMap, { cluster: rig.cluster }));
    await rig.start();
    rig.configMaps.unseen(() => {
      rig.configMaps.remove("shop/a");
    });
    rig.configMaps.restart();
    await rig.clock.advance(5000);
    expect(changes(life)).toEqual(["added shop/a", "deleted shop/a"]);
    expect(life.causes[1]).toMatchObject({ change: { isFinalStateUnknown: true, object: { data: { text: "1" } } } });
  });

  it("drops a change if one predicate does not hold, for every type, and evaluates no further", async () => {
    const rig = sourceRig();
    const asked: string[] = [];
    const holds =
      (name: string, types: readonly Change["type"][]) =>
      ({ type }: Change): boolean => {
        asked.push(name);
        return types.includes(type);
      };
    const life = rig.watch(
      kindSource(ConfigMap, { cluster: rig.cluster, predicates: [holds("first", ["updated", "deleted"]), holds("second", ["updated"])] }),
    );
    await rig.start();
    rig.configMaps.put(config("a"));
    await rig.clock.advance(10);
    expect([life.keys, asked.splice(0)]).toEqual([[], ["first"]]);
    rig.configMaps.put(config("a", "2"));
    await rig.clock.advance(10);
    rig.configMaps.remove("shop/a");
    await rig.clock.advance(10);
    expect([changes(life), asked]).toEqual([["updated shop/a"], ["first", "second", "first", "second"]]);
  });

  it("keeps a priority that the handler chose", async () => {
    const rig = sourceRig();
    rig.configMaps.put(config("a"));
    const life = rig.watch(
      kindSource(ConfigMap, {
        cluster: rig.cluster,
        handler: (change) => selfHandler(change).map((request) => ({ ...request, priority: 7 })),
      }),
    );
    await rig.start();
    expect(life.requests).toMatchObject([{ key: "shop/a", priority: 7 }]);
  });

  it("requests every object again on a resync, with low priority", async () => {
    const rig = sourceRig();
    rig.configMaps.put(config("a"));
    const life = rig.watch(kindSource(ConfigMap, { cluster: rig.cluster, resyncMs: 10_000 }));
    await rig.start();
    await rig.clock.advance(20_000);
    expect(changes(life).slice(0, 2)).toEqual(["added shop/a", "updated shop/a"]);
    expect(life.requests[1]).toMatchObject({ priority: lowPriority, cause: { change: { isResync: true } } });
  });

  it("can fetch metadata only, and types predicates and handlers accordingly", () => {
    const { cluster } = sourceRig();
    const source = kindSource(Deployment, {
      cluster,
      projection: "metadata",
      predicates: [
        ({ object }) => {
          // @ts-expect-error -- metadata has no spec
          void object.spec;
          return object.metadata.name !== undefined;
        },
      ],
    });
    expect([
      source.name,
      kindSource(Deployment, { cluster }).name,
      kindSource(ConfigMap, { cluster }).name,
      kindSource(ConfigMap, { cluster, name: "mine" }).name,
    ]).toEqual(["Deployment apps (metadata)", "Deployment apps", "ConfigMap", "mine"]);
    expectTypeOf(kindSource(Deployment, { cluster }).informer).not.toEqualTypeOf(source.informer);
  });

  it("shares one informer with sources of the same request, and has another one for other requests", async () => {
    const rig = sourceRig();
    const { cluster } = rig;
    for (const options of [{}, { handler: mappedHandler(() => []) }, { predicates: [() => false] }])
      rig.watch(kindSource(ConfigMap, { cluster, ...options }));
    await rig.start();
    expect(rig.cluster.informers.state()).toHaveLength(1);
    for (const options of [{ projection: "metadata" as const }, { request: { namespace: "shop" } }, { writers: false }])
      rig.watch(kindSource(ConfigMap, { cluster, ...options }));
    expect(rig.cluster.informers.state()).toHaveLength(4);
  });
});

describe("kindSource sync", () => {
  it("requires that every object was requested, also one whose handler failed at first", async () => {
    const rig = sourceRig();
    for (let index = 0; index < 20; index++) rig.configMaps.put(config(`c${index}`));
    let failures = 2;
    const life = rig.watch(
      kindSource(ConfigMap, {
        cluster: rig.cluster,
        handler: (change) => {
          if (change.key === "shop/c7" && failures-- > 0) throw new Error("not yet");
          return selfHandler(change);
        },
      }),
    );
    await rig.start();
    expect([life.keys.length, life.state.synced]).toEqual([19, 0]);
    await rig.clock.advance(1000);
    expect([life.keys.length, life.state]).toEqual([20, { synced: 1, waitingFor: undefined }]);
  });

  it("reports how many objects the handler has not processed", async () => {
    const rig = sourceRig();
    for (const name of ["a", "b"]) rig.configMaps.put(config(name));
    const life = rig.watch(
      kindSource(ConfigMap, {
        cluster: rig.cluster,
        handler: () => {
          throw new Error("no such index");
        },
      }),
    );
    await rig.start();
    await rig.clock.advance(1000);
    expect(life.state).toMatchObject({
      synced: 0,
      waitingFor: expect.stringMatching(
        /^2 objects of the first list are not handled yet; its predicates or its handler failed \d+ times; see the log$/u,
      ) as string,
    });
    await rig.clock.advance(60_000);
    expect(life.state).toEqual({ synced: 1, waitingFor: undefined });
  });

  it("reports that the cluster is not running, and syncs once it runs", async () => {
    const rig = sourceRig();
    const life = rig.watch(kindSource(ConfigMap, { cluster: rig.cluster }));
    await rig.clock.advance(5000);
    expect(life.state).toEqual({
      synced: 0,
      waitingFor: "configmaps in all namespaces: not running; the informers of a cluster start with cluster.run",
    });
    await rig.start();
    expect(life.state).toEqual({ synced: 1, waitingFor: undefined });
  });

  it("trap 24: reports a kind that is not served with a hint, and continues once it is served", async () => {
    const rig = sourceRig();
    const life = rig.watch(kindSource(Deployment, { cluster: rig.cluster }));
    await rig.start();
    await rig.clock.advance(2000);
    expect(life.state).toEqual({
      synced: 0,
      waitingFor:
        "deployments in all namespaces: 404 NotFound: the server could not find the requested resource (this cluster does not serve deployments.apps in version v1; is its CustomResourceDefinition installed?)",
    });
    rig
      .serve({ group: "apps", version: "v1", kind: "Deployment", plural: "deployments", scope: "Namespaced" })
      .put({ metadata: { namespace: "shop", name: "web" } });
    await rig.clock.advance(120_000);
    expect([life.keys, life.state]).toEqual([["shop/web"], { synced: 1, waitingFor: undefined }]);
    // Trap 24, second half: waiting honours cancellation.
    const stuck = rig.watch(kindSource({ ...Deployment, version: "v2" }, { cluster: rig.cluster }));
    await rig.clock.advance(2000);
    await stuck.stop();
    await life.stop();
    await rig.end();
    expect(rig.clock.pending).toEqual([]);
  });

  it.each([
    [
      "403 Forbidden",
      () => statusResponse(newForbidden({ group: "", resource: "configmaps" }, "", "no")),
      "(its account needs the verbs list and watch on configmaps)",
    ],
    ["refused", () => refused(), "the server refused the connection"],
  ])("trap 24: reports %s as the reason while the start waits", async (text, fault, hint) => {
    const rig = sourceRig();
    rig.configMaps.fault(fault, { times: 1000 });
    const life = rig.watch(kindSource(ConfigMap, { cluster: rig.cluster }));
    await rig.start();
    await rig.clock.advance(2000);
    expect(life.state.synced).toBe(0);
    for (const part of [text, hint]) expect(life.state.waitingFor).toContain(part);
    rig.configMaps.repair();
    await rig.clock.advance(120_000);
    expect(life.state).toEqual({ synced: 1, waitingFor: undefined });
    rig.configMaps.fault(fault, { times: 1000 });
    rig.configMaps.restart();
    await rig.clock.advance(60_000);
    expect(life.state.waitingFor).toContain(text);
  });
});

describe("kindSource stop", () => {
  it("ends requests, releases its informer, and allows another watch", async () => {
    const rig = sourceRig();
    rig.configMaps.put(config("a"));
    const source = kindSource(ConfigMap, { cluster: rig.cluster });
    await rig.start();
    expect(source.informer).toBeUndefined();
    const first = rig.watch(source);
    await rig.clock.advance(10);
    expect([source.informer?.keys(), rig.cluster.watchedKinds.has({ group: "", resource: "configmaps" })]).toEqual([["shop/a"], true]);
    await first.stop();
    await rig.clock.advance(10);
    expect([
      source.informer,
      rig.cluster.informers.state(),
      rig.configMaps.watches.length,
      rig.cluster.watchedKinds.has({ group: "", resource: "configmaps" }),
    ]).toEqual([undefined, [], 0, false]);
    rig.configMaps.put(config("b"));
    const second = rig.watch(source);
    await rig.clock.advance(10);
    expect([first.keys, second.keys, second.state.synced]).toEqual([["shop/a"], ["shop/a", "shop/b"], 1]);
    await second.stop();
    await rig.end();
    expect(rig.clock.pending).toEqual([]);
  });

  it("does not end the cache of another watcher", async () => {
    const rig = sourceRig();
    const source = kindSource(ConfigMap, { cluster: rig.cluster });
    const [one, other] = [rig.watch(source), rig.watch(source)];
    await rig.start();
    await one.stop();
    rig.configMaps.put(config("a"));
    await rig.clock.advance(10);
    expect([one.keys, other.keys, source.informer?.size, rig.configMaps.count("watch")]).toEqual([[], ["shop/a"], 1, 1]);
  });

  it("before the start does nothing", async () => {
    const rig = sourceRig();
    await kindSource(ConfigMap, { cluster: rig.cluster }).run(
      { request: () => expect.unreachable(), synced: () => expect.unreachable(), waitingFor: () => expect.unreachable() },
      AbortSignal.abort(),
    );
    expect(rig.cluster.informers.state()).toEqual([]);
  });

  it("by the end of its cluster before the sync rejects instead of waiting forever", async () => {
    const rig = sourceRig();
    rig.configMaps.fault(() => refused(), { times: 1000 });
    const life = rig.watch(kindSource(ConfigMap, { cluster: rig.cluster }));
    await rig.start();
    await rig.end();
    await expect(life.over).rejects.toThrow("was removed before it had synced");
  });

  it("by the end of its cluster after the sync reports it", async () => {
    const rig = sourceRig();
    const life = rig.watch(kindSource(ConfigMap, { cluster: rig.cluster }));
    await rig.start();
    await rig.end();
    await rig.clock.advance(10_000);
    expect(life.state.waitingFor).toBe("configmaps in all namespaces: it has been stopped");
    await life.stop();
  });
});

describe("B14: a mapping function", () => {
  it("that throws is logged with source and key, gets the change again, and delays no other change (§9.32)", async () => {
    const rig = sourceRig();
    let failures = 1;
    const life = rig.watch(
      kindSource(ConfigMap, {
        cluster: rig.cluster,
        name: "settings",
        handler: mappedHandler(({ metadata: { name = "" } }) => {
          if (name === "bad" && failures-- > 0) throw new Error("no such index");
          return [objectKey(name)];
        }),
      }),
    );
    await rig.start();
    rig.configMaps.put(config("bad"));
    rig.configMaps.put(config("good"));
    await rig.clock.advance(10);
    expect(life.keys).toEqual(["good"]);
    expect(rig.runtime.log.entries.filter(({ level }) => level === "warn")).toMatchObject([
      { fields: { handler: "settings", key: "shop/bad", error: new Error("no such index") } },
    ]);
    await rig.clock.advance(1000);
    expect(life.keys).toEqual(["good", "bad"]);
  });

  it("that throws every time is given up after some attempts, and logged (§9.32)", async () => {
    const rig = sourceRig();
    const life = rig.watch(
      kindSource(ConfigMap, {
        cluster: rig.cluster,
        predicates: [
          ({ key }) => {
            if (key === "shop/bad") throw new Error("odd");
            return true;
          },
        ],
      }),
    );
    rig.configMaps.put(config("bad"));
    rig.configMaps.put(config("good"));
    await rig.start();
    await rig.clock.advance(120_000);
    expect([life.keys, life.state.synced]).toEqual([["shop/good"], 1]);
    expect(rig.runtime.log.entries.filter(({ level }) => level === "error")).toMatchObject([
      { message: "handler failed, dropping the change", fields: { handler: "ConfigMap", key: "shop/bad" } },
    ]);
  });

  it("that returns 10^5 keys has them requested in slices with turns in between, and none after the stop", async () => {
    const rig = sourceRig();
    const keys = Array.from({ length: 100_000 }, (_, index) => objectKey(`k${index}`));
    const handler = mappedHandler(() => keys);
    const life = rig.watch(kindSource(ConfigMap, { cluster: rig.cluster, handler }));
    rig.configMaps.put(config("a"));
    const seen: number[] = [];
    const look = (): void => {
      if (seen.push(life.keys.length) < 300) rig.clock.timer(0, look);
    };
    look();
    await rig.start();
    expect([life.keys.length, life.state.synced, new Set(life.causes).size]).toEqual([100_000, 1, 1]);
    const steps = seen.map((count, index) => count - (seen[index - 1] ?? 0));
    expect(Math.max(...steps)).toBeLessThanOrEqual(sliceLength);
    rig.configMaps.put(config("a", "2"));
    await rig.clock.settle();
    await life.stop();
    await rig.clock.advance(1000);
    expect(life.keys.length).toBeLessThan(100_000 + 2 * sliceLength);
  });
});
