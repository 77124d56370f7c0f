import { createClient, throttle, wrap } from "@drover/client";
import { jsonResponse, statusResponse } from "@drover/client/testing";
import { newForbidden, prometheusText } from "@drover/machinery";
import type { HttpRequest, HttpResponse, Transport } from "@drover/machinery";
import { ManualClock, testRuntime } from "@drover/machinery/testing";
import { describe, expect, it } from "vitest";
import { blockableClock } from "../reconcile/testing/blockable-clock.ts";
import { isFencedError } from "./fenced-error.ts";
import { LeaderElector } from "./leader-elector.ts";
import type { LeaderElectorOptions } from "./leader-elector.ts";
import { holderOf } from "./lease-record.ts";
import { LeaseServer } from "./testing/lease-server.ts";

const theirs = { holderIdentity: "other", leaseDurationSeconds: 15, renewTime: "2026-01-01T00:00:00.000000Z", leaseTransitions: 1 };
const write: HttpRequest = { method: "PATCH", path: "/api/v1/namespaces/shop/configmaps/a", headers: {}, body: "{}" };
const untilAborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
const never = (): Promise<HttpResponse> => new Promise(() => undefined);

/** One candidate named "me" that records what happens in `events`. */
function rig(options: Partial<LeaderElectorOptions> = {}, shared: { readonly clock?: ManualClock; readonly server?: LeaseServer } = {}) {
  const { clock = new ManualClock(), server = new LeaseServer() } = shared;
  const runtime = testRuntime({ clock });
  const events: string[] = [];
  const network: { transport: Transport } = { transport: server.transport };
  const client = createClient({ transport: (request) => network.transport(request), clock, log: runtime.log, namespace: "default" });
  const stop = new AbortController();
  const elector = new LeaderElector({
    runtime,
    client,
    lease: { namespace: "shop", name: "web" },
    identity: "me",
    onStartedLeading: async (signal) => {
      events.push("started");
      await untilAborted(signal);
      events.push(isFencedError(signal.reason) ? "lost" : "asked to stop");
    },
    onStoppedLeading: () => void events.push("stopped"),
    onNewLeader: (identity) => void events.push(`new leader ${identity}`),
    ...options,
  });
  const outcome: { run: unknown } = { run: "running" };
  const run = async (): Promise<void> => {
    elector.run(stop.signal).then(
      () => (outcome.run = "over"),
      (error: unknown) => (outcome.run = error),
    );
    await clock.settle();
  };
  return { clock, server, runtime, events, network, stop, elector, outcome, run };
}

