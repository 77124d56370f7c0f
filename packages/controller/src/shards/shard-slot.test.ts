import { createClient } from "@drover/client";
import { testRuntime } from "@drover/machinery/testing";
import { describe, expect, it } from "vitest";
import { holderOf } from "../leader/lease-record.ts";
import { LeaseServer } from "../leader/testing/lease-server.ts";
import { untilAborted } from "../sources/until-aborted.ts";
import { ShardSlot } from "./shard-slot.ts";

function rig() {
  const runtime = testRuntime();
  const { clock, log } = runtime;
  const server = new LeaseServer();
  const events: string[] = [];
  const network = { isCut: false };
  const slot = new ShardSlot({
    elector: {
      runtime,
      client: createClient({
        transport: (request) => (network.isCut ? new Promise(() => undefined) : server.transport(request)),
        clock,
        log,
        namespace: "shop",
      }),
      lease: { namespace: "shop", name: "web" },
      identity: "me",
    },
    log,
    drainMs: () => 1000,
    mayRelease: () => true,
    onChange: () => undefined,
    work: async (signal) => {
      events.push("works");
      await untilAborted(signal);
      events.push("ends");
      return true;
    },
  });
  return { clock, server, events, network, slot };
}

describe("ShardSlot", () => {
  it("works while it holds the lease, and releases it on stop", async () => {
    const { clock, server, events, slot } = rig();
    slot.start();
    await clock.settle();
    expect([slot.isRunning, events, holderOf(server.lease)]).toEqual([true, ["works"], "me"]);
    await slot.stop(new Error("enough"));
    expect([slot.isRunning, events, holderOf(server.lease)]).toEqual([false, ["works", "ends"], ""]);
  });

  it("does not compete again after a loss until it is started again", async () => {
    const { clock, events, network, slot } = rig();
    slot.start();
    await clock.settle();
    network.isCut = true;
    await clock.advance(30_000);
    network.isCut = false;
    await clock.advance(30_000);
    expect([slot.isRunning, events]).toEqual([false, ["works", "ends"]]);
    slot.start();
    await clock.advance(20_000);
    expect(events).toEqual(["works", "ends", "works"]);
  });

  it("sees through others' eyes when the lease becomes free", async () => {
    const { clock, server, slot } = rig();
    const time = "2026-01-01T00:00:00.000000Z";
    server.put({ holderIdentity: "other", leaseDurationSeconds: 15, acquireTime: time, renewTime: time, leaseTransitions: 0 });
    slot.elector.observe(server.lease);
    const takeableMs = slot.elector.takeableMs;
    expect(takeableMs).toBe(clock.monotonic() + 15_000);
    await clock.advance(15_000);
    slot.elector.observe(server.lease);
    slot.start();
    await clock.settle();
    expect([slot.elector.takeableMs, slot.elector.isLeader]).toEqual([expect.any(Number), true]);
  });
});
