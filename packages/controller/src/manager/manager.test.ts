import { ConfigMap } from "@drover/api/core/v1";
import { NotSyncedError } from "@drover/cache";
import { statusResponse } from "@drover/client/testing";
import { deepFreeze, newForbidden } from "@drover/machinery";
import { ManualClock } from "@drover/machinery/testing";
import { describe, expect, it } from "vitest";
import { GracePeriodError } from "./manager-error.ts";
import type { Runnable } from "./runnable.ts";
import { managerRig, rigCluster } from "./testing/manager-rig.ts";

const never = (): Promise<void> => new Promise(() => undefined);
const failing = (name: string, error: unknown, more: Partial<Runnable> = {}): Runnable => ({
  name,
  run: () => Promise.reject(error),
  ...more,
});
const places = { controller: {}, other: { needsLease: false }, server: { group: "server" } } as const;

describe("Manager start", () => {
  it("starts servers, caches, runnables without lease, then those with, each when the previous group is ready (§3.35)", async () => {
    const { manager, run, runnable, events, clock, api, cluster } = managerRig();
    const held = cluster.informers.acquire(ConfigMap);
    let listens = (): void => undefined;
    api.fault(() => "hang");
    for (const [name, options] of Object.entries(places)) manager.add(runnable(name, options));
    manager.add(runnable("slow server", { group: "server", ready: () => new Promise((resolve) => (listens = resolve)) }));
    await run();
    expect(events).toEqual(["server starts", "slow server starts"]);
    listens();
    await clock.settle();
    expect(events).toEqual(["server starts", "slow server starts"]);
    expect(manager.state()).toMatchObject({ phase: "starting", running: ["server", "slow server", "caches"] });
    await clock.advance(119_000);
    expect(events.slice(2)).toEqual(["other starts", "controller starts"]);
    expect(manager.state()).toMatchObject({ phase: "running", clusters: [{ name: "", informers: [{ hasSynced: true }] }] });
    held.release();
  });

  it("rejects with the unsynced caches and their reasons at the sync timeout", async () => {
    const { manager, run, runnable, events, clock, api, cluster, outcome } = managerRig({ syncTimeoutMs: 10_000 });
    cluster.informers.acquire(ConfigMap);
    api.fault(() => statusResponse(newForbidden({ group: "", resource: "configmaps" }, "", "not you")), { times: Infinity });
    manager.add(runnable("controller"));
    await run();
    await clock.advance(10_000);
    expect(outcome.run).toBeInstanceOf(NotSyncedError);
    expect(outcome.run).toMatchObject({ message: expect.stringMatching(/configmaps.*403 Forbidden/) as string });
    expect(events).toEqual([]);
  });

  it("ends with a TypeError if an informer declares fields that its kind does not have", async () => {
    // The informer loads them, which takes no virtual time.
    await import("@drover/api/shapes");
    const { run, clock, cluster, outcome } = managerRig();
    cluster.informers.acquire(ConfigMap, { fields: ["dta"] });
    await run();
    await clock.advance(10_000);
    expect(outcome.run).toEqual(new TypeError('fields of ConfigMap: there is no field "dta"; did you mean "data"?'));
  });

  it("runs the caches of every cluster before anything that uses them", async () => {
    const { manager, run, runnable, events, clock, runtime, network } = managerRig();
    const second = rigCluster(runtime, { name: "second", transport: (request) => network.transport(request) });
    second.informers.acquire(ConfigMap);
    manager.addCluster(second);
    manager.add(runnable("controller"));
    await run();
    await clock.settle();
    expect(second.informers.state()).toMatchObject([{ hasSynced: true }]);
    expect(manager.state().clusters.map(({ name }) => name)).toEqual(["", "second"]);
    expect(events).toEqual(["controller starts"]);
  });

  it("ends with the error of a cache", async () => {
    const { manager, run, runnable, events, outcome, runtime, network } = managerRig();
    const broken = {
      ...rigCluster(runtime, { name: "broken", transport: network.transport }),
      run: () => Promise.reject(new Error("no caches today")),
    };
    manager.addCluster(broken);
    manager.add(runnable("controller"));
    await run();
    expect(outcome.run).toMatchObject({ message: expect.stringContaining("no caches today") as string });
    expect(events.filter((event) => event !== "controller starts" && event !== "controller ends")).toEqual([]);
  });

  it("does not change its options", async () => {
    const given = deepFreeze({ leaderElection: { labels: { app: "web" } }, graceMs: 1000 });
    const { manager, run, runnable, stop, clock, outcome } = managerRig(given);
    manager.add(Object.freeze(runnable("controller")), Object.freeze({ needsLease: true }));
    await run();
    stop.abort();
    await clock.settle();
    expect(outcome.run).toBe("over");
  });

  it("accepts a runnable that ends early", async () => {
    const { manager, run, clock, outcome, stop } = managerRig();
    manager.add({ name: "short", run: () => Promise.resolve() });
    await run();
    await clock.advance(1000);
    expect([outcome.run, manager.state().running]).toEqual(["running", ["caches"]]);
    stop.abort();
    await clock.settle();
    expect(outcome.run).toBe("over");
  });

  it("rejects a second run", async () => {
    const { manager, run, stop, clock } = managerRig();
    await run();
    await expect(manager.run(new AbortController().signal)).rejects.toThrow("has already run");
    stop.abort();
    await clock.settle();
    await expect(manager.run(new AbortController().signal)).rejects.toThrow("has already run");
  });

  it("starts nothing if the signal has already aborted", async () => {
    const { manager, run, runnable, events, stop, outcome, clock } = managerRig({ leaderElection: true });
    for (const [name, options] of Object.entries(places)) manager.add(runnable(name, options));
    stop.abort();
    await run();
    await clock.advance(60_000);
    expect([outcome.run, events]).toEqual(["over", []]);
  });

  it("resolves elected immediately without leader election", async () => {
    const { manager, run, runnable, events } = managerRig();
    manager.add(runnable("controller"));
    const told = manager.elected.then(() => events.push("elected"));
    await run();
    await told;
    expect(events).toEqual(["controller starts", "elected"]);
  });

  it("leaves no timer and no listener behind", async () => {
    const { manager, run, runnable, stop, clock, outcome } = managerRig({ leaderElection: true });
    for (const [name, options] of Object.entries(places)) manager.add(runnable(name, options));
    await run();
    await clock.advance(5000);
    stop.abort();
    await clock.settle();
    expect([outcome.run, clock.pending]).toEqual(["over", []]);
  });
});

