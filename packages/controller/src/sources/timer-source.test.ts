import { objectKey } from "@drover/machinery";
import type { ObjectKey } from "@drover/machinery";
import { testRuntime } from "@drover/machinery/testing";
import { describe, expect, it } from "vitest";
import { lowPriority } from "../handlers/request.ts";
import { sliceLength } from "./slices.ts";
import { watchSource } from "./testing/source-rig.ts";
import { timerSource } from "./timer-source.ts";

const [a, b] = [objectKey("a"), objectKey("b")];

describe("timerSource", () => {
  it("requests its keys once per period, has synced immediately, and names the timer as cause", async () => {
    const runtime = testRuntime();
    let keys: readonly ObjectKey[] = [a];
    let asked = 0;
    const source = timerSource({
      runtime,
      every: "30s",
      jitter: 0,
      keys: () => {
        asked++;
        return keys;
      },
    });
    const life = watchSource(source, runtime.clock);
    await runtime.clock.advance(29_999);
    expect([source.name, life.keys, life.state.synced]).toEqual(["every 30s", [], 1]);
    await runtime.clock.advance(1);
    expect(life.requests).toEqual([{ key: a, priority: lowPriority, cause: { type: "timer", source: "every 30s" } }]);
    keys = [a, b];
    await runtime.clock.advance(30_000);
    expect(life.keys).toEqual([a, a, b]);
    await life.stop();
    await runtime.clock.advance(60_000);
    expect([life.keys.length, asked, runtime.clock.pending]).toEqual([3, 2, []]);
    const again = watchSource(source, runtime.clock);
    await runtime.clock.advance(30_000);
    expect(again.keys).toEqual([a, b]);
  });

  it("can tick at the start, with its own priority and name; requests its first keys before it has synced", async () => {
    const runtime = testRuntime();
    const source = timerSource({ runtime, every: 1000, keys: () => [a], immediate: true, priority: 5, name: "heartbeat" });
    const order: string[] = [];
    const stop = new AbortController();
    const over = source.run(
      {
        request: (key, { priority = 0 }) => {
          order.push(`${key} ${priority}`);
        },
        synced: () => {
          order.push("synced");
        },
        waitingFor: () => undefined,
      },
      stop.signal,
    );
    await runtime.clock.settle();
    expect([source.name, order]).toEqual(["heartbeat", ["a 5", "synced"]]);
    stop.abort();
    await over;
  });

  it("extends each period by its jitter at most, and keeps the average", async () => {
    const runtime = testRuntime({ seed: 3 });
    const times: number[] = [];
    watchSource(
      timerSource({
        runtime,
        every: 1000,
        jitter: 0.5,
        keys: () => {
          times.push(runtime.clock.monotonic());
          return [];
        },
      }),
      runtime.clock,
    );
    await runtime.clock.advance(1_000_000);
    const gaps = times.map((time, index) => time - (times[index - 1] ?? 0));
    expect([Math.min(...gaps) >= 1000, Math.max(...gaps) < 1501, new Set(gaps).size > 100]).toEqual([true, true, true]);
    expect(times.length).toBeGreaterThan(750);
  });

  it("does not catch up on ticks missed while the machine slept", async () => {
    const runtime = testRuntime();
    let skippedMs = 0;
    const clock = {
      now: () => runtime.clock.now(),
      monotonic: () => runtime.clock.monotonic() + skippedMs,
      timer: (delayMs: number, callback: () => void) => runtime.clock.timer(delayMs, callback),
    };
    const life = watchSource(timerSource({ runtime: { ...runtime, clock }, every: 1000, jitter: 0, keys: () => [a] }), runtime.clock);
    await runtime.clock.advance(500);
    skippedMs = 3_600_000;
    await runtime.clock.advance(500);
    await runtime.clock.advance(10);
    expect(life.keys.length).toBeLessThanOrEqual(2);
    await runtime.clock.advance(10_000);
    expect(life.keys.length).toBeLessThanOrEqual(12);
  });

  it("logs errors of keys, and calls it again on the next tick", async () => {
    const runtime = testRuntime();
    let isBroken = true;
    const life = watchSource(
      timerSource({
        runtime,
        every: 1000,
        jitter: 0,
        keys: () => {
          if (isBroken) throw new Error("not ready");
          return [a];
        },
      }),
      runtime.clock,
    );
    await runtime.clock.advance(1000);
    expect(runtime.log.entries).toMatchObject([{ level: "error", fields: { source: "every 1s", error: new Error("not ready") } }]);
    isBroken = false;
    await runtime.clock.advance(1000);
    expect(life.keys).toEqual([a]);
  });

  it("requests very many keys in slices, and none after the stop", async () => {
    const runtime = testRuntime();
    const keys = Array.from({ length: 5 * sliceLength }, (_, index) => objectKey(`k${index}`));
    const life = watchSource(timerSource({ runtime, every: 1000, jitter: 0, keys: () => keys }), runtime.clock);
    const seen: number[] = [];
    runtime.clock.timer(1000, () => runtime.clock.timer(0, () => seen.push(life.keys.length)));
    await runtime.clock.advance(1000);
    expect([life.keys.length, seen.every((count) => count < keys.length)]).toEqual([keys.length, true]);
  });

  it("rejects an invalid period", () => {
    const runtime = testRuntime();
    for (const every of [0, -1, Number.NaN, Infinity, "0s"])
      expect(() => timerSource({ runtime, every, keys: () => [] })).toThrow(RangeError);
    expect(() => timerSource({ runtime, every: "soon", keys: () => [] })).toThrow();
  });
});
