import type { KubeObject } from "@drover/machinery";
import { testRuntime } from "@drover/machinery/testing";
import { describe, expect, it } from "vitest";
import { ControllerSource } from "@drover/cache/testing";
import { newController } from "./controller.ts";
import type { Config } from "./controller.ts";
import type { Deltas } from "./delta.ts";
import { newStore } from "./indexer.ts";
import { newDeltaFIFO } from "./delta-fifo.ts";
import { metaNamespaceKeyFunc } from "./key-func.ts";
import { newReflector } from "./reflector.ts";

const pod = (name: string): KubeObject => ({ apiVersion: "v1", kind: "Pod", metadata: { namespace: "shop", name, uid: `uid-${name}` } });

function stage(options: Partial<Config<KubeObject>> = {}) {
  const runtime = testRuntime();
  const source = new ControllerSource<KubeObject>();
  const queue = newDeltaFIFO<KubeObject>({ keyFunc: metaNamespaceKeyFunc });
  const processed: string[] = [];
  const process = (deltas: Deltas<KubeObject>): void =>
    void processed.push(deltas.map(({ type, object }) => `${type} ${"metadata" in object ? object.metadata.name : "?"}`).join());
  const controller = newController<KubeObject>({ runtime, queue, listerWatcher: source, process, ...options });
  const stop = new AbortController();
  return { runtime, source, queue, processed, controller, stop, settle: () => runtime.clock.settle() };
}

describe("newController", () => {
  it("fills its queue from the server and processes it until it is stopped", async () => {
    const { source, queue, processed, controller, stop, settle } = stage();
    source.add(pod("a"));
    const running = controller.run(stop.signal);
    await settle();
    source.modify(pod("a"));
    await settle();
    expect([processed, controller.hasSynced(), controller.lastSyncResourceVersion()]).toEqual([["Replaced a", "Updated a"], true, "2"]);
    stop.abort();
    await running;
    expect(queue.isClosed()).toBe(true);
  });
  it("logs a failed object and continues", async () => {
    const seen: string[] = [];
    const { runtime, source, controller, stop, settle } = stage({
      process: (deltas) => {
        seen.push(String(deltas.length));
        throw new Error("no");
      },
    });
    source.add(pod("a"));
    source.add(pod("b"));
    const running = controller.run(stop.signal);
    await settle();
    expect([seen, runtime.log.entries.filter(({ level }) => level === "error").length]).toEqual([["1", "1"], 2]);
    stop.abort();
    await running;
  });
  it("requeues a failed object with retryOnError", async () => {
    let failures = 2;
    const seen: string[] = [];
    const { source, controller, stop, settle } = stage({
      retryOnError: true,
      process: () => {
        if (failures-- > 0) throw new Error("no");
        seen.push("done");
      },
    });
    source.add(pod("a"));
    const running = controller.run(stop.signal);
    await settle();
    expect(seen).toEqual(["done"]);
    stop.abort();
    await running;
  });
  it("does nothing when it is stopped before it starts", async () => {
    const { source, controller } = stage();
    await controller.run(AbortSignal.abort());
    expect(source.lists).toEqual([]);
  });
  it("requests pages of watchListPageSize", async () => {
    const { source, controller, stop, settle } = stage({
      watchListPageSize: 7,
      name: "seven",
      objectType: { apiVersion: "v1", kind: "Pod" },
      watchErrorHandler: () => undefined,
      fullResyncPeriodMs: 1000,
      shouldResync: () => false,
    });
    const running = controller.run(stop.signal);
    await settle();
    expect(source.lists.map(({ limit }) => limit)).toEqual([7]);
    stop.abort();
    await running;
  });
});

describe("newReflector", () => {
  it("keeps the store in sync with the server", async () => {
    const runtime = testRuntime();
    const source = new ControllerSource<KubeObject>();
    const store = newStore<KubeObject>(metaNamespaceKeyFunc);
    const reflector = newReflector(source, store, { runtime });
    const stop = new AbortController();
    source.add(pod("a"));
    const running = reflector.run(stop.signal);
    await runtime.clock.settle();
    source.add(pod("b"));
    source.delete(pod("a"));
    await runtime.clock.settle();
    expect([store.listKeys(), reflector.lastSyncResourceVersion(), reflector.state().phase]).toEqual([["shop/b"], "3", "watching"]);
    stop.abort();
    await running;
  });
  it("calls resync of the store every period if shouldResync allows it, and continues after a failure", async () => {
    const runtime = testRuntime();
    let resyncs = 0;
    let isWanted = true;
    const store = {
      ...newStore<KubeObject>(metaNamespaceKeyFunc),
      resync: () => {
        resyncs++;
        throw new Error("no");
      },
    };
    const stop = new AbortController();
    const running = newReflector(new ControllerSource<KubeObject>(), store, {
      runtime,
      resyncPeriodMs: 1000,
      shouldResync: () => isWanted,
    }).run(stop.signal);
    await runtime.clock.advance(2000);
    isWanted = false;
    await runtime.clock.advance(2000);
    expect(resyncs).toBe(2);
    stop.abort();
    await runtime.clock.settle();
    await running;
  });
});