describe("Manager.add", () => {
  it("starts a runnable immediately, in its group, after the start", async () => {
    const { manager, run, runnable, events, clock, stop } = managerRig();
    await run();
    for (const [name, options] of Object.entries(places)) manager.add(runnable(name, options));
    await clock.settle();
    expect(events).toEqual(["controller starts", "other starts", "server starts"]);
    events.length = 0;
    stop.abort();
    await clock.settle();
    expect(events).toEqual(["other ends", "controller ends", "server ends"]);
  });

  it("starts and syncs a cluster added later, and fails if it does not sync", async () => {
    const { manager, run, runtime, network, clock, outcome, api } = managerRig({ syncTimeoutMs: 5000 });
    await run();
    const cluster = (name: string): ReturnType<typeof rigCluster> =>
      rigCluster(runtime, { name, transport: (request) => network.transport(request) });
    const [late, broken] = [cluster("late"), cluster("broken")];
    late.informers.acquire(ConfigMap);
    manager.addCluster(late);
    await clock.settle();
    expect(late.informers.state()).toMatchObject([{ hasSynced: true }]);
    broken.informers.acquire(ConfigMap);
    api.fault(() => "hang", { times: Infinity });
    manager.addCluster(broken);
    await clock.advance(5000);
    expect(outcome.run).toBeInstanceOf(NotSyncedError);
  });

  it("rejects while the manager is stopping, and afterwards", async () => {
    const { manager, run, runnable, stop, clock, runtime, network } = managerRig();
    manager.add(runnable("slow", { endsAfterMs: 1000 }));
    await run();
    stop.abort();
    for (const wait of [0, 2000]) {
      await clock.advance(wait);
      expect(() => manager.add(runnable("late"))).toThrow("cannot add late: the manager is stopping");
      expect(() => manager.controller({ name: "late", reconcile: () => ({ type: "done" }) })).toThrow(
        "cannot add late: the manager is stopping",
      );
      expect(() => manager.addCluster(rigCluster(runtime, { name: "late", transport: network.transport }))).toThrow(
        "the manager is stopping",
      );
    }
  });

  it("rejects a duplicate name in one manager, and accepts it in two", () => {
    const [one, two] = [managerRig(), managerRig()];
    one.manager.add(one.runnable("web"));
    two.manager.add(two.runnable("web"));
    expect(() => one.manager.add(one.runnable("web", { needsLease: false }))).toThrow(
      "cannot add web: this manager already has a runnable of that name",
    );
    expect(() => one.manager.addCluster(rigCluster(one.runtime, { transport: one.network.transport }))).toThrow(
      "already has a runnable of that name",
    );
    expect(() => one.manager.addHealthCheck("event-loop", () => undefined)).toThrow("a check named event-loop already");
  });

  it("rejects a runnable of a cluster that the manager does not run", () => {
    const { manager, runnable, runtime, network } = managerRig();
    const cluster = rigCluster(runtime, { name: "far", transport: network.transport });
    expect(() => manager.add(runnable("web"), { cluster })).toThrow(
      "web works in a cluster named far that this manager does not run; call addCluster first",
    );
    manager.addCluster(cluster);
    manager.add(runnable("web"), { cluster });
  });

  it("prefers its options over the settings of the runnable", async () => {
    const { manager, run, runnable, events, stop, clock } = managerRig();
    manager.add(runnable("a", { needsLease: false }), { group: "server" });
    manager.add(runnable("b"), { needsLease: false });
    manager.add(runnable("only while leading", { group: "server", needsLease: true }));
    await run();
    expect(events).toEqual(["a starts", "b starts", "only while leading starts"]);
    stop.abort();
    await clock.settle();
    expect(events.slice(3)).toEqual(["b ends", "only while leading ends", "a ends"]);
  });
});