describe("LeaderElector as a candidate", () => {
  it("creates the lease, leads, and renews it every two seconds without reading it", async () => {
    const { clock, server, events, elector, runtime, run } = rig({ labels: { app: "web" } });
    expect([elector.isLeader, elector.leader]).toEqual([false, ""]);
    await run();
    await clock.advance(20_000);
    expect(events).toEqual(["started", "new leader me"]);
    expect(server.requests).toEqual(["GET web", "POST leases", ...Array.from({ length: 10 }, () => "PUT web")]);
    expect(server.lease).toMatchObject({
      metadata: { name: "web", namespace: "shop", labels: { app: "web" } },
      spec: {
        holderIdentity: "me",
        leaseDurationSeconds: 15,
        leaseTransitions: 0,
        acquireTime: "2026-01-01T00:00:00.000000Z",
        renewTime: "2026-01-01T00:00:20.000000Z",
      },
    });
    expect([elector.isLeader, elector.leader]).toEqual([true, "me"]);
    expect(prometheusText(runtime.metrics)).toContain('leader_election_master_status{name="web"} 1');
  });

  it("waits while another leads, reports the leader, and does not call onStoppedLeading", async () => {
    const { clock, server, events, stop, outcome, elector, run } = rig();
    server.put(theirs);
    await run();
    for (let renewal = 0; renewal < 10; renewal++) {
      await clock.advance(5000);
      server.put({ ...theirs, renewTime: `2026-01-01T00:00:0${renewal}.000000Z` });
    }
    expect([events, elector.leader, elector.isLeader]).toEqual([["new leader other"], "other", false]);
    stop.abort();
    await clock.settle();
    expect([outcome.run, events, holderOf(server.lease)]).toEqual(["over", ["new leader other"], "other"]);
  });

  it("takes over when the lease has not changed for its duration", async () => {
    const { clock, server, events, run } = rig();
    server.put(theirs);
    await run();
    await clock.advance(14_999);
    expect(events).toEqual(["new leader other"]);
    await clock.advance(1 + 4400);
    expect(events).toEqual(["new leader other", "started", "new leader me"]);
    expect(server.lease?.spec?.leaseTransitions).toBe(2);
  });

  it("takes a released lease immediately", async () => {
    const { clock, server, events, run } = rig();
    server.put(theirs);
    await run();
    const now = "2026-01-01T00:00:02.000000Z";
    server.put({ ...theirs, holderIdentity: "", leaseDurationSeconds: 1, acquireTime: now, renewTime: now });
    await clock.advance(4400);
    expect(events).toContain("started");
  });

  it("sends nothing if it is stopped before it starts", async () => {
    const { server, stop, outcome, run } = rig();
    stop.abort();
    await run();
    expect([outcome.run, server.requests]).toEqual(["over", []]);
  });

  it.each([
    ["identity", { identity: "" }],
    ["lease.name", { lease: { namespace: "shop", name: "" } }],
    ["lease.namespace", { lease: { namespace: "", name: "web" } }],
  ])("requires %s", (field, options) => {
    expect(() => rig(options)).toThrow(`${field} of a leader elector must not be empty`);
  });

  it("checks its durations (§3.19)", () => {
    expect(() => rig({ leaseDurationMs: 5000 })).toThrow(RangeError);
  });

  it("runs once at a time, and can run again afterwards", async () => {
    const { clock, stop, elector, events, run } = rig();
    await run();
    await expect(elector.run(stop.signal)).rejects.toThrow("the elector of lease shop/web is already running");
    stop.abort();
    await clock.settle();
    const again = new AbortController();
    const second = elector.run(again.signal);
    await clock.advance(1000);
    expect(events.filter((event) => event === "started")).toHaveLength(2);
    again.abort();
    await second;
  });

  it("logs once, not every two seconds, that it lacks permissions", async () => {
    const { clock, network, runtime, outcome, run } = rig();
    network.transport = () =>
      Promise.resolve(statusResponse(newForbidden({ group: "coordination.k8s.io", resource: "leases" }, "web", "no")));
    await run();
    await clock.advance(60_000);
    expect(runtime.log.entries.filter(({ level }) => level === "warn").map(({ message }) => message)).toEqual(["cannot read the lease"]);
    expect(outcome.run).toBe("running");
  });
});

