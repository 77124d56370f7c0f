import { describe, expect, it } from "vitest";
import { FencedError, isFencedError } from "../leader/fenced-error.ts";
import { holderOf } from "../leader/lease-record.ts";
import { untilAborted } from "../sources/until-aborted.ts";
import { LeaderElectionLostError } from "./manager-error.ts";
import { down, managerRig } from "./testing/manager-rig.ts";

const theirs = { holderIdentity: "other", leaseDurationSeconds: 15, renewTime: "2026-01-01T00:00:00.000000Z", leaseTransitions: 1 };
const never = (): Promise<void> => new Promise(() => undefined);

describe("a manager with a lease", () => {
  it("starts what needs it only when it leads, and tells", async () => {
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

  it("stands under the identity it was given, with labels, and only with a name and a namespace (trap 29, §2.11)", async () => {
    const { run, leases } = managerRig({ leaderElection: { identity: "web-0_5f0c", labels: { app: "web" } } });
    await run();
    expect(leases.lease).toMatchObject({ metadata: { labels: { app: "web" } }, spec: { holderIdentity: "web-0_5f0c" } });
    for (const field of ["identity", "name", "namespace"])
      expect(() => managerRig({ leaderElection: { [field]: "" } })).toThrow("must not be empty");
  });

  it("warms up what it may have to run, without waiting for it, and not when it is told not to", async () => {
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

  it("ends with what a warm-up fails with", async () => {
    const { manager, run, runnable, outcome, events } = managerRig({ leaderElection: true });
    manager.add(runnable("controller", { warmUp: () => Promise.reject(new Error("cold")) }));
    await run();
    expect(outcome.run).toEqual(new Error("cold"));
    expect(events).toEqual([]);
  });

  it("starts at once what is added while it leads, and with its term what is added before", async () => {
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

  it("keeps the lease, renewed, until everything has ended, and gives it back then (§9.26)", async () => {
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

  it("leaves the lease to expire when it is told not to give it back", async () => {
    const { run, leases, stop, clock, outcome } = managerRig({ leaderElection: { releaseOnStop: false } });
    await run();
    stop.abort();
    await clock.settle();
    expect([outcome.run, holderOf(leases.lease)]).toEqual(["over", "me"]);
  });

  it("that hangs in its shutdown is fenced at the deadline, and its lease is not given back (D9)", async () => {
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

  it("is over only when the fence is closed, also with a grace of 0, which leaves the lease to expire", async () => {
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

  it("does not begin to lead while it is stopping", async () => {
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

  it("ends cleanly, and gives the lease back only after the work, at whichever step it is told to, once or twice (D10)", async () => {
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
      // One that has not begun to work has no reason to keep it.
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

describe("a manager whose lease somebody else had", () => {
  it("ends cleanly at whichever moment it is told to, before, while and after it takes over (D10)", async () => {
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

describe("a lost lease", () => {
  it("while the manager is stopping closes the fence, and the rest ends in order", async () => {
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

  it("while the manager is stopping is not taken again", async () => {
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

  it("that cannot be given back in time keeps nobody beyond the grace period", async () => {
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

  it("aborts at once what needs it and ends the run, without a time of grace", async () => {
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
    expect(outcome.run).toMatchObject({ message: "leader election lost: lease shop/web is not held any more", cause: reason });
    expect(isFencedError(reason)).toBe(true);
    expect(events).toEqual(["server starts", "controller ends, fence closed"]);
  });

  it("of a manager that stands again aborts the work, keeps the rest, and starts it anew in the next term (D8)", async () => {
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

  it("is stood for again without what was removed", async () => {
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

  it("is no failure of a runnable that says so itself, when the manager stands again", async () => {
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

  it("is not stood for again with what can run only once", () => {
    const { manager, runnable } = managerRig({ leaderElection: { onLostLease: "standAgain" } });
    expect(() => manager.add(runnable("controller"))).toThrow(
      "controller needs the lease, and this manager stands again after it lost it: make the controller with manager.controller",
    );
    manager.add(runnable("other", { needsLease: false }));
  });
});
