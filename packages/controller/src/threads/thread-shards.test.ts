import { objectKey } from "@drover/machinery";
import type { HttpResponse } from "@drover/machinery";
import { ManualClock } from "@drover/machinery/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isFencedError } from "../leader/fenced-error.ts";
import { threadOf } from "../shards/shard-layout.ts";
import { ThreadShards } from "./thread-shards.ts";

const forever = { transitions: 0, until: { monotonicMs: Infinity, wallMs: Infinity } };
const seat = { layout: { count: 4, by: "hash" as const }, leases: ["shop/a", "shop/b", "shop/c", "shop/d"], leaseDurationMs: 15_000 };
const response: HttpResponse = { status: 200, headers: {}, body: "{}" };

describe("ThreadShards", () => {
  it("gives every key of a held shard to exactly one thread, and keys of other shards to none", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 2, max: 9 }),
        fc.integer({ min: 1, max: 40 }),
        fc.constantFrom("hash" as const, "namespace" as const),
        fc.array(fc.tuple(fc.string({ minLength: 1 }), fc.string({ minLength: 1 })), { minLength: 1 }),
        (threads, count, by, pairs) => {
          const layout = { count, by };
          const all = Array.from(
            { length: threads },
            (_, index) => new ThreadShards({ ...seat, layout, thread: index + 1, threads }, new ManualClock()),
          );
          for (const shards of all) for (let shard = 0; shard < count; shard += 2) shards.acquired(shard, forever);
          for (const [namespace, name] of pairs) {
            const key = objectKey(name, namespace);
            const holders = all.flatMap((shards, index) => (shards.holds(shards.shardOf(key)) ? [index] : []));
            const isHeld = Math.floor((all[0]?.shardOf(key) ?? 0) / threads) % 2 === 0;
            expect(holders).toEqual(isHeld ? [threadOf(key, layout, threads)] : []);
          }
        },
      ),
    );
  });

  it("splits the keys of one shard about evenly", () => {
    const counts = [0, 0, 0];
    for (let n = 0; n < 3000; n++) {
      const thread = threadOf(objectKey(`map-${n}`, "shop"), { by: "hash" }, 3);
      counts[thread] = (counts[thread] ?? 0) + 1;
    }
    for (const count of counts) expect(Math.abs(count - 1000)).toBeLessThan(120);
  });

  it("tells its workers about its own part of a shard, and waits for them and for their writes", async () => {
    const clock = new ManualClock();
    const shards = new ThreadShards({ ...seat, thread: 2, threads: 2 }, clock);
    const told: unknown[] = [];
    let end: (isEnded: boolean) => void = () => undefined;
    shards.add({
      acquired: (shard) => void told.push(shard),
      released: (shard) => {
        told.push(-shard);
        return new Promise((resolve) => (end = resolve));
      },
    });
    shards.acquired(3, forever);
    expect([told, shards.holds(7), shards.holds(6), shards.state().held]).toEqual([[7], true, false, [7]]);
    let answer: (answer: HttpResponse) => void = () => undefined;
    const sent = shards.fenceOf(7).wrapper(() => new Promise((resolve) => (answer = resolve)))({ method: "POST", path: "/", headers: {} });
    let isClean: boolean | undefined;
    void shards.released(3, new Error("moves"), { isLost: false }).then((clean) => (isClean = clean));
    end(true);
    await clock.advance(1000);
    expect([told, shards.holds(7), isClean]).toEqual([[7, -7], false, undefined]);
    answer(response);
    await clock.advance(1);
    expect([(await sent).status, isClean, shards.fenceOf(7).isOpen]).toEqual([200, true, false]);
  });

  it("does not call a shard clean while a write without response may still reach the server", async () => {
    const clock = new ManualClock();
    const shards = new ThreadShards({ ...seat, thread: 1, threads: 2 }, clock);
    shards.acquired(0, forever);
    const fence = shards.fenceOf(0);
    const write = fence
      .wrapper(() => new Promise(() => undefined))({ method: "POST", path: "/", headers: {} })
      .catch((error: unknown) => error);
    const clean = shards.released(0, new Error("lost"), { isLost: true });
    await clock.advance(6000);
    expect([await clean, (await write) instanceof Error, fence.lease]).toEqual([false, true, "shop/a"]);
    const late = fence.wrapper(() => Promise.resolve(response))({ method: "POST", path: "/", headers: {} });
    await expect(late).rejects.toSatisfy(isFencedError);
  });
});