describe("LeaderElector that cannot renew", () => {
  it("stops leading ten seconds after sending the last successful renewal, and leads again when it can", async () => {
    const { clock, server, network, events, elector, runtime, outcome, run } = rig();
    await run();
    await clock.advance(4000);
    network.transport = () => Promise.reject(new Error("down"));
    await clock.advance(9999);
    expect(events).toEqual(["started", "new leader me"]);
    await clock.advance(1);
    expect([events.slice(2), elector.isLeader]).toEqual([["stopped", "lost"], false]);
    expect(prometheusText(runtime.metrics)).toContain('leader_election_master_status{name="web"} 0');
    await clock.advance(60_000);
    network.transport = server.transport;
    await clock.advance(4400);
    expect([events.slice(4), outcome.run]).toEqual([["started"], "running"]);
  });

  it.each(["never answers", "reads but does not write", "writes but does not answer", "writes but does not read"])(
    "D5: stops leading in time when the server %s",
    async (how) => {
      const { clock, server, network, events, run } = rig();
      await run();
      await clock.advance(4000);
      network.transport = (request) => {
        const isRead = request.method === "GET";
        if (how === "reads but does not write" && isRead) return server.transport(request);
        if (how === "writes but does not answer" && !isRead) void server.transport(request);
        if (how === "writes but does not read" && !isRead) return server.transport(request);
        return never();
      };
      await clock.advance(10_000);
      expect(events.slice(2)).toEqual(how === "writes but does not read" ? [] : ["stopped", "lost"]);
    },
  );

  it("D11: renews on time while the work waits for an exhausted rate limiter", async () => {
    const { clock, server, elector, runtime, run } = rig();
    await run();
    const limited = wrap(server.transport, throttle({ clock, log: runtime.log, qps: 0.01, burst: 1 }));
    const work = Array.from({ length: 100 }, () => limited(write));
    await clock.advance(60_000);
    expect(work).toHaveLength(100);
    expect(server.requests.filter((request) => request === "PUT web")).toHaveLength(30);
    expect(server.requests.filter((request) => request.startsWith("PATCH")).length).toBeLessThan(3);
    expect(elector.isLeader).toBe(true);
  });

  it("D13: keeps its lease although the process repeatedly stalls for two seconds", async () => {
    const truth = new ManualClock();
    const clock = blockableClock(truth);
    const { events, elector, run } = rig({ runtime: { ...testRuntime({ clock: truth }), clock } }, { clock: truth });
    await run();
    for (let pause = 0; pause < 30; pause++) {
      await truth.advance(1000);
      clock.block(2000);
    }
    await truth.advance(2000);
    expect([events, elector.isLeader]).toEqual([["started", "new leader me"], true]);
  });

  it("keeps its lease when one request hangs", async () => {
    const { clock, server, network, events, run } = rig();
    await run();
    network.transport = () => {
      network.transport = server.transport;
      return never();
    };
    await clock.advance(60_000);
    expect(events).toEqual(["started", "new leader me"]);
    expect(server.requests.filter((request) => request === "GET web")).toHaveLength(2);
  });

  it("stops leading immediately when another holds the lease", async () => {
    const { clock, server, events, run } = rig();
    await run();
    server.put(theirs);
    await clock.advance(2000);
    expect(events.slice(2)).toEqual(["stopped", "new leader other", "lost"]);
  });

  it("D2: continues over the slow path when a response was lost", async () => {
    const { clock, server, network, events, runtime, run } = rig();
    await run();
    network.transport = async (request) => {
      network.transport = server.transport;
      await server.transport(request);
      throw new Error("the answer was lost");
    };
    await clock.advance(2000);
    expect(server.requests.slice(2)).toEqual(["PUT web", "GET web", "PUT web"]);
    expect([events, prometheusText(runtime.metrics)]).toEqual([
      ["started", "new leader me"],
      expect.stringContaining('leader_election_slowpath_total{name="web"} 1'),
    ]);
  });

  it("creates the lease again when it is deleted", async () => {
    const { clock, server, events, run } = rig();
    await run();
    server.put(undefined);
    await clock.advance(2000);
    expect([holderOf(server.lease), events]).toEqual(["me", ["started", "new leader me"]]);
  });

  it("does not start a second term before the work of the first has ended, and fails its health check", async () => {
    let end = (): void => undefined;
    let running = 0;
    const { clock, server, elector, events, run } = rig({
      onStartedLeading: async () => {
        events.push(`running ${++running}`);
        await new Promise<void>((resolve) => (end = resolve));
        running--;
      },
    });
    await run();
    server.put({ ...theirs, leaseDurationSeconds: 1 });
    await clock.advance(14_000);
    // The lease lasts 15 s from the renewal at 0; the tolerance is counted from there.
    expect([elector.isLeader, elector.check(1000)]).toEqual([false, undefined]);
    await clock.advance(2001);
    expect(elector.check(1000)?.message).toBe("lease shop/web expired 1001 ms ago, and the work under it has not ended");
    await clock.advance(60_000);
    expect(events).toEqual(["running 1", "new leader me", "stopped", "new leader other"]);
    end();
    await clock.advance(10_000);
    expect([events.slice(4), elector.check(1000)]).toEqual([["running 1", "new leader me"], undefined]);
  });
});

