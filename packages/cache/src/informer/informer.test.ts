import { ApiError, isNotFound, newForbidden, prometheusText } from "@drover/machinery";
import { testRuntime } from "@drover/machinery/testing";
import type { TestRuntime } from "@drover/machinery/testing";
import { afterEach, describe, expect, it } from "vitest";
import type { Change } from "../store/change.ts";
import type { HandlerOptions } from "../handlers/handler-runner.ts";
import { createInformer } from "./informer.ts";
import type { Informer, InformerOptions } from "./informer.ts";
import { handFedSource } from "../testing/hand-fed-source.ts";
import type { HandFedSource } from "../testing/hand-fed-source.ts";
import { keyOf, podVersion } from "../testing/pod-version.ts";
import type { TestPod } from "../testing/pod-version.ts";

interface Stage {
  readonly runtime: TestRuntime;
  readonly source: HandFedSource<TestPod>;
  readonly informer: Informer<TestPod>;
  readonly stop: AbortController;
  /** Starts it and waits until everything has settled. */
  readonly start: () => Promise<void>;
  readonly over: () => Promise<void>;
}

const web = podVersion("shop/web", 1, { labels: { app: "web" }, nodeName: "n1" });
const db = podVersion("shop/db", 2, { nodeName: "n2" });
const word = (change: Change<TestPod>): string => {
  const at = change.object.metadata?.resourceVersion;
  if (change.type === "added") return `added ${change.key}@${at}${change.isInInitialList ? " initial" : ""}`;
  if (change.type === "updated")
    return `updated ${change.key}@${change.before.metadata?.resourceVersion}→${at}${change.isResync ? " resync" : ""}`;
  return `deleted ${change.key}@${at}${change.isFinalStateUnknown ? " unknown" : ""}`;
};

const stages: Stage[] = [];
function stage(options: Partial<InformerOptions<TestPod>> = {}, items = [web, db]): Stage {
  const runtime = testRuntime();
  const source = handFedSource(items, "2");
  const informer = createInformer<TestPod>({
    source,
    runtime,
    resource: { group: "", version: "v1", resource: "pods" },
    singular: "pod",
    ...options,
  });
  const stop = new AbortController();
  let running: Promise<void> = Promise.resolve();
  const made: Stage = {
    runtime,
    source,
    informer,
    stop,
    start: async () => {
      running = informer.run(stop.signal);
      await runtime.clock.settle();
    },
    over: async () => {
      stop.abort();
      await runtime.clock.runUntil(() => true);
      await running;
    },
  };
  stages.push(made);
  return made;
}

function recorded(informer: Informer<TestPod>, options: HandlerOptions = {}): string[] {
  const told: string[] = [];
  informer.addHandler((change) => {
    told.push(word(change));
  }, options);
  return told;
}

afterEach(async () => {
  for (const { over } of stages.splice(0)) await over();
});