describe("Manager.remove", () => {
  it("ends one runnable of any group while everything else continues, and frees its name", async () => {
    for (const options of Object.values(places)) {
      const { manager, run, runnable, events, clock, outcome } = managerRig();
      manager.add(runnable("other one", options));
      manager.add(runnable("web", { ...options, endsAfterMs: 1000 }));
      await run();
      events.length = 0;
      let isOver = false;
      const over = manager.remove("web").then(() => (isOver = true));
      await clock.advance(999);
      expect([isOver, events]).toEqual([false, []]);
      expect(() => manager.add(runnable("web"))).toThrow("already has a runnable of that name");
      await clock.advance(1);
      await over;
      manager.add(runnable("web", options));
      await clock.settle();
      expect([events, outcome.run]).toEqual([["web ends", "web starts"], "running"]);
    }
  });

  it("keeps a runnable from starting, and rejects an unknown name", async () => {
    const { manager, run, runnable, events } = managerRig();
    manager.add(runnable("web", { ready: never }));
    manager.add(runnable("server", { group: "server", ready: never }));
    await manager.remove("web");
    await manager.remove("server");
    manager.add(runnable("other"));
    await run();
    expect([events, manager.state().running]).toEqual([["other starts"], ["caches", "other"]]);
    await expect(manager.remove("web")).rejects.toThrow("cannot remove web: this manager has no runnable of that name");
  });

  it("does not hide a failure behind the removal", async () => {
    const { manager, run, clock, outcome } = managerRig();
    manager.add({
      name: "bad",
      run: (signal) => new Promise((_, reject) => signal.addEventListener("abort", () => reject(new Error("broken")))),
    });
    manager.add({
      name: "good",
      run: (signal) => new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason as Error))),
    });
    await run();
    await manager.remove("good");
    expect(outcome.run).toBe("running");
    await manager.remove("bad");
    await clock.settle();
    expect(outcome.run).toEqual(new Error("broken"));
  });
});