describe("LeaderElector.check", () => {
  it("passes for a candidate, and for a leader that renews", async () => {
    const { clock, server, elector, run } = rig();
    server.put(theirs);
    await run();
    expect(elector.check(0)).toBeUndefined();
    await clock.advance(120_000);
    expect([elector.isLeader, elector.check(0)]).toEqual([true, undefined]);
  });
});

describe("LeaderElector that is stopped while leading", () => {
  it("holds and renews the lease until the work has ended, then closes the fence, then releases the lease", async () => {
    const answers: unknown[] = [];
    const { clock, server, events, stop, elector, outcome, run } = rig({
      onStartedLeading: async (signal) => {
        await untilAborted(signal);
        await new Promise<void>((resolve) => void clock.timer(12_000, () => resolve()));
        answers.push((await elector.fence.wrapper(server.transport)(write)).status, holderOf(server.lease));
        events.push("work ended");
      },
      onStoppedLeading: () => void events.push(`stopped, ${holderOf(server.lease)} still in the lease`),
    });
    await run();
    stop.abort("enough");
    await clock.advance(11_999);
    expect([outcome.run, elector.isLeader]).toEqual(["running", true]);
    await clock.advance(1);
    expect([outcome.run, answers, elector.isLeader]).toEqual(["over", [200, "me"], false]);
    expect(events).toEqual(["new leader me", "work ended", "stopped, me still in the lease"]);
    expect(server.lease?.spec).toMatchObject({ holderIdentity: "", leaseDurationSeconds: 1, leaseTransitions: 0 });
    expect(server.requests.slice(-2)).toEqual(["GET web", "PUT web"]);
    await expect(elector.fence.wrapper(server.transport)(write)).rejects.toThrow("the elector has stopped");
  });

  it("waits for responses to the writes of the work", async () => {
    const { clock, server, stop, elector, outcome, run } = rig();
    let answer: (response: HttpResponse) => void = () => undefined;
    await run();
    const written = elector.fence.wrapper(() => new Promise((resolve) => (answer = resolve)))(write);
    stop.abort();
    await clock.advance(5000);
    expect([outcome.run, holderOf(server.lease)]).toEqual(["running", "me"]);
    answer(jsonResponse({}));
    await written;
    await clock.settle();
    expect([outcome.run, holderOf(server.lease)]).toEqual(["over", ""]);
  });

  it("does not release a lease under which writes were cut off", async () => {
    const { clock, server, stop, elector, outcome, run } = rig();
    await run();
    const written = elector.fence
      .wrapper(never)(write)
      .catch((error: unknown) => error);
    stop.abort();
    await clock.advance(30_000);
    expect([outcome.run, holderOf(server.lease), ((await written) as Error).name]).toEqual(["over", "me", "UnknownOutcomeError"]);
  });

  it("does not release a lease under which the work aborted a write that may still arrive, unless that was long ago", async () => {
    for (const [beforeMs, holder] of [
      [14_000, "me"],
      [15_000, ""],
    ] as const) {
      const { clock, server, stop, elector, outcome, run } = rig();
      await run();
      const controller = new AbortController();
      const written = elector.fence.wrapper(
        ({ signal }) => new Promise((_, reject) => signal?.addEventListener("abort", () => reject(signal.reason), { once: true })),
      )({ ...write, signal: controller.signal });
      controller.abort("enough");
      await expect(written).rejects.toBe("enough");
      await clock.advance(beforeMs);
      stop.abort();
      await clock.settle();
      expect([outcome.run, holderOf(server.lease)]).toEqual(["over", holder]);
    }
  });

  it("stops waiting for work that does not end, fences it, and logs it", async () => {
    const { clock, server, stop, elector, runtime, outcome, run } = rig({
      onStartedLeading: () => new Promise(() => undefined),
      drainMs: 5000,
    });
    await run();
    stop.abort();
    await clock.advance(4999);
    expect(outcome.run).toBe("running");
    await clock.advance(1);
    expect([outcome.run, elector.isLeader, holderOf(server.lease)]).toEqual(["over", false, ""]);
    expect(runtime.log.entries.map(({ message }) => message)).toContain(
      "leader's work did not end in time; it continues, but its writes are blocked",
    );
    await clock.advance(60_000);
    expect(elector.check(0)).toBeInstanceOf(Error);
  });

  it("keeps the lease with releaseOnStop: false", async () => {
    const { clock, server, stop, outcome, run } = rig({ releaseOnStop: false });
    await run();
    stop.abort();
    await clock.settle();
    expect([outcome.run, holderOf(server.lease)]).toEqual(["over", "me"]);
  });

  it.each(["GET", "POST", "PUT"])("releases a lease that it got while a %s was in progress", async (method) => {
    const { clock, server, network, stop, outcome, run } = rig();
    if (method === "PUT") server.put({});
    network.transport = async (request) => {
      const response = await server.transport(request);
      if (request.method === method) {
        network.transport = server.transport;
        return never();
      }
      return response;
    };
    await run();
    expect(holderOf(server.lease)).toBe(method === "GET" ? "" : "me");
    stop.abort();
    await clock.settle();
    expect([outcome.run, holderOf(server.lease)]).toEqual(["over", ""]);
  });

  it("retries the release after a conflict, and gives up at the deadline", async () => {
    const { clock, server, network, stop, outcome, run } = rig();
    await run();
    let reads = 0;
    network.transport = async (request) => {
      const response = await server.transport(request);
      if (request.method === "GET" && ++reads === 1) server.put({ ...server.lease?.spec, renewTime: "2026-01-01T00:00:01.000000Z" });
      return response;
    };
    stop.abort();
    await clock.settle();
    expect([outcome.run, reads, holderOf(server.lease)]).toEqual(["over", 2, ""]);
    const down = rig();
    await down.run();
    down.network.transport = () => Promise.reject(new Error("down"));
    down.stop.abort();
    await down.clock.advance(10_000);
    expect(down.outcome.run).toBe("over");
  });
});

