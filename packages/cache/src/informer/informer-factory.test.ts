import { ApiError, newForbidden, parseSelector } from "@drover/machinery";
import type { Kind, KubeObject } from "@drover/machinery";
import { testRuntime } from "@drover/machinery/testing";
import type { TestRuntime } from "@drover/machinery/testing";
import { describe, expect, it } from "vitest";
import { createInformerFactory } from "./informer-factory.ts";
import type { InformerFactory, InformerFactoryOptions, SourceRequest } from "./informer-factory.ts";
import { NotSyncedError } from "./not-synced-error.ts";
import type { ObjectVersion } from "../source/object-version.ts";
import { handFedSource } from "../testing/hand-fed-source.ts";
import type { HandFedSource } from "../testing/hand-fed-source.ts";
import { keyOf, podVersion } from "../testing/pod-version.ts";
import type { TestPod } from "../testing/pod-version.ts";

const kindOf = <T extends KubeObject>(plural: string): Kind<T> => ({
  group: "",
  version: "v1",
  kind: plural,
  listKind: `${plural}List`,
  plural,
  singular: plural.slice(0, -1),
  shortNames: [],
  categories: [],
  scope: "Namespaced",
  verbs: [],
  subresources: {},
});
const pods = kindOf<TestPod>("pods");

interface Stage {
  readonly runtime: TestRuntime;
  readonly factory: InformerFactory;
  /** All created sources, with their requests. */
  readonly made: { readonly request: SourceRequest<TestPod>; readonly source: HandFedSource<TestPod> }[];
  readonly stop: AbortController;
  readonly start: () => Promise<{ readonly over: Promise<void> }>;
}

function stage(
  options: Partial<InformerFactoryOptions> = {},
  itemsOf: (request: SourceRequest<TestPod>) => ObjectVersion<TestPod>[] = ({ namespace = "all" }) => [podVersion(`${namespace}/web`, 1)],
): Stage {
  const runtime = testRuntime();
  const made: Stage["made"] = [];
  const factory = createInformerFactory({
    runtime,
    audit: false,
    sourceFor: ((request: SourceRequest<TestPod>) => {
      const source = handFedSource(itemsOf(request), "1", `${request.kind.plural} in ${request.namespace ?? "all namespaces"}`);
      made.push({ request, source });
      return source;
    }) as unknown as InformerFactoryOptions["sourceFor"],
    ...options,
  });
  const stop = new AbortController();
  return {
    runtime,
    factory,
    made,
    stop,
    start: async () => {
      const over = factory.run(stop.signal);
      await runtime.clock.settle();
      return { over };
    },
  };
}

describe("createInformerFactory with declared fields", () => {
  it("shares an informer between requests of the same fields, and no other", () => {
    const { factory, made } = stage();
    factory.acquire(pods, { fields: ["spec.nodeName", "status.phase"] });
    factory.acquire(pods, { fields: ["status.phase", "spec.nodeName", "status.phase"] });
    expect(made.map(({ request }) => request.fields)).toEqual([["spec.nodeName", "status.phase"]]);
    // Nobody gets less than declared, and nobody more.
    factory.acquire(pods, { fields: ["spec.nodeName"] });
    factory.acquire(pods, { fields: [] });
    expect(factory.holds(pods)).toBe(false);
    factory.acquire(pods);
    expect(made.map(({ request }) => request.fields)).toEqual([["spec.nodeName", "status.phase"], ["spec.nodeName"], [], undefined]);
    expect(factory.holds(pods)).toBe(true);
  });

  it("audits them with the metadata, and their content with the same fields", () => {
    const { factory, made } = stage({ audit: {} });
    factory.acquire(pods, { fields: ["spec.nodeName"] });
    expect(made.map(({ request: { projection, fields } }) => [projection, fields])).toEqual([
      ["full", ["spec.nodeName"]],
      ["metadata", undefined],
      ["full", ["spec.nodeName"]],
    ]);
  });
});

