import { NotSyncedError } from "@drover/cache";
import { describe, expect, it } from "vitest";
import { done } from "./result.ts";
import { controllerRig, keyOf } from "./testing/controller-rig.ts";
import type { ControllerRig, ControllerRigOptions } from "./testing/controller-rig.ts";
import { handSource } from "./testing/hand-source.ts";

const web = keyOf("shop/web");

/** A controller that keeps the keys it reconciled. */
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

describe("the start of a controller", () => {
  it("starts all its sources at once, and reconciles nothing until every one of them has synced", async () => {
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

  it("fails when sources do not sync in time, with an account of who has not and why", async () => {
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
      ["Node of controller web", "it has not said why"],
    ]);
    expect(error.message).toContain("5000 ms");
    expect([rig.keys, pods.running, rig.clock.pending, rig.controller.state().phase]).toEqual([[], 0, [], "ended"]);
  });

  it("fails with what a source rejects with: at its start, at once, or while it runs", async () => {
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

  it("is no failure when it is called off while sources sync, nor when it is before", async () => {
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

  it("can be done once", async () => {
    const rig = stage();
    await rig.start();
    await expect(rig.controller.run(rig.end.signal)).rejects.toThrow("controller web was started already");
    await rig.stop();
    await expect(rig.controller.run(rig.end.signal)).rejects.toThrow("started already");
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

  it("a watch that is added later starts at once and keeps nobody waiting; one that is stopped asks for nothing more", async () => {
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

  it("keeps what was asked for before: keys at once, delayed ones after their delay", async () => {
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

  it("survives a source that asks for something that cannot be", async () => {
    const rig = stage();
    await rig.start();
    expect(() => rig.source.request("shop/web", { priority: Number.NaN })).not.toThrow();
    rig.source.request("shop/db");
    await rig.clock.settle();
    expect([rig.keys, rig.runtime.log.entries.filter(({ level }) => level === "error").length]).toEqual([["shop/db"], 1]);
    await rig.stop();
  });
});

describe("a warm standby", () => {
  it("has its sources running and its queue filled, and reconciles nothing; run does not start them again", async () => {
    const rig = stage();
    const standby = new AbortController();
    await rig.controller.warmUp(standby.signal);
    rig.source.request("shop/web");
    await rig.clock.advance(60_000);
    expect([rig.source.starts, rig.keys, rig.controller.state().ready, rig.controller.state().phase]).toEqual([1, [], 1, "idle"]);
    await rig.start();
    expect([rig.source.starts, rig.keys]).toEqual([1, ["shop/web"]]);
    // The run is its own master from here on.
    standby.abort();
    rig.source.request("shop/db");
    await rig.clock.settle();
    expect([rig.source.running, rig.keys]).toEqual([1, ["shop/web", "shop/db"]]);
    await rig.stop();
  });

  it("starts each source exactly once, however many ask at the same time, and all wait for the sync", async () => {
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

  it("a watch that is added after it starts at once", async () => {
    const rig = stage();
    await rig.controller.warmUp(rig.end.signal);
    const late = handSource("late");
    rig.controller.watch(late);
    expect(late.starts).toBe(1);
    await rig.stop();
  });

  it("fails as the start does, is called off without failing, and can be run after it was called off", async () => {
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

  it("a source that fails while standing by ends the run that comes later", async () => {
    const rig = stage();
    await rig.controller.warmUp(rig.end.signal);
    rig.source.fail(new Error("gone"));
    await rig.clock.settle();
    await rig.start();
    expect(rig.ended()).toEqual({ error: new Error("gone") });
  });

  it("leaves nothing behind when it is never run", async () => {
    const rig = stage();
    const standby = new AbortController();
    await rig.controller.warmUp(standby.signal);
    standby.abort();
    await rig.clock.settle();
    expect([rig.source.running, rig.clock.pending]).toEqual([0, []]);
  });
});