describe("LeaderElector callbacks that fail", () => {
  it("end run with the same error and release the lease, if they are the work", async () => {
    const failure = new Error("broken");
    const { clock, server, events, outcome, run } = rig({ onStartedLeading: () => Promise.reject(failure) });
    await run();
    await clock.settle();
    expect([outcome.run, holderOf(server.lease), events]).toEqual([failure, "", ["new leader me", "stopped"]]);
  });

  it("are only logged otherwise", async () => {
    const { clock, runtime, stop, outcome, run } = rig({
      onNewLeader: () => {
        throw new Error("one");
      },
      onStoppedLeading: () => {
        throw new Error("two");
      },
    });
    await run();
    stop.abort();
    await clock.settle();
    expect([outcome.run, runtime.log.entries.filter(({ level }) => level === "error").map(({ message }) => message)]).toEqual([
      "over",
      ["onNewLeader threw", "onStoppedLeading threw"],
    ]);
  });

  it("the term continues when the work ends by itself", async () => {
    const { clock, events, elector, run } = rig({ onStartedLeading: () => undefined });
    await run();
    await clock.advance(60_000);
    expect([elector.isLeader, events]).toEqual([true, ["new leader me"]]);
  });
});

describe("two LeaderElectors", () => {
  it("lead one after the other (§9.26)", async () => {
    const one = rig({ identity: "one" });
    const two = rig({ identity: "two" }, one);
    await one.run();
    await two.run();
    await one.clock.advance(30_000);
    expect([one.elector.isLeader, two.elector.isLeader]).toEqual([true, false]);
    one.stop.abort();
    await one.clock.advance(4400);
    expect([one.outcome.run, one.elector.isLeader, two.elector.isLeader, two.events]).toEqual([
      "over",
      false,
      true,
      ["new leader one", "started", "new leader two"],
    ]);
    expect(one.server.lease?.spec?.leaseTransitions).toBe(1);
  });
});
