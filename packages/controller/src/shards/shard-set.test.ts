import { createClient } from "@drover/client";
import { statusResponse } from "@drover/client/testing";
import { newForbidden } from "@drover/machinery";
import type { Transport } from "@drover/machinery";
import { ManualClock, testRuntime } from "@drover/machinery/testing";
import { describe, expect, it } from "vitest";
import { holderOf } from "../leader/lease-record.ts";
import { ShardSet } from "./shard-set.ts";
import { ShardServer } from "./testing/shard-server.ts";

interface RigOptions {
  readonly identity: string;
  readonly count?: number;
  readonly transport?: Transport;
  readonly released?: (shard: number) => Promise<boolean>;
}

function rig() {
  const clock = new ManualClock();
  const server = new ShardServer();
  const events: string[] = [];
  const replica = ({ identity, count = 4, transport = server.transport, released = () => Promise.resolve(true) }: RigOptions) => {
    const runtime = testRuntime({ clock });
    const shards = new ShardSet({
      runtime,
      client: createClient({ transport, clock, log: runtime.log, namespace: "shop" }),
      namespace: "shop",
      name: "web",
      identity,
      layout: { count, by: "hash" },
      drainMs: () => 10_000,
      mayRelease: () => true,
    });
    shards.add({
      acquired: (shard) => void events.push(`${identity} +${shard}`),
      released: (shard) => {
        events.push(`${identity} -${shard}`);
        return released(shard);
      },
    });
    const stop = new AbortController();
    const over = shards.run(stop.signal);
    return { runtime, shards, stop, over, held: () => shards.state().held };
  };
  return { clock, server, events, replica };
}

describe("ShardSet", () => {
  it("takes all shards if it is alone, and says so in its state and its leases", async () => {
    const { clock, server, replica } = rig();
    const { shards } = replica({ identity: "a" });
    await clock.advance(1000);
    expect(shards.state()).toMatchObject({ layout: "4-by-hash", held: [0, 1, 2, 3], wanted: [0, 1, 2, 3] });
    expect(holderOf(server.leases.get("web-shard-2-of-4"))).toBe("a");
    expect(server.leases.get("web-shard-2-of-4")?.metadata.labels).toEqual({
      "drover.dev/shards": "web",
      "drover.dev/shard-layout": "4-by-hash",
      "drover.dev/shard-role": "shard",
    });
  });

  it("shares with a replica that joins, moves only half, and takes everything back when that stops", async () => {
    const { clock, events, replica } = rig();
    const a = replica({ identity: "a" });
    await clock.advance(1000);
    const b = replica({ identity: "b" });
    await clock.advance(5000);
    expect([a.held().length, b.held().length]).toEqual([2, 2]);
    expect(events.filter((event) => event.startsWith("a -")).length).toBe(2);
    b.stop.abort();
    await clock.advance(3000);
    expect(a.held()).toEqual([0, 1, 2, 3]);
    await b.over;
  });

  it("releases the lease of a shard only after its work has ended", async () => {
    const { clock, server, replica } = rig();
    let end: (isClean: boolean) => void = () => undefined;
    const a = replica({ identity: "a", count: 1, released: () => new Promise((resolve) => (end = resolve)) });
    await clock.advance(1000);
    a.stop.abort();
    await clock.advance(5000);
    expect([a.held(), a.shards.fenceOf(0).isOpen, holderOf(server.leases.get("web-shard-0-of-1"))]).toEqual([[], true, "a"]);
    end(true);
    await clock.settle();
    expect([a.shards.fenceOf(0).isOpen, holderOf(server.leases.get("web-shard-0-of-1"))]).toEqual([false, ""]);
  });

  it("leaves the lease to expire if work was abandoned", async () => {
    const { clock, server, replica } = rig();
    const a = replica({ identity: "a", count: 1, released: () => Promise.resolve(false) });
    await clock.advance(1000);
    a.stop.abort();
    await clock.settle();
    await a.over;
    expect(holderOf(server.leases.get("web-shard-0-of-1"))).toBe("a");
  });

  it("takes the shards of a replica that vanished when its leases have expired, not earlier", async () => {
    const { clock, replica, server } = rig();
    let isCut = false;
    const a = replica({ identity: "a", transport: (request) => (isCut ? new Promise(() => undefined) : server.transport(request)) });
    const b = replica({ identity: "b" });
    await clock.advance(6000);
    expect([a.held().length, b.held().length]).toEqual([2, 2]);
    isCut = true;
    await clock.advance(12_900);
    expect([a.held().length, b.held().length]).toEqual([0, 2]);
    await clock.advance(3200);
    expect(b.held()).toEqual([0, 1, 2, 3]);
  });

  it("waits while replicas with another number of shards are alive, and takes over when they have stopped", async () => {
    const { clock, replica } = rig();
    const a = replica({ identity: "a", count: 4 });
    await clock.advance(1000);
    const b = replica({ identity: "b", count: 8 });
    await clock.advance(60_000);
    expect([b.held(), b.shards.state().blockedBy, a.held().length]).toEqual([[], "web-shard-0-of-4", 4]);
    expect(b.runtime.log.entries.filter(({ message }) => message.startsWith("replicas with another")).length).toBe(1);
    a.stop.abort();
    await clock.advance(3000);
    expect(b.held().length).toBe(8);
  });

  it("deletes the leases of replicas that are gone for long", async () => {
    const { clock, replica, server } = rig();
    const a = replica({ identity: "a" });
    const b = replica({ identity: "b" });
    await clock.advance(5000);
    b.stop.abort();
    await clock.advance(160_000);
    expect([...server.leases.keys()].filter((name) => name.includes("member")).length).toBe(1);
    expect(a.held().length).toBe(4);
  });

  it("logs once that it may not list leases, and holds nothing", async () => {
    const { clock, replica, server } = rig();
    const forbidden = statusResponse(newForbidden({ group: "coordination.k8s.io", resource: "leases" }, "", "no"));
    const a = replica({
      identity: "a",
      transport: (request) => (request.path.includes("labelSelector") ? Promise.resolve(forbidden) : server.transport(request)),
    });
    await clock.advance(30_000);
    expect([a.held(), a.shards.hasListed]).toEqual([[], false]);
    expect(a.runtime.log.entries.filter(({ level }) => level === "warn").length).toBe(1);
  });

  it("rejects a shard that does not exist", async () => {
    const { replica } = rig();
    expect(() => replica({ identity: "a" }).shards.fenceOf(4)).toThrow("there is no shard 4: this program has 4 shards");
  });
});
