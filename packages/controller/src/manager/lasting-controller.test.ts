import { ConfigMap } from "@drover/api/core/v1";
import { objectKey } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { holderOf } from "../leader/lease-record.ts";
import { done } from "../reconcile/result.ts";
import type { ReconcileContext } from "../reconcile/reconciler.ts";
import { kindSource } from "../sources/kind-source.ts";
import { down, managerRig } from "./testing/manager-rig.ts";

describe("LastingController", () => {
  function rig() {
    const all = managerRig({ leaderElection: { onLostLease: "standAgain" } });
    const { manager, cluster, api } = all;
    const runs: ReconcileContext[] = [];
    const controller = manager.controller({
      name: "web",
      reconcile: (context) => {
        runs.push(context);
        return done;
      },
    });
    const watch = controller.watch(kindSource(ConfigMap, { cluster }));
    for (const name of ["a", "b"]) api.put({ metadata: { namespace: "shop", name } });
    return {
      ...all,
      controller,
      watch,
      runs,
      keys: () =>
        runs
          .splice(0)
          .map(({ key }) => key)
          .toSorted(),
    };
  }

  it("continues in the next term with all its sources, from warm caches, without a new list (D8)", async () => {
    const { run, clock, api, leases, network, keys, watch, controller, outcome, stop, manager, events } = rig();
    await run();
    await clock.advance(1000);
    expect(keys()).toEqual(["shop/a", "shop/b"]);
    network.leases = down;
    await clock.advance(30_000);
    expect([manager.state().election?.isLeader, watch.isSynced, controller.state().phase]).toEqual([false, true, "idle"]);
    api.put({ metadata: { namespace: "shop", name: "c" } });
    await clock.advance(1000);
    expect(keys()).toEqual([]);
    network.leases = leases.transport;
    await clock.advance(30_000);
    expect(keys()).toEqual(["shop/a", "shop/b", "shop/c"]);
    expect([api.count("list"), api.count("watch"), controller.state().phase]).toEqual([0, 1, "running"]);
    stop.abort();
    await clock.advance(1000);
    expect([outcome.run, holderOf(leases.lease), events]).toEqual(["over", "", []]);
  });

  it("keeps its number of workers, and drops sources that were stopped", async () => {
    const { run, clock, leases, network, keys, watch, controller } = rig();
    controller.setWorkers(3);
    await run();
    await watch.stop();
    network.leases = down;
    await clock.advance(30_000);
    keys();
    controller.enqueue(objectKey("x", "shop"));
    expect(controller.inspect(objectKey("x", "shop"))).toMatchObject({ state: "ready" });
    expect([controller.inspectAll().length, controller.unpark(objectKey("x", "shop")), controller.name, controller.needs]).toEqual([
      1,
      false,
      "web",
      [],
    ]);
    network.leases = leases.transport;
    await clock.advance(30_000);
    expect([keys(), controller.state().workers, controller.state().watches]).toEqual([["shop/x"], 3, []]);
  });

  it("rejects writes of a run from a term that has ended", async () => {
    const { run, clock, network, runs } = rig();
    await run();
    await clock.advance(1000);
    network.leases = down;
    await clock.advance(30_000);
    await expect(runs[0]?.client.create(ConfigMap, { metadata: { name: "x" } })).rejects.toThrow();
  });
});