describe("createInformer", () => {
  it("lists, notifies, and follows every change; the store is updated before handlers are notified", async () => {
    const { runtime, source, informer, start } = stage();
    const told = recorded(informer);
    informer.addHandler(
      ({ key, type }) => {
        expect(informer.get(key) === undefined).toBe(type === "deleted");
      },
      { name: "looks", retriesMax: 0 },
    );
    expect([informer.hasSynced, informer.lastSyncResourceVersion, informer.size]).toEqual([false, "", 0]);
    await start();
    expect([informer.hasSynced, informer.lastSyncResourceVersion]).toEqual([true, "2"]);
    source.send({ type: "MODIFIED", version: podVersion("shop/web", 3) }, { type: "DELETED", version: podVersion("shop/db", 4) });
    source.send(
      { type: "ADDED", version: podVersion("shop/new", 5) },
      { type: "BOOKMARK", resourceVersion: "9", endsInitialEvents: false },
    );
    await runtime.clock.settle();
    expect(told).toEqual([
      "added shop/web@1 initial",
      "added shop/db@2 initial",
      "updated shop/web@1→3",
      "deleted shop/db@4",
      "added shop/new@5",
    ]);
    expect([informer.keys(), informer.lastSyncResourceVersion]).toEqual([["shop/web", "shop/new"], "9"]);
    expect(informer.state()).toMatchObject({
      name: "pods by hand",
      size: 2,
      queued: 0,
      hasSynced: true,
      reflector: { phase: "watching" },
      handlers: [
        { errors: 0, hasSynced: true },
        { name: "looks", errors: 0 },
      ],
    });
  });

  it("reports a missed deletion after the next list, and a re-creation as a deletion and an addition (A3)", async () => {
    const { runtime, source, informer, start } = stage();
    const told = recorded(informer);
    await start();
    source.serve([podVersion("shop/web", 8, { uid: "another" })], "8");
    source.cut(new ApiError({ kind: "Status", apiVersion: "v1", metadata: {}, status: "Failure", reason: "Expired", code: 410 }));
    await runtime.clock.advance(60_000);
    expect(told.slice(2)).toEqual(["deleted shop/web@1 unknown", "deleted shop/db@2 unknown", "added shop/web@8"]);
    expect(informer.get(keyOf("shop/web"))?.metadata?.uid).toBe("another");
  });

  it("reads by key, namespace, labels and index, and returns the frozen objects", async () => {
    const { informer, start } = stage({ indexers: { node: ({ object }) => [object.spec?.nodeName ?? ""] } }, [
      web,
      db,
      podVersion("home/web", 3, { labels: { app: "web" } }),
    ]);
    await start();
    expect(informer.get(keyOf("shop/web"))).toBe(web.object);
    expect(informer.getVersion(keyOf("shop/web"))).toBe(web);
    expect(informer.get(keyOf("shop/none"))).toBeUndefined();
    expect(informer.list()).toHaveLength(3);
    expect(informer.list({ namespace: "shop" })).toEqual([web.object, db.object]);
    expect(informer.list({ namespace: "shop", labelSelector: "app=web" })).toEqual([web.object]);
    expect(informer.list({ labelSelector: { matchLabels: { app: "web" } } })).toHaveLength(2);
    expect([informer.byIndex("node", "n2"), informer.indexKeys("node", "n1"), informer.listIndexValues("namespace")]).toEqual([
      [db.object],
      ["shop/web"],
      ["shop", "home"],
    ]);
    informer.addIndexers({ label: ({ labels }) => Object.values(labels) });
    expect(informer.indexKeys("label", "web")).toEqual(["home/web", "shop/web"]);
    expect(() => informer.addIndexers({ namespace: () => [] })).toThrow("indexer conflict");
    expect(informer.lister.namespace("shop").get("db")).toBe(db.object);
    expect(() => informer.lister.namespace("shop").get("none")).toThrow('pod "none" not found');
    expect(() => informer.lister.get("none")).toThrow(expect.toSatisfy(isNotFound));
  });

  it("leaves objects that cannot be decoded out of lists and logs them; get throws", async () => {
    const broken = {
      ...db,
      get object(): never {
        throw new Error("not JSON after all");
      },
    };
    const { runtime, informer, start } = stage({}, [web]);
    await start();
    const poisoned = stage({}, [web, broken]);
    await poisoned.start();
    expect(poisoned.informer.list()).toEqual([web.object]);
    expect(() => poisoned.informer.get(keyOf("shop/db"))).toThrow("not JSON after all");
    expect(poisoned.runtime.log.entries.at(-1)).toMatchObject({ level: "warn", fields: { key: "shop/db" } });
    expect([informer.list().length, runtime.log.entries.filter(({ level }) => level === "warn")]).toEqual([1, []]);
  });

  it("stores transformed objects; one on which the transform fails keeps its state, and others are not affected (A21)", async () => {
    const transform: InformerOptions<TestPod>["transform"] = (object) => {
      if (object.metadata?.labels?.["bad"] !== undefined) throw new Error("cannot be made smaller");
      return { apiVersion: "v1", kind: "Pod", metadata: { ...object.metadata, name: "ignored", labels: { small: "yes" } } };
    };
    const { runtime, source, informer, start } = stage({ transform });
    const told = recorded(informer);
    await start();
    expect(informer.list({ labelSelector: "small=yes" })).toHaveLength(2);
    expect(Object.isFrozen(informer.get(keyOf("shop/web"))?.metadata?.labels)).toBe(true);
    source.send(
      { type: "MODIFIED", version: podVersion("shop/web", 3, { labels: { bad: "" } }) },
      { type: "MODIFIED", version: podVersion("shop/db", 4) },
    );
    await runtime.clock.settle();
    expect(told.slice(2)).toEqual(["updated shop/db@2→4"]);
    expect(informer.getVersion(keyOf("shop/web"))?.resourceVersion).toBe("1");
    expect(runtime.log.entries.at(-1)).toMatchObject({
      message: "transform failed, keeping the cached state of the object",
      fields: { key: "shop/web" },
    });
    source.serve([podVersion("shop/web", 5, { labels: { bad: "" } }), podVersion("shop/db", 4)], "5");
    source.cut(new ApiError({ kind: "Status", apiVersion: "v1", metadata: {}, status: "Failure", reason: "Expired", code: 410 }));
    await runtime.clock.advance(60_000);
    expect([informer.size, told.length]).toEqual([2, 3]);
    source.send({ type: "DELETED", version: podVersion("shop/web", 6, { labels: { bad: "" } }) });
    await runtime.clock.settle();
    expect(told.at(-1)).toBe("deleted shop/web@1");
  });

  it("isolates an index function that fails, and names it (A32)", async () => {
    const { runtime, informer, start } = stage({
      indexers: {
        node: ({ key, object }) => {
          if (key === "shop/db") throw new Error("no node");
          return [object.spec?.nodeName ?? ""];
        },
      },
    });
    await start();
    expect([informer.size, informer.listIndexValues("node")]).toEqual([2, ["n1"]]);
    expect(runtime.log.entries.find(({ message }) => message.startsWith("index function failed"))?.fields).toMatchObject({
      index: "node",
      key: "shop/db",
    });
    expect(prometheusText(runtime.metrics)).toContain('informer_index_errors_total{name="pods by hand"} 1');
  });

  it("sends a handler added during a replace the new state once, and not the changes to it", async () => {
    const { informer, start } = stage();
    const late: string[] = [];
    let added = false;
    informer.addHandler(() => {
      if (added) return;
      added = true;
      informer.addHandler((change) => {
        late.push(word(change));
      });
    });
    await start();
    await stages.at(-1)?.runtime.clock.advance(0);
    expect(late).toEqual(["added shop/web@1 initial", "added shop/db@2 initial"]);
  });

  it("sends a handler added within another, during a re-creation, the new object once", async () => {
    const { runtime, source, informer, start } = stage({}, [web]);
    await start();
    const late: string[] = [];
    informer.addHandler((change) => {
      if (change.type === "deleted")
        informer.addHandler((inner) => {
          late.push(word(inner));
        });
    });
    await runtime.clock.advance(0);
    source.send({ type: "ADDED", version: podVersion("shop/web", 5, { uid: "another" }) });
    await runtime.clock.advance(0);
    expect(late).toEqual(["added shop/web@5 initial"]);
  });

  it("resyncs each handler in its own period, from the cache, spread over the period", async () => {
    const { runtime, source, informer, start } = stage();
    const quick = recorded(informer, { resyncMs: 10_000 });
    const never = recorded(informer, { resyncMs: 0 });
    await start();
    const late = recorded(informer, { resyncMs: 60_000 });
    await runtime.clock.advance(9_999);
    expect(quick).toHaveLength(2);
    await runtime.clock.advance(1);
    expect(quick.slice(2)).toEqual(["updated shop/web@1→1 resync"]);
    await runtime.clock.advance(5_000);
    expect(quick.slice(3)).toEqual(["updated shop/db@2→2 resync"]);
    await runtime.clock.advance(20_000);
    expect(quick).toHaveLength(2 + 6);
    expect([never.length, late.length, source.lists.length]).toEqual([2, 2, 1]);
  });

  it("ends a resync with its handler", async () => {
    const { runtime, informer, start } = stage();
    await start();
    const registration = informer.addHandler(() => undefined, { resyncMs: 10_000 });
    await runtime.clock.advance(1000);
    registration.remove();
    const before = runtime.clock.pending.length;
    await runtime.clock.advance(30_000);
    expect(informer.state().handlers).toEqual([]);
    expect(runtime.clock.pending.length).toBeLessThanOrEqual(before);
  });

  it("continues through error responses and shows the error in its state", async () => {
    const { runtime, source, informer, start } = stage();
    source.refuse(new ApiError(newForbidden({ group: "", resource: "pods" }, "", "no rule"), { code: 403 }));
    await start();
    await runtime.clock.advance(5_000);
    expect(informer.state()).toMatchObject({
      hasSynced: false,
      reflector: { hasFailed: true, lastError: { error: { message: "pods is forbidden: no rule" } } },
    });
    source.refuse(undefined);
    await runtime.clock.advance(60_000);
    expect(informer.hasSynced).toBe(true);
  });

  it("resolves when stopped, leaves nothing behind, can still be read, and cannot run again", async () => {
    const { runtime, informer, stop, start } = stage();
    const told = recorded(informer, { resyncMs: 5000 });
    await start();
    stop.abort();
    await runtime.clock.settle();
    expect(runtime.clock.pending).toEqual([]);
    expect([informer.size, told.length]).toEqual([2, 2]);
    await expect(informer.run(new AbortController().signal)).rejects.toThrow("run was called twice");
    expect(() => informer.addHandler(() => undefined)).toThrow("the informer has stopped");
  });

  it("waits for running handlers when stopped, at most drainMs, and names those it abandons", async () => {
    const { runtime, informer, stop } = stage({ drainMs: 1000 });
    informer.addHandler(() => new Promise<void>(() => undefined), { name: "never ends" });
    let isOver = false;
    const running = informer.run(stop.signal).then(() => {
      isOver = true;
    });
    await runtime.clock.settle();
    stop.abort();
    await runtime.clock.advance(999);
    expect(isOver).toBe(false);
    await runtime.clock.advance(1);
    await running;
    expect(runtime.log.entries.at(-1)).toMatchObject({ level: "warn", fields: { handlers: ["never ends"] } });
  });

  it("rejects synced when the informer stops before the first list", async () => {
    const { runtime, source, informer, stop, start } = stage();
    source.refuse(new Error("down"));
    const waiting = expect(informer.synced(new AbortController().signal)).rejects.toThrow("stopped before it had synced");
    await start();
    stop.abort();
    await runtime.clock.settle();
    await waiting;
  });

  it("reports metrics under client-go's names", async () => {
    const { runtime, start } = stage({ name: "my pods" });
    await start();
    const text = prometheusText(runtime.metrics);
    const labels = '{group="",name="my pods",resource="pods",version="v1"}';
    expect(text).toContain(`informer_queued_items${labels} 0`);
    expect(text).toContain(`informer_store_resource_version${labels} 2`);
    expect(text).toContain(`informer_processing_latency_seconds_count${labels} 1`);
  });
});
