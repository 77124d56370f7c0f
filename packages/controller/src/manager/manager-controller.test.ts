import { ConfigMap, Secret } from "@drover/api/core/v1";
import { jsonResponse } from "@drover/client/testing";
import { objectKey, prometheusText, sleep } from "@drover/machinery";
import type { Transport } from "@drover/machinery";
import { ManualClock } from "@drover/machinery/testing";
import { describe, expect, it } from "vitest";
import { createEventBroadcaster } from "../events/event-broadcaster.ts";
import { isFenced } from "../leader/fenced-error.ts";
import { eventNeed } from "../permissions/permission-need.ts";
import { done } from "../reconcile/result.ts";
import type { ReconcileContext } from "../reconcile/reconciler.ts";
import { kindSource } from "../sources/kind-source.ts";
import { untilAborted } from "../sources/until-aborted.ts";
import type { RunStart, Tape } from "../tape/tape.ts";
import { down, managerRig, rigCluster } from "./testing/manager-rig.ts";

describe("Manager.controller", () => {
  it("uses the manager's cluster, tape and fence, and is warm before it leads", async () => {
    const begun: RunStart[] = [];
    const tape: Tape = { begin: (start) => ({ call: () => undefined, end: () => void begun.push(start) }), runs: () => [] };
    const { manager, run, clock, cluster, api, leases } = managerRig({ leaderElection: true, tape });
    leases.put({ holderIdentity: "other", leaseDurationSeconds: 15, renewTime: "2026-01-01T00:00:00.000000Z", leaseTransitions: 1 });
    const controller = manager.controller({ name: "web", reconcile: () => done });
    const watch = controller.watch(kindSource(ConfigMap, { cluster }));
    api.put({ metadata: { namespace: "shop", name: "a" } });
    await run();
    await clock.advance(1000);
    expect([watch.isSynced, controller.state(), begun]).toEqual([true, expect.objectContaining({ phase: "idle", ready: 1 }), []]);
    await clock.advance(30_000);
    expect(begun).toMatchObject([{ controller: "web", key: "shop/a" }]);
    expect(manager.state().controllers).toMatchObject([{ name: "web", phase: "running" }]);
    expect(manager.tape).toBe(tape);
  });

  it("drains, with writes that arrive, before the lease is released (§9.33)", async () => {
    const { manager, run, clock, leases, network, stop, outcome } = managerRig({ leaderElection: true });
    const writes: string[] = [];
    network.transport = ({ method, path }) => {
      if (method === "POST" && path.endsWith("configmaps")) writes.push(String(leases.lease?.spec?.holderIdentity));
      return Promise.resolve(
        jsonResponse(
          {
            apiVersion: "v1",
            kind: "ConfigMap",
            metadata: { name: "x", namespace: "shop", uid: "u", resourceVersion: "7" },
            status: { allowed: true },
          },
          { status: 201 },
        ),
      );
    };
    const controller = manager.controller({
      name: "web",
      reconcile: async ({ client, signal }) => {
        await sleep(clock, 10_000, { signal });
        await client.create(ConfigMap, { metadata: { name: "x" } });
        return done;
      },
    });
    controller.enqueue(objectKey("a", "shop"));
    await run();
    stop.abort();
    await clock.advance(9999);
    expect([writes, outcome.run]).toEqual([[], "running"]);
    await clock.advance(2000);
    expect([writes, outcome.run, leases.lease?.spec?.holderIdentity ?? ""]).toEqual([["me"], "over", ""]);
  });

  it("can be removed and created again while everything else runs, with its caches", async () => {
    const { manager, run, clock, cluster, api } = managerRig({ leaderElection: true });
    api.put({ metadata: { namespace: "shop", name: "a" } });
    await run();
    const keys: string[] = [];
    for (let round = 0; round < 3; round++) {
      const controller = manager.controller({
        name: "web",
        reconcile: ({ key }) => {
          keys.push(key);
          return done;
        },
      });
      controller.watch(kindSource(ConfigMap, { cluster }));
      await clock.advance(1000);
      expect([keys.splice(0), cluster.informers.state().length, controller.state().phase]).toEqual([["shop/a"], 1, "running"]);
      await manager.remove("web");
      await clock.settle();
      expect([cluster.informers.state(), manager.state().controllers, controller.state().phase]).toEqual([[], [], "ended"]);
    }
  });

  it("can record events until it ends, if their broadcaster is added as a server", async () => {
    const { manager, run, clock, stop, outcome, cluster, network, runtime } = managerRig();
    const written: unknown[] = [];
    const { transport } = network;
    network.transport = (request) => {
      if (!request.path.includes("/events")) return transport(request);
      const event = JSON.parse(request.body as string) as { note: string; metadata: object };
      written.push(event.note);
      return Promise.resolve(jsonResponse({ ...event, metadata: { ...event.metadata, uid: "u", resourceVersion: "1" } }, { status: 201 }));
    };
    const broadcaster = createEventBroadcaster({ ...runtime, client: cluster.client });
    const recorder = broadcaster.recorder({ controller: "example.com/web", instance: "web-0" });
    manager.add({ name: "events", group: "server", needs: [eventNeed], run: (signal) => broadcaster.run(signal) });
    manager
      .controller({
        name: "web",
        reconcile: async ({ draining }) => {
          await untilAborted(draining);
          recorder.eventf({
            regarding: { apiVersion: "v1", kind: "ConfigMap", metadata: { namespace: "shop", name: "a" } },
            type: "Normal",
            reason: "Stopping",
            action: "Stop",
            note: "goodbye",
          });
          return done;
        },
      })
      .enqueue(objectKey("a", "shop"));
    await run();
    stop.abort();
    await clock.advance(10_000);
    expect([written, outcome.run]).toEqual([["goodbye"], "over"]);
  });

  it("drains for zero or infinite time, as the manager's graceMs says", async () => {
    for (const graceMs of [0, Infinity]) {
      const { manager, run, clock, stop, outcome } = managerRig({ graceMs });
      const controller = manager.controller({
        name: "web",
        reconcile: async () => {
          await sleep(clock, 3_600_000);
          return done;
        },
      });
      controller.enqueue(objectKey("a", "shop"));
      await run();
      stop.abort();
      await clock.advance(1000);
      expect(outcome.run).toBe(graceMs === 0 ? "over" : "running");
      await clock.advance(3_600_000);
      expect(outcome.run).toBe("over");
    }
  });

  it("aborts its runs within the grace period, so that they can still end in time (§9.33)", async () => {
    const { manager, run, clock, stop, outcome } = managerRig({ graceMs: 10_000 });
    const reasons: unknown[] = [];
    const controller = manager.controller({
      name: "web",
      reconcile: async ({ signal }) => {
        await sleep(clock, Infinity, { signal }).catch((error: unknown) => reasons.push(error));
        return done;
      },
    });
    controller.enqueue(objectKey("a", "shop"));
    await run();
    stop.abort();
    await clock.advance(7999);
    expect(reasons).toEqual([]);
    await clock.advance(1);
    expect([reasons.length, outcome.run]).toEqual([1, "over"]);
  });

  it("is aborted immediately when the lease is lost, and writes nothing afterwards (§9.26)", async () => {
    const { manager, run, clock, outcome, network } = managerRig({ leaderElection: true });
    const contexts: ReconcileContext[] = [];
    const sent: string[] = [];
    const { transport } = network;
    network.transport = (request) => {
      if (request.path.endsWith("configmaps") && request.method === "POST") sent.push(request.path);
      return transport(request);
    };
    const controller = manager.controller({
      name: "web",
      reconcile: async (context) => {
        contexts.push(context);
        await sleep(clock, Infinity, { signal: context.signal });
        return done;
      },
    });
    controller.enqueue(objectKey("a", "shop"));
    await run();
    network.leases = down;
    await clock.advance(10_001);
    expect(outcome.run).toMatchObject({ name: "LeaderElectionLostError" });
    expect(isFenced(contexts[0]?.signal.reason)).toBe(true);
    await expect(contexts[0]?.client.create(ConfigMap, { metadata: { name: "x" } })).rejects.toThrow();
    expect(sent).toEqual([]);
  });

  it("may have the same name in two managers, and on two clusters of one", async () => {
    const clock = new ManualClock();
    const [one, two] = [managerRig({ clock }), managerRig({ clock })];
    const second = rigCluster(one.runtime, { name: "second", transport: two.network.transport });
    one.manager.addCluster(second);
    const seen: string[] = [];
    const reconcile =
      (where: string) =>
      ({ key }: ReconcileContext) => {
        seen.push(`${where} ${key}`);
        return done;
      };
    one.manager.controller({ name: "web", reconcile: reconcile("one") }).watch(kindSource(ConfigMap, { cluster: one.cluster }));
    one.manager
      .controller({ name: "web of second", cluster: second, reconcile: reconcile("second") })
      .watch(kindSource(ConfigMap, { cluster: second }));
    two.manager.controller({ name: "web", reconcile: reconcile("two") }).watch(kindSource(ConfigMap, { cluster: two.cluster }));
    one.api.put({ metadata: { namespace: "shop", name: "in-one" } });
    two.api.put({ metadata: { namespace: "shop", name: "in-two" } });
    await Promise.all([one.run(), two.run()]);
    await clock.advance(1000);
    expect(seen.toSorted()).toEqual(["one shop/in-one", "second shop/in-two", "two shop/in-two"]);
    expect(prometheusText(two.runtime.metrics)).not.toContain("web of second");
    expect(() => one.manager.controller({ name: "web", reconcile: () => done })).toThrow("already has a runnable of that name");
  });
});