describe("Manager stop", () => {
  it("ends runnables without lease, those with, caches, servers, each when the previous group has ended", async () => {
    const { manager, run, runnable, events, clock, stop, outcome, cluster } = managerRig();
    const lease = cluster.informers.acquire(ConfigMap);
    for (const [name, options] of Object.entries(places)) manager.add(runnable(name, { ...options, endsAfterMs: 1000 }));
    await run();
    events.length = 0;
    stop.abort();
    for (const expected of [["other ends"], ["controller ends"], ["server ends"]]) {
      const phases = lease.state().map(({ reflector }) => reflector.phase);
      expect(phases).toEqual([expected[0] === "other ends" || expected[0] === "controller ends" ? "watching" : "stopped"]);
      await clock.advance(1000);
      expect(events.splice(0)).toEqual(expected);
    }
    expect([outcome.run, manager.state().phase]).toEqual(["over", "ended"]);
    lease.release();
  });

  it("names runnables that did not end within the shared grace period, and stops the rest immediately", async () => {
    const { manager, run, runnable, events, clock, stop, outcome } = managerRig({ graceMs: 3000 });
    manager.add(runnable("other", { needsLease: false, endsAfterMs: 2000 }));
    manager.add({ name: "stuck", run: never });
    manager.add(runnable("slow", { endsAfterMs: 1500 }));
    manager.add(runnable("server", { group: "server" }));
    await run();
    events.length = 0;
    stop.abort();
    await clock.advance(2999);
    expect([outcome.run, events]).toEqual(["running", ["other ends"]]);
    await clock.advance(1);
    expect(outcome.run).toBeInstanceOf(GracePeriodError);
    expect(outcome.run).toMatchObject({
      message: "failed waiting for all runnables to end within grace period of 3s: stuck, slow [DRV0365]",
      running: ["stuck", "slow"],
    });
    expect(events).toEqual(["other ends", "server ends"]);
  });

  it("does not wait with graceMs 0", async () => {
    const { manager, run, clock, stop, outcome } = managerRig({ graceMs: 0 });
    manager.add({ name: "stuck", run: never });
    await run();
    stop.abort();
    await clock.settle();
    expect(outcome.run).toBe("over");
  });

  it("waits without limit with an infinite graceMs", async () => {
    const { manager, run, runnable, clock, stop, outcome } = managerRig({ graceMs: Infinity });
    manager.add(runnable("slow", { endsAfterMs: 86_400_000 }));
    await run();
    stop.abort();
    await clock.advance(86_399_999);
    expect(outcome.run).toBe("running");
    await clock.advance(1);
    expect(outcome.run).toBe("over");
  });

  it("rejects an invalid graceMs", () => {
    for (const graceMs of [-1, NaN]) expect(() => managerRig({ graceMs })).toThrow(RangeError);
  });

  it("treats an AbortError after the stop as an end, not a failure", async () => {
    const { manager, run, clock, stop, outcome, runtime } = managerRig();
    manager.add({
      name: "aborts",
      run: (signal) =>
        new Promise((_, reject) => signal.addEventListener("abort", () => reject(new DOMException("stopped", "AbortError")))),
    });
    manager.add({
      name: "reason",
      run: (signal) => new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason as Error))),
    });
    await run();
    stop.abort(new Error("enough"));
    await clock.settle();
    expect(outcome.run).toBe("over");
    expect(runtime.log.entries.filter(({ level }) => level === "error")).toEqual([]);
  });
});

