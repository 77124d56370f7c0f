import { ConfigMap } from "@drover/api/core/v1";
import type { HttpResponse } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { down, managerRig, memoryListen } from "./testing/manager-rig.ts";

const theirs = { holderIdentity: "other", leaseDurationSeconds: 15, renewTime: "2026-01-01T00:00:00.000000Z", leaseTransitions: 1 };
const never = (): Promise<void> => new Promise(() => undefined);

describe("probes of a manager", () => {
  it("are served before anything else starts and until everything has ended, at the reported address", async () => {
    const { listen, ask, isOpen } = memoryListen();
    const { manager, run, runnable, clock, stop } = managerRig({ serving: { listen, host: "127.0.0.1", port: 8081 } });
    manager.add(runnable("slow server", { group: "server", ready: never }));
    expect([isOpen(), manager.state().address]).toEqual([false, undefined]);
    await run();
    expect([isOpen(), manager.state().address, await ask("/healthz")]).toEqual([true, "127.0.0.1:8081", "200 ok"]);
    stop.abort();
    await clock.settle();
    expect([isOpen(), manager.state().address]).toEqual([false, undefined]);
  });

  it("end run if the port cannot be opened, before anything starts", async () => {
    const { manager, run, runnable, events, outcome } = managerRig({
      serving: { listen: () => Promise.reject(new Error("8080 is taken")) },
    });
    manager.add(runnable("server", { group: "server" }));
    await run();
    expect([outcome.run, events]).toEqual([new Error("8080 is taken"), []]);
  });

  it("close a port that was still being opened when the manager stopped", async () => {
    const { listen, isOpen } = memoryListen();
    let open = (): void => undefined;
    const slow: typeof listen = (...args) => new Promise<void>((resolve) => (open = resolve)).then(() => listen(...args));
    const { run, stop, clock, outcome } = managerRig({ serving: { listen: slow } });
    await run();
    stop.abort();
    await clock.settle();
    open();
    await clock.settle();
    expect([outcome.run, isOpen()]).toEqual(["over", false]);
  });

  it("serve metrics and the checks of users, also late ones, and nothing else (D12)", async () => {
    const { listen, ask } = memoryListen();
    const { manager, run } = managerRig({ leaderElection: true, serving: { listen } });
    manager.addHealthCheck("disk", () => undefined);
    await run();
    expect(await ask("/metrics")).toMatch(/^200 [^]*leader_election_master_status\{name="web"\} 1\n/);
    expect(await ask("/debug/pprof")).toMatch(/^404/);
    expect(await ask("/healthz?verbose")).toBe("200 [+]disk ok\n[+]event-loop ok\n[+]leader-election ok\nhealthz check passed\n");
    expect(await ask("/readyz?verbose")).toBe("200 [+]informers ok\n[+]leader-election ok\n[+]manager ok\nhealthz check passed\n");
    manager.addReadyCheck("upstream", () => {
      throw new Error("away");
    });
    expect(await ask("/readyz")).toBe(
      "500 [+]informers ok\n[+]leader-election ok\n[+]manager ok\n[-]upstream failed: reason withheld\nhealthz check failed\n",
    );
    expect(await ask("/readyz/upstream")).toBe("500 internal server error: away\n");
  });
});

it("serve further handlers, and reject a path that is taken", async () => {
  const { listen, ask } = memoryListen();
  const hello = (): Promise<HttpResponse> => Promise.resolve({ status: 200, headers: {}, body: "hello" });
  const { run } = managerRig({ serving: { listen, handlers: { "/hello": hello } } });
  await run();
  expect(await ask("/hello")).toBe("200 hello");
  expect(() => managerRig({ serving: { listen, handlers: { "/metrics": hello } } })).toThrow("cannot serve a handler at /metrics");
});

/** Results of both probes as "healthy ready". */
describe("health and readiness of a manager (D15)", () => {
  function rig(options: Parameters<typeof managerRig>[0] = {}) {
    const { listen, ask } = memoryListen();
    const all = managerRig({ serving: { listen }, ...options });
    const probes = async (): Promise<readonly string[]> => [(await ask("/healthz")).slice(0, 3), (await ask("/readyz")).slice(0, 3)];
    return { ...all, ask, probes };
  }

  it("healthy and not ready while caches sync; ready when they have", async () => {
    const { run, cluster, api, clock, probes, ask } = rig();
    cluster.informers.acquire(ConfigMap);
    api.fault(() => "hang");
    await run();
    expect(await probes()).toEqual(["200", "500"]);
    expect(await ask("/readyz/informers")).toMatch(/configmaps.* has not synced/);
    expect(await ask("/readyz/manager")).toMatch(/has not started everything yet/);
    await clock.advance(60_000);
    expect(await probes()).toEqual(["200", "200"]);
  });

  it("not ready when a watch has silently died (§9.6)", async () => {
    const { run, cluster, api, clock, probes } = rig();
    cluster.informers.acquire(ConfigMap);
    await run();
    api.fault(() => "hang", { times: Infinity });
    api.halfOpen();
    await clock.advance(301_000);
    expect(await probes()).toEqual(["200", "500"]);
    api.repair();
    await clock.advance(300_000);
    expect(await probes()).toEqual(["200", "200"]);
  });

  it("not ready without a known leader; ready as a candidate that sees a leader, and as leader", async () => {
    const { run, leases, network, clock, probes, ask } = rig({ leaderElection: true });
    network.leases = down;
    await run();
    expect([await probes(), await ask("/readyz/leader-election")]).toEqual([
      ["200", "500"],
      "500 internal server error: no replica is known to hold lease shop/web\n",
    ]);
    network.leases = leases.transport;
    leases.put(theirs);
    await clock.advance(5000);
    expect(await probes()).toEqual(["200", "200"]);
    await clock.advance(30_000);
    expect([await probes(), leases.lease?.spec?.holderIdentity]).toEqual([["200", "200"], "me"]);
  });

  it("not healthy when work continues whose lease expired long ago", async () => {
    const { run, manager, network, clock, probes } = rig({ leaderElection: { onLostLease: "standAgain", healthToleranceMs: 20_000 } });
    manager.add({ name: "stuck", runsAgain: true, run: never });
    await run();
    network.leases = down;
    await clock.advance(34_000);
    expect((await probes())[0]).toBe("200");
    await clock.advance(2000);
    expect((await probes())[0]).toBe("500");
  });

  it("not ready while stopping", async () => {
    const { run, manager, runnable, stop, clock, probes, ask } = rig();
    manager.add(runnable("slow", { endsAfterMs: 1000 }));
    await run();
    stop.abort();
    await clock.settle();
    expect([await probes(), await ask("/readyz/manager")]).toEqual([
      ["200", "500"],
      "500 internal server error: the manager is stopping\n",
    ]);
    await clock.advance(1000);
    expect(await ask("/readyz")).toBe("connection refused");
  });
});
