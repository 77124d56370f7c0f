import { describe, expect, it } from "vitest";
import { FencedError, isFencedError } from "../leader/fenced-error.ts";
import { holderOf } from "../leader/lease-record.ts";
import { untilAborted } from "../sources/until-aborted.ts";
import { LeaderElectionLostError } from "./manager-error.ts";
import { down, managerRig } from "./testing/manager-rig.ts";

const theirs = { holderIdentity: "other", leaseDurationSeconds: 15, renewTime: "2026-01-01T00:00:00.000000Z", leaseTransitions: 1 };
const never = (): Promise<void> => new Promise(() => undefined);

describe("Manager with leader election", () => {
  it("starts runnables that need the lease only when it leads, and resolves elected", async () => {
    const { manager, run, runnable, events, clock, leases } = managerRig({ leaderElection: true });
    leases.put(theirs);
    manager.add(runnable("controller"));
    manager.add(runnable("other", { needsLease: false }));
    void manager.elected.then(() => events.push("elected"));
    await run();
    await clock.advance(14_000);
    expect(events).toEqual(["other starts"]);
    expect(manager.state().election).toEqual({ lease: "shop/web", isLeader: false, leader: "other" });
    await clock.advance(10_000);
    expect(events).toEqual(["other starts", "controller starts", "elected"]);
    expect(manager.state().election).toEqual({ lease: "shop/web", isLeader: true, leader: "me" });
  });

  it("uses the configured identity and labels, and requires a name and a namespace (trap 29, §2.11)", async () => {
    const { run, leases } = managerRig({ leaderElection: { identity: "web-0_5f0c", labels: { app: "web" } } });
    await run();
    expect(leases.lease).toMatchObject({ metadata: { labels: { app: "web" } }, spec: { holderIdentity: "web-0_5f0c" } });
    for (const field of ["identity", "name", "namespace"])
      expect(() => managerRig({ leaderElection: { [field]: "" } })).toThrow("must not be empty");
  });

  it("warms up runnables without waiting for them, unless warmStandby is false", async () => {
    for (const warmStandby of [true, false]) {
      const { manager, run, runnable, events, clock, leases } = managerRig({ leaderElection: { warmStandby } });
      leases.put(theirs);
      const warmUp = (): Promise<void> => {
        events.push("warming up");
        return never();
      };
      manager.add(runnable("controller", { warmUp }));
      manager.add(runnable("other", { needsLease: false, warmUp }));
      await run();
      expect(events).toEqual(["other starts", ...(warmStandby ? ["warming up"] : [])]);
      await clock.advance(30_000);
      expect(events.at(-1)).toBe("controller starts");
    }
  });

  it("ends with the error of a warm-up", async () => {
    const { manager, run, runnable, outcome, events } = managerRig({ leaderElection: true });
    manager.add(runnable("controller", { warmUp: () => Promise.reject(new Error("cold")) }));
    await run();
    expect(outcome.run).toEqual(new Error("cold"));
    expect(events).toEqual([]);
  });

  it("starts a runnable immediately if it is added while leading, otherwise with the term", async () => {
    const { manager, run, runnable, events, clock, leases } = managerRig({ leaderElection: true });
    leases.put(theirs);
    await run();
    manager.add(runnable("early"));
    await clock.advance(5000);
    expect(events).toEqual([]);
    await clock.advance(20_000);
    manager.add(runnable("late"));
    await clock.settle();
    expect(events).toEqual(["early starts", "late starts"]);
  });

  it("keeps and renews the lease until everything has ended, then releases it (§9.26)", async () => {
    const { manager, run, runnable, events, clock, leases, stop, outcome } = managerRig({ leaderElection: true });
    manager.add(runnable("controller", { endsAfterMs: 12_000 }));
    manager.add(runnable("server", { group: "server", endsAfterMs: 12_000 }));
    await run();
    stop.abort();
    for (let elapsed = 0; elapsed < 24_000; elapsed += 500) {
      expect([holderOf(leases.lease), manager.fence?.isOpen, outcome.run]).toEqual(["me", true, "running"]);
      await clock.advance(500);
    }
    expect(events).toEqual(["server starts", "controller starts", "controller ends", "server ends"]);
    expect([holderOf(leases.lease), manager.fence?.isOpen, outcome.run]).toEqual(["", false, "over"]);
  });

  it("leaves the lease to expire with releaseOnStop: false", async () => {
    const { run, leases, stop, clock, outcome } = managerRig({ leaderElection: { releaseOnStop: false } });
    await run();
    stop.abort();
    await clock.settle();
    expect([outcome.run, holderOf(leases.lease)]).toEqual(["over", "me"]);
  });

  it("is fenced at the end of the grace period if it hangs, and does not release the lease (D9)", async () => {
    const { manager, run, clock, leases, stop, outcome } = managerRig({ leaderElection: true, graceMs: 5000 });
    manager.add({ name: "hook", run: never });
    await run();
    stop.abort();
    await clock.advance(4999);
    expect([outcome.run, manager.fence?.isOpen]).toEqual(["running", true]);
    await clock.advance(1);
    expect(outcome.run).toMatchObject({ name: "GracePeriodError", running: ["hook"] });
    expect([manager.fence?.isOpen, holderOf(leases.lease)]).toEqual([false, "me"]);
    const sent = leases.requests.length;
    await clock.advance(60_000);
    expect(leases.requests.length).toBe(sent);
  });

  it("ends only after the fence is closed, also with graceMs 0, which leaves the lease to expire", async () => {
    for (const graceMs of [0, 5000]) {
      const { manager, clock, leases, stop } = managerRig({ leaderElection: true, graceMs });
      const fences: unknown[] = [];
      const note = (): void => void fences.push(manager.fence?.isOpen);
      manager.add({ name: "hook", run: never });
      manager.run(stop.signal).then(note, note);
      await clock.settle();
      stop.abort();
      await clock.advance(graceMs);
      expect([fences, holderOf(leases.lease)]).toEqual([[false], "me"]);
    }
  });

  it("does not start to lead while it is stopping", async () => {
    const { manager, run, runnable, events, clock, leases, stop, outcome } = managerRig({ leaderElection: true });
    leases.put(theirs);
    manager.add(runnable("controller"));
    manager.add(runnable("other", { needsLease: false, endsAfterMs: 25_000 }));
    await run();
    await clock.advance(10_000);
    stop.abort();
    await clock.advance(24_000);
    expect([holderOf(leases.lease), outcome.run, events]).toEqual(["other", "running", ["other starts"]]);
    await clock.advance(1000);
    expect([holderOf(leases.lease), outcome.run, events]).toEqual(["other", "over", ["other starts", "other ends"]]);
  });

  it("ends cleanly, and releases the lease only after the work, at whichever step it is stopped, once or twice (D10)", async () => {
    for (let steps = 0; steps < 120; steps++) {
      const { manager, runnable, events, clock, leases, network, stop, outcome } = managerRig({ leaderElection: true });
      network.leases = async (request) => {
        const answer = await leases.transport(request);
        if (holderOf(leases.lease) === "" && leases.lease !== undefined) events.push("given back");
        return answer;
      };
      manager.add(runnable("controller", { endsAfterMs: 700 }));
      manager.add(runnable("server", { group: "server" }));
      manager.run(stop.signal).then(
        () => (outcome.run = "over"),
        (error: unknown) => (outcome.run = error),
      );
      for (let turn = 0; turn < steps; turn++) await Promise.resolve();
      const hadStarted = events.includes("controller starts");
      stop.abort(new Error("SIGTERM"));
      stop.abort(new Error("SIGINT"));
      await clock.advance(5000);
      expect([outcome.run, events.includes("controller starts")], `after ${steps} steps`).toEqual(["over", hadStarted]);
      expect([holderOf(leases.lease), clock.pending], `after ${steps} steps`).toEqual(["", []]);
      // A replica that has not started to work has no reason to keep the lease.
      if (!events.includes("controller starts")) expect(events.filter((event) => event.startsWith("controller"))).toEqual([]);
      else
        expect(events, `after ${steps} steps`).toEqual([
          "server starts",
          "controller starts",
          "controller ends",
          "server ends",
          "given back",
        ]);
    }
  });
});

