import { objectKey } from "@drover/machinery";
import type { ObjectKey } from "@drover/machinery";
import { ManualClock } from "@drover/machinery/testing";
import { describe, expect, it } from "vitest";
import { FencedError } from "../leader/fenced-error.ts";
import type { Shards } from "../shards/shards.ts";
import type { SourceSink } from "../sources/source.ts";
import { ShardGate } from "./shard-gate.ts";
import type { ShardRun } from "./shard-run.ts";

const keys = ["a-0", "b-1", "c-0", "d-1"].map((name) => objectKey(name));

function rig() {
  const clock = new ManualClock();
  const held = new Set<number>();
  const requested: string[] = [];
  const replays: (() => void)[] = [];
  const active = new Set<ShardRun>();
  const events: string[] = [];
  // The last character of a key is its shard.
  const shards: Shards = {
    layout: { count: 2, by: "hash" },
    shardOf: (key) => Number(key.at(-1)),
    holds: (shard) => held.has(shard),
    fenceOf: () => ({ lease: "", isOpen: true, token: undefined, wrapper: (next) => next }),
    state: () => ({ layout: "", held: [], wanted: [], members: [] }),
    add: () => void events.push("added"),
    remove: () => void events.push("removed"),
  };
  const gate = new ShardGate({
    controller: "web",
    shards,
    clock,
    drainMs: 5000,
    abortMs: 1000,
    active: () => active,
    request: (key, { cause }) => void requested.push(`${key}: ${cause.type === "enqueue" ? cause.note : cause.type}`),
    replay: (request: SourceSink["request"]) =>
      new Promise((resolve) => {
        for (const key of keys) request(key, { cause: { type: "timer", source: "x" } });
        replays.push(resolve);
      }),
    resume: () => undefined,
  });
  const run = (key: ObjectKey): ShardRun => {
    const started: ShardRun = {
      key,
      drain: () => void events.push(`drain ${key}`),
      abort: (reason) => void events.push(`abort ${key}: ${reason instanceof Error ? reason.name : "?"}`),
      abandon: () => void events.push(`abandon ${key}`),
    };
    active.add(started);
    return started;
  };
  const end = (ended: ShardRun): void => {
    active.delete(ended);
    gate.runEnded(ended.key);
  };
  return { clock, held, requested, replays, events, gate, run, end };
}

describe("ShardGate", () => {
  it("admits keys of held shards only", () => {
    const { gate, held } = rig();
    held.add(1);
    expect(keys.map((key) => gate.admits(key))).toEqual([false, true, false, true]);
  });

  it("requests the keys of acquired shards again, shards acquired together in one replay", async () => {
    const { clock, gate, held, requested, replays } = rig();
    held.add(0).add(1);
    gate.acquired(0);
    await clock.settle();
    expect(requested).toEqual(["a-0: shard 0 of 2 acquired", "c-0: shard 0 of 2 acquired"]);
    gate.acquired(1);
    gate.acquired(0);
    await clock.settle();
    expect(replays.length).toBe(1);
    replays[0]?.();
    await clock.settle();
    expect([replays.length, requested.length]).toEqual([2, 6]);
  });

  it("waits for the runs of a shard that moves, and not for others", async () => {
    const { clock, gate, events, run, end } = rig();
    const [mine] = [run(objectKey("a-0")), run(objectKey("b-1"))];
    let isOver: unknown;
    void gate.released(0, new Error("moved")).then((isClean) => (isOver = isClean));
    await clock.advance(4000);
    expect([isOver, events]).toEqual([undefined, ["added", "drain a-0"]]);
    end(mine);
    await clock.settle();
    expect([isOver, events.length]).toEqual([true, 2]);
  });

  it("aborts runs that take too long, then abandons them and says so", async () => {
    const { clock, gate, events, run } = rig();
    run(objectKey("a-0"));
    let isOver: unknown;
    void gate.released(0, new Error("moved")).then((isClean) => (isOver = isClean));
    await clock.advance(5999);
    expect([isOver, events.at(-1)]).toEqual([undefined, "abort a-0: TimeoutError"]);
    await clock.advance(1);
    expect([isOver, events.at(-1)]).toEqual([false, "abandon a-0"]);
  });

  it("aborts runs of a lost shard at once", () => {
    const { gate, events, run } = rig();
    run(objectKey("a-0"));
    void gate.released(0, new FencedError({ lease: "shop/web", sinceMs: 0, why: "gone" }));
    expect(events).toEqual(["added", "drain a-0", "abort a-0: FencedError"]);
  });
});