describe("Manager permission check", () => {
  const denied = (network: { transport: Transport }, asked: string[]): void => {
    const { transport } = network;
    network.transport = (request) => {
      if (!request.path.includes("selfsubject")) return transport(request);
      const body = JSON.parse(request.body as string) as {
        spec?: { resourceAttributes?: { verb: string; resource: string; namespace?: string } };
      };
      const { verb, resource, namespace = "*" } = body.spec?.resourceAttributes ?? { verb: "", resource: "" };
      if (verb !== "") asked.push(`${verb} ${resource} ${namespace}`);
      return Promise.resolve(
        jsonResponse({ ...body, status: { allowed: verb !== "watch", userInfo: { username: "jane" } } }, { status: 201 }),
      );
    };
  };

  it("ends run before a controller starts, with the YAML that grants what is missing", async () => {
    const { manager, run, network, cluster, outcome, runnable, events } = managerRig({ leaderElection: true });
    const asked: string[] = [];
    denied(network, asked);
    const controller = manager.controller({
      name: "web",
      reconcile: () => done,
      writes: [{ group: "", resource: "pods", verbs: ["create"], namespace: "shop" }],
    });
    controller.watch(kindSource(ConfigMap, { cluster }));
    manager.add(runnable("server", { group: "server", needs: [{ group: "", resource: "secrets", verbs: ["get"] }] }));
    await run();
    expect(outcome.run).toMatchObject({ name: "MissingPermissionsError", missing: [{ resource: "configmaps", verbs: ["watch"] }] });
    expect(outcome.run).toMatchObject({
      yaml: expect.stringMatching(/kind: ClusterRole\nmetadata:\n {2}name: web\n[^]*- watch\n[^]*kind: User\n {2}name: jane/) as string,
    });
    expect(asked.toSorted()).toEqual([
      "create leases shop",
      "create pods shop",
      "get leases shop",
      "get secrets *",
      "list configmaps *",
      "update leases shop",
      "watch configmaps *",
    ]);
    expect(events).toEqual(["server starts", "server ends"]);
  });

  it('is skipped with permissions: "off"', async () => {
    const { manager, run, network, cluster, outcome } = managerRig({ permissions: "off" });
    const asked: string[] = [];
    denied(network, asked);
    manager.controller({ name: "web", reconcile: () => done }).watch(kindSource(ConfigMap, { cluster }));
    await run();
    expect([outcome.run, asked]).toEqual(["running", []]);
  });

  it("asks the cluster that a need is about", async () => {
    const { manager, run, network, runtime, outcome, cluster: near } = managerRig();
    const here: string[] = [];
    const { transport } = network;
    denied(network, here);
    const cluster = rigCluster(runtime, { name: "far", transport });
    manager.addCluster(cluster);
    manager
      .controller({ name: "web", reconcile: () => done, writes: [{ group: "", resource: "pods", verbs: ["create"] }] })
      .watch(kindSource(ConfigMap, { cluster }));
    const back = manager.controller({
      name: "back",
      cluster,
      reconcile: () => done,
      writes: [{ group: "", resource: "nodes", verbs: ["create"] }],
    });
    back.watch(kindSource(Secret, { cluster: near, request: { namespace: "shop" } }));
    await run();
    expect(here.toSorted()).toEqual(["create pods *", "list secrets shop", "watch secrets shop"]);
    expect(outcome.run).toMatchObject({ name: "MissingPermissionsError", missing: [{ resource: "secrets", verbs: ["watch"] }] });
  });

  it("names the cluster in the error, also if the controller works in another", async () => {
    const { manager, run, network, runtime, outcome } = managerRig();
    const there: string[] = [];
    const far = { transport: network.transport };
    denied(far, there);
    const cluster = rigCluster(runtime, { name: "far", transport: (request) => far.transport(request) });
    manager.addCluster(cluster);
    manager.controller({ name: "web", reconcile: () => done }).watch(kindSource(ConfigMap, { cluster }));
    manager.controller({ name: "back", cluster, reconcile: () => done, writes: [{ group: "", resource: "nodes", verbs: ["create"] }] });
    await run();
    expect(there.toSorted()).toEqual(["create nodes *", "list configmaps *", "watch configmaps *"]);
    expect(outcome.run).toMatchObject({
      name: "MissingPermissionsError",
      message: expect.stringContaining("jane may not watch configmaps in all namespaces of cluster far.") as string,
    });
  });
});
