import { NotSyncedError } from "@drover/cache";
import { describe, expect, it } from "vitest";
import { done } from "./result.ts";
import { controllerRig, keyOf } from "./testing/controller-rig.ts";
import type { ControllerRig, ControllerRigOptions } from "./testing/controller-rig.ts";
import { handSource } from "./testing/hand-source.ts";

const web = keyOf("shop/web");

/** A controller that records the keys it reconciled. */
function stage(options: Partial<ControllerRigOptions> = {}): ControllerRig & { readonly keys: string[] } {
  const keys: string[] = [];
  const rig = controllerRig({
    reconcile: ({ key }) => {
      keys.push(key);
      return done;
    },
    ...options,
  });
  return Object.assign(rig, { keys });
}

describe("Controller start", () => {
  it("starts all sources at once, and reconciles nothing until all have synced", async () => {
    const rig = stage();
    const slow = handSource("slow", { synced: false });
    const slower = handSource("slower", { synced: false });
    rig.controller.watch(slow);
    rig.controller.watch(slower);
    await rig.start();
    expect([rig.source.starts, slow.starts, slower.starts]).toEqual([1, 1, 1]);
    for (let pod = 0; pod < 20; pod++) slow.request(`shop/pod-${pod}`);
    slow.synced();
    await rig.clock.advance(60_000);
    expect([rig.keys, rig.controller.state().phase, rig.controller.state().ready]).toEqual([[], "syncing", 20]);
    slower.synced();
    await rig.clock.settle();
    expect([rig.keys.length, rig.controller.state().phase]).toEqual([20, "running"]);
    await rig.stop();
  });

  it("rejects with the unsynced sources and their reasons at the sync timeout", async () => {
    const rig = stage({ syncTimeoutMs: 5000 });
    const pods = handSource("Pod", { synced: false });
    rig.controller.watch(pods);
    rig.controller.watch(handSource("Node", { synced: false }));
    await rig.start();
    pods.waitingFor("403 Forbidden: pods is forbidden");
    await rig.clock.advance(10_000);
    const error = rig.ended()?.error as NotSyncedError;
    expect(error).toBeInstanceOf(NotSyncedError);
    expect(error.unsynced.map(({ name, why }) => [name, why])).toEqual([
      ["Pod of controller web", "403 Forbidden: pods is forbidden"],
      ["Node of controller web", "no reason given"],
    ]);
    expect(error.message).toContain("5000 ms");
    expect([rig.keys, pods.running, rig.clock.pending, rig.controller.state().phase]).toEqual([[], 0, [], "ended"]);
  });

  it("rejects with the error of a source: at its start, immediately, or while it runs", async () => {
    const atOnce = stage();
    atOnce.controller.watch({
      name: "bad",
      run: () => {
        throw new Error("no such kind");
      },
    });
    await atOnce.start();
    expect(atOnce.ended()).toEqual({ error: new Error("no such kind") });

    const syncing = stage();
    const source = handSource("bad", { synced: false });
    syncing.controller.watch(source);
    await syncing.start();
    source.fail(new Error("gone"));
    await syncing.clock.settle();
    expect([syncing.ended(), syncing.source.running]).toEqual([{ error: new Error("gone") }, 0]);

    const running = stage();
    await running.start();
    running.source.request("shop/web");
    await running.clock.settle();
    running.source.fail(new Error("gone"));
    await running.clock.settle();
    expect([running.ended(), running.keys]).toEqual([{ error: new Error("gone") }, ["shop/web"]]);
  });

  it("resolves if the signal aborts while sources sync, or before", async () => {
    const rig = stage();
    rig.controller.watch(handSource("slow", { synced: false }));
    await rig.start();
    rig.end.abort(new Error("never mind"));
    await rig.clock.settle();
    expect([rig.ended(), rig.clock.pending]).toEqual([{}, []]);

    const before = stage();
    before.controller.enqueue(web);
    before.end.abort();
    await before.start();
    expect([before.ended(), before.keys, before.source.running]).toEqual([{}, [], 0]);
  });

  it("rejects a second run", async () => {
    const rig = stage();
    await rig.start();
    await expect(rig.controller.run(rig.end.signal)).rejects.toThrow("controller web has already run");
    await rig.stop();
    await expect(rig.controller.run(rig.end.signal)).rejects.toThrow("has already run");
  });

  it("does not wait for a source that was stopped, nor for one that ended by itself", async () => {
    const rig = stage();
    const slow = handSource("slow", { synced: false });
    const watch = rig.controller.watch(slow);
    rig.controller.watch({ name: "nothing to say", run: () => Promise.resolve() });
    await rig.start();
    expect(rig.controller.state().phase).toBe("syncing");
    const synced = watch.synced(rig.end.signal);
    await Promise.all([expect(synced).rejects.toThrow("slow was stopped before it had synced"), watch.stop()]);
    await rig.clock.settle();
    expect([rig.controller.state().phase, slow.running]).toEqual(["running", 0]);
    await watch.stop();
    await rig.stop();
  });

  it("starts a watch added later immediately, without delaying workers; a stopped one requests nothing more", async () => {
    const rig = stage();
    await rig.start();
    const late = handSource("late", { synced: false });
    const watch = rig.controller.watch(late);
    late.waitingFor("its definition");
    late.request("shop/a");
    await rig.clock.settle();
    expect([late.starts, rig.keys, rig.controller.state().watches]).toEqual([
      1,
      ["shop/a"],
      [
        { name: "by hand", isSynced: true, waitingFor: undefined },
        { name: "late", isSynced: false, waitingFor: "its definition" },
      ],
    ]);
    late.synced();
    await watch.synced(rig.end.signal);
    expect(watch.isSynced).toBe(true);
    const stopped = watch.stop();
    late.request("shop/b");
    await stopped;
    await rig.clock.settle();
    expect([rig.keys, rig.controller.state().watches.length]).toEqual([["shop/a"], 1]);
    await rig.stop();
    expect(() => rig.controller.watch(late)).toThrow("controller web has ended");
  });

  it("keeps keys enqueued before: immediate ones and delayed ones", async () => {
    const rig = stage();
    rig.controller.enqueue(web);
    rig.controller.enqueue(keyOf("shop/later"), { afterMs: 10_000 });
    await rig.clock.advance(4000);
    await rig.start();
    expect(rig.keys).toEqual(["shop/web"]);
    await rig.clock.advance(5999);
    expect(rig.keys.length).toBe(1);
    await rig.clock.advance(1);
    expect(rig.keys).toEqual(["shop/web", "shop/later"]);
    await rig.stop();
  });

  it("survives an invalid request of a source", async () => {
    const rig = stage();
    await rig.start();
    expect(() => rig.source.request("shop/web", { priority: Number.NaN })).not.toThrow();
    rig.source.request("shop/db");
    await rig.clock.settle();
    expect([rig.keys, rig.runtime.log.entries.filter(({ level }) => level === "error").length]).toEqual([["shop/db"], 1]);
    await rig.stop();
  });
});