describe("createInformerFactory", () => {
  it("shares one informer between equal requests in any form, and creates another for any difference", () => {
    const { factory, made } = stage();
    const tweak = <T>(options: T): T => options;
    factory.acquire(pods, { labelSelector: "b=2,a=1", namespace: "shop" });
    factory.acquire(pods, { labelSelector: parseSelector("a=1,b=2"), namespace: ["shop", "shop"] });
    factory.acquire({ ...pods }, { labelSelector: { matchLabels: { b: "2", a: "1" } }, namespace: "shop" });
    expect(made).toHaveLength(1);
    factory.acquire(pods, { labelSelector: "", namespace: "*" });
    factory.acquire(pods);
    expect(made).toHaveLength(2);
    factory.acquire(pods, { fieldSelector: "spec.nodeName=n1" });
    factory.acquire(pods, { keepManagedFields: true });
    factory.acquire(pods, { tweakListOptions: tweak });
    factory.acquire(pods, { tweakListOptions: tweak });
    factory.acquire(pods, { tweakListOptions: <T>(options: T): T => options });
    factory.acquireMetadata(pods);
    factory.acquire(kindOf("services"));
    expect(made).toHaveLength(8);
    for (const transform of [tweak, tweak, <T>(object: T): T => object]) factory.acquire(pods, { transform });
    expect(made.splice(8)).toHaveLength(2);
    expect(made.map(({ request: { projection, keepManagedFields } }) => `${projection} ${keepManagedFields}`)).toEqual([
      "full false",
      "full false",
      "full false",
      "full true",
      "full false",
      "full false",
      "metadata false",
      "full false",
    ]);
    expect(made[4]?.request.tweakListOptions).toBe(tweak);
  });

  it("starts an informer with its first user and stops it after the last", async () => {
    const { runtime, factory, made, stop, start } = stage();
    const early = factory.acquire(pods);
    expect(made[0]?.source.lists).toEqual([]);
    const { over } = await start();
    expect(early.informer.hasSynced).toBe(true);
    const late = factory.acquire(kindOf<TestPod>("services"));
    const again = factory.acquire(kindOf<TestPod>("services"));
    await runtime.clock.settle();
    expect([late.informer.size, factory.state().map(({ name }) => name)]).toEqual([
      1,
      ["pods in all namespaces", "services in all namespaces"],
    ]);
    late.release();
    late.release();
    await runtime.clock.settle();
    expect(factory.state()).toHaveLength(2);
    again.release();
    await runtime.clock.settle();
    expect(factory.state().map(({ name }) => name)).toEqual(["pods in all namespaces"]);
    const new1 = factory.acquire(kindOf<TestPod>("services"));
    await runtime.clock.settle();
    expect([new1.informer.hasSynced, made.length]).toEqual([true, 3]);
    stop.abort();
    await runtime.clock.settle();
    await over;
    expect(runtime.clock.pending).toEqual([]);
    expect(factory.state()).toMatchObject([{ reflector: { phase: "stopped" } }, { reflector: { phase: "stopped" } }]);
  });

  it("separates the indexes of its users, shares equal ones, and removes them with their users", async () => {
    const { factory, start } = stage();
    const [one, two, three] = [factory.acquire(pods), factory.acquire(pods), factory.acquire(pods)];
    const byName = ({ key }: { readonly key: string }): readonly string[] => [key.split("/")[1] ?? ""];
    one.informer.addIndexers({ mine: byName });
    two.informer.addIndexers({ mine: byName });
    three.informer.addIndexers({ mine: () => ["everything"] });
    await start();
    expect([one, two, three].map(({ informer }) => informer.listIndexValues("mine"))).toEqual([["web"], ["web"], ["everything"]]);
    one.release();
    expect(two.informer.indexKeys("mine", "web")).toEqual(["all/web"]);
    expect(() => one.informer.byIndex("mine", "web")).toThrow("Index with name mine does not exist");
    two.release();
    const four = factory.acquire(pods);
    four.informer.addIndexers({ mine: () => ["new"] });
    expect([four.informer.listIndexValues("mine"), three.informer.listIndexValues("mine")]).toEqual([["new"], ["everything"]]);
  });

  it("can be run by several users, stops informers with the last, and can be run again", async () => {
    const { factory, runtime, made } = stage();
    const [first, second] = [new AbortController(), new AbortController()];
    const lease = factory.acquire(pods);
    const runs = [factory.run(first.signal), factory.run(second.signal)];
    await runtime.clock.settle();
    expect([lease.informer.hasSynced, made.length]).toEqual([true, 1]);
    first.abort();
    await runs[0];
    expect(factory.state()).toMatchObject([{ reflector: { phase: "watching" } }]);
    second.abort();
    await runtime.clock.settle();
    await runs[1];
    expect(factory.state()).toMatchObject([{ reflector: { phase: "stopped" } }]);
    const again = new AbortController();
    const next = factory.acquire(pods);
    const third = factory.run(again.signal);
    await runtime.clock.settle();
    expect([next.informer.hasSynced, made.length]).toEqual([true, 2]);
    lease.release();
    expect(factory.state()).toHaveLength(1);
    again.abort();
    await runtime.clock.settle();
    await third;
  });

  it("removes the handlers of a released lease, and keeps those of others", async () => {
    const { runtime, factory, made, start } = stage();
    const [mine, yours] = [factory.acquire(pods), factory.acquire(pods)];
    const told: string[] = [];
    mine.informer.addHandler(({ key }) => {
      told.push(`mine ${key}`);
    });
    yours.informer
      .addHandler(({ key }) => {
        told.push(`yours ${key}`);
      })
      .remove();
    yours.informer.addHandler(({ key }) => {
      told.push(`yours ${key}`);
    });
    await start();
    mine.release();
    made[0]?.source.send({ type: "ADDED", version: podVersion("all/new", 2) });
    await runtime.clock.settle();
    expect(told).toEqual(["mine all/web", "yours all/web", "yours all/new"]);
    expect(() => mine.informer.addHandler(() => undefined)).toThrow("this lease was released");
  });

  it("joins several namespaces, and shares each with single-namespace users", async () => {
    const { runtime, factory, made, start } = stage();
    const both = factory.acquire(pods, { namespace: ["shop", "home"] });
    factory.acquire(pods, { namespace: "home" });
    const told: string[] = [];
    const registration = both.informer.addHandler(
      ({ key }) => {
        told.push(key);
      },
      { name: "both" },
    );
    expect([both.informer.hasSynced, registration.hasSynced]).toEqual([false, false]);
    await start();
    await Promise.all([both.informer.synced(new AbortController().signal), registration.synced(new AbortController().signal)]);
    expect([made.length, told.toSorted(), registration.hasSynced, both.informer.hasSynced]).toEqual([
      2,
      ["home/web", "shop/web"],
      true,
      true,
    ]);
    const { informer } = both;
    expect(both.state().map(({ name, size }) => [name, size])).toEqual([
      ["pods in shop", 1],
      ["pods in home", 1],
    ]);
    expect([informer.name, informer.size, informer.keys(), informer.list().length, informer.list({ namespace: "home" }).length]).toEqual([
      "pods in shop, pods in home",
      2,
      ["shop/web", "home/web"],
      2,
      1,
    ]);
    expect([informer.get(keyOf("home/web"))?.metadata?.namespace, informer.getVersion(keyOf("else/web"))]).toEqual(["home", undefined]);
    informer.addIndexers({ name: ({ key }) => [key.split("/")[1] ?? ""] });
    expect([
      informer.indexKeys("name", "web"),
      informer.byIndex("name", "web").length,
      informer.listIndexValues("name"),
      informer.indexNames,
    ]).toEqual([["home/web", "shop/web"], 2, ["web"], ["namespace", "name"]]);
    expect(() => informer.addIndexers({ fresh: () => [], name: () => [] })).toThrow('indexer conflict: "name"');
    expect(informer.indexNames).toEqual(["namespace", "name"]);
    expect(informer.lister.namespace("shop").get("web").metadata?.namespace).toBe("shop");
    expect(() => informer.lister.namespace("shop").get("none")).toThrow('pod "none" not found');
    expect(registration.state()).toEqual({ name: "both", hasSynced: true, pendingKeys: 0, running: undefined, errors: 0, givenUp: 0 });
    both.release();
    await runtime.clock.settle();
    expect(factory.state().map(({ name }) => name)).toEqual(["pods in home"]);
    expect(() => factory.acquire(pods, { namespace: [] })).toThrow("the list of namespaces is empty");
  });

  it("names the informers that have not synced, and why", async () => {
    const { runtime, factory, made, start } = stage();
    const forever = new AbortController().signal;
    const pending = factory.acquire(pods);
    const notStarted = expect(factory.waitForSync(forever, { timeoutMs: 5 })).rejects.toThrow(
      "pods in all namespaces (it has not been started; run the factory)",
    );
    await runtime.clock.advance(5);
    await notStarted;
    const secrets = factory.acquire(kindOf("secrets"));
    made[1]?.source.refuse(new ApiError(newForbidden({ group: "", resource: "secrets" }, "", "no rule"), { code: 403 }));
    const events = factory.acquire(kindOf("events"));
    const eventSource = made[2]?.source;
    if (eventSource !== undefined) eventSource.list = () => new Promise(() => undefined);
    await start();
    const failed = factory.waitForSync(forever, { timeoutMs: 3000 }).catch((error: unknown) => error);
    await runtime.clock.advance(3000);
    const error = await failed;
    expect(error).toBeInstanceOf(NotSyncedError);
    expect((error as Error).message).toBe(
      "2 of the caches have not synced after 3000 ms: secrets in all namespaces (403 Forbidden: secrets is forbidden: no rule); events in all namespaces (the list is still running) [DRV0501]",
    );
    expect((error as NotSyncedError).unsynced[0]?.error).toBeInstanceOf(ApiError);
    await expect(factory.waitForSync(AbortSignal.abort(new Error("enough")))).rejects.toThrow("enough");
    const waiting = factory.waitForSync(forever);
    for (const lease of [secrets, events]) lease.release();
    await runtime.clock.settle();
    await waiting;
    expect(pending.informer.hasSynced).toBe(true);
  });

  it("reports whether there is a lease of all objects of a kind", () => {
    const { factory } = stage();
    expect(factory.holds(pods)).toBe(false);
    const leases = [
      factory.acquireMetadata(pods),
      factory.acquire(pods, { namespace: "shop" }),
      factory.acquire(pods, { labelSelector: "a=b" }),
    ];
    expect(factory.holds(pods)).toBe(false);
    const whole = factory.acquire(pods);
    expect(factory.holds(pods)).toBe(true);
    for (const lease of [...leases, whole]) lease.release();
    expect(factory.holds(pods)).toBe(false);
  });

  it("audits every cache by default: the first time from whole objects, then mostly from metadata", async () => {
    const { runtime, factory, made, start } = stage({ audit: { periodMs: 1000 } });
    factory.acquire(pods, { namespace: "shop", labelSelector: "a=b" });
    await start();
    await runtime.clock.advance(2700);
    expect(
      made.map(({ request: { projection, namespace, labelSelector }, source }) => [
        projection,
        namespace,
        labelSelector,
        source.lists.length,
      ]),
    ).toEqual([
      ["full", "shop", "a=b", 1],
      ["metadata", "shop", "a=b", 2],
      ["full", "shop", "a=b", 1],
    ]);
  });

  it("starts and stops ten thousand times and leaves nothing behind (A26)", async () => {
    const { runtime, factory, start, stop } = stage();
    const { over } = await start();
    const rounds = process.env["DROVER_LONG"] === "1" ? 10_000 : 300;
    for (let round = 0; round < rounds; round++) {
      const lease = factory.acquire(pods);
      lease.informer.addHandler(() => undefined, { resyncMs: 1000 });
      if (round % 3 === 0) await Promise.resolve();
      lease.release();
    }
    await runtime.clock.settle();
    expect([factory.state(), runtime.clock.pending]).toEqual([[], []]);
    stop.abort();
    await over;
  });
});