describe("Manager on a failure", () => {
  it("of any runnable ends run with that error, and stops everything else in order", async () => {
    for (const options of Object.values(places)) {
      const { manager, run, runnable, events, clock, outcome } = managerRig();
      const error = new Error("broken");
      let fail: (error: Error) => void = () => undefined;
      manager.add(runnable("server", { group: "server" }));
      manager.add(runnable("controller"));
      manager.add({ ...options, name: "bad", run: () => new Promise((_, reject) => (fail = reject)) });
      await run();
      await clock.settle();
      fail(error);
      await clock.settle();
      expect(outcome.run).toBe(error);
      expect(events).toEqual(["server starts", "controller starts", "controller ends", "server ends"]);
    }
  });

  it("passes the error on unchanged, thrown or rejected (D12)", async () => {
    const thrown: readonly unknown[] = [new TypeError("no"), "words", undefined, 0];
    for (const error of thrown) {
      const throwing = (): Promise<void> => {
        throw error;
      };
      const bad: Readonly<Record<string, Partial<Runnable>>> = {
        run: { run: throwing },
        rejected: { run: () => Promise.reject(error) },
        ready: { group: "server", ready: throwing },
        late: { ready: () => Promise.reject(error) },
      };
      for (const [name, more] of Object.entries(bad)) {
        const { manager, run, runnable, clock, outcome } = managerRig();
        manager.add(runnable("good", { group: "server" }));
        manager.add({ ...runnable(name), ...more });
        const results: unknown[] = [];
        manager.run(new AbortController().signal).then(
          () => results.push("over"),
          (reason: unknown) => results.push(reason),
        );
        await clock.settle();
        expect(results, name).toEqual([error]);
        expect(manager.state()).toMatchObject({ phase: "ended", running: [] });
        void [run, outcome];
      }
    }
  });

  it("during the start does not start the rest", async () => {
    const { manager, run, runnable, events, outcome } = managerRig();
    manager.add(failing("server", new Error("no port"), { group: "server", ready: never }));
    manager.add(runnable("controller"));
    await run();
    expect([outcome.run, events]).toEqual([new Error("no port"), []]);
  });

  it("joins it with a GracePeriodError, so that both can be found", async () => {
    const { manager, run, clock, outcome } = managerRig({ graceMs: 1000 });
    const error = new Error("broken");
    manager.add({ name: "stuck", run: never });
    manager.add(failing("bad", error));
    await run();
    await clock.advance(1000);
    expect(outcome.run).toBeInstanceOf(AggregateError);
    expect(outcome.run).toMatchObject({
      message: "broken; and failed waiting for all runnables to end within grace period of 1s: stuck [DRV0365]",
      cause: error,
      errors: [error, expect.any(GracePeriodError)],
    });
  });

  it("during or after the stop logs it instead of rejecting", async () => {
    const { manager, run, clock, stop, outcome, runtime } = managerRig({ graceMs: 500 });
    const failsAfter = (name: string, delayMs: number): Runnable => ({
      name,
      run: (signal) =>
        new Promise((_, reject) =>
          signal.addEventListener("abort", () => void clock.timer(delayMs, () => reject(new Error(`${name} failed late`)))),
        ),
    });
    manager.add(failsAfter("in time", 100));
    manager.add(failsAfter("much later", 10_000));
    await run();
    stop.abort();
    await clock.advance(20_000);
    expect(outcome.run).toMatchObject({ name: "GracePeriodError", running: ["much later"] });
    expect(runtime.log.entries.filter(({ level }) => level === "error").map(({ fields }) => String(fields.error))).toEqual([
      "Error: in time failed late",
      "Error: much later failed late",
    ]);
  });

  it("does not affect a second manager in the process", async () => {
    const clock = new ManualClock();
    const [one, two] = [managerRig({ clock }), managerRig({ clock })];
    for (const { manager, runnable } of [one, two]) manager.add(runnable("web"));
    one.manager.add(failing("bad", new Error("broken")));
    await one.run();
    await two.run();
    expect([one.outcome.run, two.outcome.run, one.events, two.events]).toEqual([
      new Error("broken"),
      "running",
      ["web starts", "web ends"],
      ["web starts"],
    ]);
  });
});