describe("Controller.warmUp", () => {
  it("starts the sources and fills the queue, and reconciles nothing; run does not start them again", async () => {
    const rig = stage();
    const standby = new AbortController();
    await rig.controller.warmUp(standby.signal);
    rig.source.request("shop/web");
    await rig.clock.advance(60_000);
    expect([rig.source.starts, rig.keys, rig.controller.state().ready, rig.controller.state().phase]).toEqual([1, [], 1, "idle"]);
    await rig.start();
    expect([rig.source.starts, rig.keys]).toEqual([1, ["shop/web"]]);
    // From here on the controller runs under its own signal.
    standby.abort();
    rig.source.request("shop/db");
    await rig.clock.settle();
    expect([rig.source.running, rig.keys]).toEqual([1, ["shop/web", "shop/db"]]);
    await rig.stop();
  });

  it("starts each source exactly once for concurrent calls, and all wait for the sync", async () => {
    const rig = stage();
    const slow = handSource("slow", { synced: false });
    rig.controller.watch(slow);
    const standby = new AbortController();
    const warm = [rig.controller.warmUp(standby.signal), rig.controller.warmUp(standby.signal)];
    let settled = 0;
    for (const one of warm)
      void one.then(() => {
        settled++;
      });
    await rig.start();
    expect([slow.starts, settled, rig.controller.state().phase]).toEqual([1, 0, "syncing"]);
    slow.synced();
    await rig.clock.settle();
    expect([slow.starts, settled, rig.controller.state().phase]).toEqual([1, 2, "running"]);
    await rig.stop();
  });

  it("starts a watch added afterwards immediately", async () => {
    const rig = stage();
    await rig.controller.warmUp(rig.end.signal);
    const late = handSource("late");
    rig.controller.watch(late);
    expect(late.starts).toBe(1);
    await rig.stop();
  });

  it("rejects like run, resolves on abort, and allows run afterwards", async () => {
    const failing = stage({ syncTimeoutMs: 1000 });
    failing.controller.watch(handSource("slow", { synced: false }));
    await Promise.all([
      expect(failing.controller.warmUp(failing.end.signal)).rejects.toBeInstanceOf(NotSyncedError),
      failing.clock.advance(1000),
    ]);

    const broken = stage();
    broken.controller.watch({ name: "bad", run: () => Promise.reject(new Error("no such kind")) });
    await expect(broken.controller.warmUp(broken.end.signal)).rejects.toThrow("no such kind");

    const rig = stage();
    const slow = handSource("slow", { synced: false });
    const watch = rig.controller.watch(slow);
    const standby = new AbortController();
    const warm = rig.controller.warmUp(standby.signal);
    standby.abort();
    const running = rig.start();
    await warm;
    await running;
    slow.synced();
    await rig.clock.settle();
    expect([slow.starts, slow.running, watch.isSynced, rig.controller.state().phase]).toEqual([2, 1, true, "running"]);
    await rig.stop();
  });

  it("makes a later run reject if a source fails meanwhile", async () => {
    const rig = stage();
    await rig.controller.warmUp(rig.end.signal);
    rig.source.fail(new Error("gone"));
    await rig.clock.settle();
    await rig.start();
    expect(rig.ended()).toEqual({ error: new Error("gone") });
  });

  it("leaves nothing behind if run is never called", async () => {
    const rig = stage();
    const standby = new AbortController();
    await rig.controller.warmUp(standby.signal);
    standby.abort();
    await rig.clock.settle();
    expect([rig.source.running, rig.clock.pending]).toEqual([0, []]);
  });
});