describe("Manager that takes over a lease", () => {
  it("ends cleanly at whichever moment it is stopped, before, during and after the takeover (D10)", async () => {
    for (let atMs = 0; atMs <= 24_000; atMs += 400) {
      const { manager, run, runnable, events, clock, leases, stop, outcome } = managerRig({ leaderElection: true });
      leases.put(theirs);
      manager.add(runnable("controller", { endsAfterMs: 700 }));
      await run();
      await clock.advance(atMs);
      stop.abort(new Error("SIGTERM"));
      await clock.advance(5000);
      const hasLed = events.length > 0;
      expect([outcome.run, clock.pending, events, holderOf(leases.lease)], `after ${atMs} ms`).toEqual([
        "over",
        [],
        hasLed ? ["controller starts", "controller ends"] : [],
        hasLed ? "" : "other",
      ]);
    }
  });
});

describe("Manager that loses the lease", () => {
  it("closes the fence if it is stopping, and ends the rest in order", async () => {
    const { manager, run, runnable, events, clock, network, stop, outcome } = managerRig({ leaderElection: true });
    manager.add(runnable("controller", { endsAfterMs: 15_000 }));
    manager.add(runnable("server", { group: "server" }));
    await run();
    stop.abort();
    network.leases = down;
    await clock.advance(14_000);
    expect([manager.fence?.isOpen, outcome.run]).toEqual([false, "running"]);
    await clock.advance(11_000);
    expect([events, outcome.run]).toEqual([["server starts", "controller starts", "controller ends", "server ends"], "over"]);
  });

  it("does not acquire the lease again if it is stopping", async () => {
    const { manager, run, runnable, clock, leases, stop, outcome } = managerRig({ leaderElection: true });
    manager.add(runnable("controller", { endsAfterMs: 1000 }));
    manager.add(runnable("server", { group: "server", endsAfterMs: 25_000 }));
    await run();
    stop.abort();
    leases.put(theirs);
    await clock.advance(25_000);
    expect([outcome.run, holderOf(leases.lease)]).toEqual(["running", "other"]);
    await clock.advance(1000);
    expect([outcome.run, holderOf(leases.lease)]).toEqual(["over", "other"]);
  });

  it("does not exceed the grace period if the lease cannot be released in time", async () => {
    const { manager, run, runnable, events, clock, network, stop, outcome } = managerRig({ leaderElection: true, graceMs: 4000 });
    manager.add(runnable("controller"));
    await run();
    network.leases = down;
    stop.abort();
    await clock.advance(3999);
    expect([manager.fence?.isOpen, events.at(-1), outcome.run]).toEqual([false, "controller ends", "running"]);
    await clock.advance(1);
    expect(outcome.run).toMatchObject({ name: "GracePeriodError", running: ["leader election"] });
  });

  it("aborts runnables that need the lease and ends run, without a grace period", async () => {
    const { manager, run, runnable, events, clock, outcome, network } = managerRig({ leaderElection: true });
    let reason: unknown;
    manager.add({
      name: "controller",
      run: async (signal) => {
        await untilAborted(signal);
        reason = signal.reason as unknown;
        events.push(`controller ends, fence ${manager.fence?.isOpen === true ? "open" : "closed"}`);
      },
    });
    manager.add({ name: "stuck", run: never });
    manager.add(runnable("server", { group: "server", endsAfterMs: 5000 }));
    await run();
    network.leases = down;
    await clock.advance(9999);
    expect(outcome.run).toBe("running");
    await clock.advance(3);
    expect(outcome.run).toBeInstanceOf(LeaderElectionLostError);
    expect(outcome.run).toMatchObject({ message: "leader election lost: lease shop/web is no longer held [DRV0360]", cause: reason });
    expect(isFencedError(reason)).toBe(true);
    expect(events).toEqual(["server starts", "controller ends, fence closed"]);
  });

  it("aborts the work, keeps the rest, and starts the work again in the next term with standAgain (D8)", async () => {
    const { manager, run, runnable, events, clock, leases, network, outcome, stop } = managerRig({
      leaderElection: { onLostLease: "standAgain" },
    });
    manager.add(runnable("other", { needsLease: false }));
    manager.add(runnable("controller", { runsAgain: true }));
    await run();
    network.leases = down;
    await clock.advance(60_000);
    expect(events).toEqual(["other starts", "controller starts", "controller ends"]);
    expect(manager.state().running).toEqual(["caches", "other"]);
    manager.add(runnable("late", { runsAgain: true }));
    network.leases = leases.transport;
    await clock.advance(20_000);
    expect(events.slice(3)).toEqual(["controller starts", "late starts"]);
    stop.abort();
    await clock.settle();
    expect([outcome.run, holderOf(leases.lease)]).toEqual(["over", ""]);
  });

  it("does not start removed runnables in the next term with standAgain", async () => {
    const { manager, run, runnable, events, clock, leases, network } = managerRig({ leaderElection: { onLostLease: "standAgain" } });
    for (const name of ["stays", "goes"]) manager.add(runnable(name, { runsAgain: true }));
    await run();
    await manager.remove("goes");
    network.leases = down;
    await clock.advance(30_000);
    events.length = 0;
    network.leases = leases.transport;
    await clock.advance(30_000);
    expect(events).toEqual(["stays starts"]);
  });

  it("does not treat a FencedError of a runnable as a failure with standAgain", async () => {
    const { manager, run, clock, outcome, events, leases, network } = managerRig({ leaderElection: { onLostLease: "standAgain" } });
    manager.add({
      name: "controller",
      runsAgain: true,
      run: async (signal) => {
        events.push("starts");
        await untilAborted(signal);
        const fenced = new FencedError({ lease: "shop/web", sinceMs: 0, why: "it was lost", attempt: "POST /api/v1/namespaces/shop/pods" });
        throw new Error("a write failed", { cause: fenced });
      },
    });
    await run();
    network.leases = down;
    await clock.advance(30_000);
    network.leases = leases.transport;
    await clock.advance(30_000);
    expect([outcome.run, events]).toEqual(["running", ["starts", "starts"]]);
  });

  it("rejects a runnable that can run only once with standAgain", () => {
    const { manager, runnable } = managerRig({ leaderElection: { onLostLease: "standAgain" } });
    expect(() => manager.add(runnable("controller"))).toThrow(
      'controller needs the lease, and this manager competes for it again after a loss (onLostLease: "standAgain"): create the controller with manager.controller',
    );
    manager.add(runnable("other", { needsLease: false }));
  });
});
