import { objectKey } from "@drover/machinery";
import { ManualClock, testRuntime } from "@drover/machinery/testing";
import { createQueue } from "@drover/workqueue";
import { describe, expect, it } from "vitest";
import type { ExternalEvent } from "./external-event.ts";
import { iterableSource } from "./iterable-source.ts";
import { sliceLength } from "./slices.ts";
import { watchSource } from "./testing/source-rig.ts";

const event = (name: string, more: Omit<ExternalEvent, "key"> = {}): ExternalEvent => ({ key: objectKey(name), ...more });
async function* eventsOf(...events: readonly ExternalEvent[]): AsyncGenerator<ExternalEvent> {
  for (const one of events) yield await Promise.resolve(one);
}

describe("iterableSource", () => {
  it("requests the key of each event with its options, and stays idle when the events end", async () => {
    const runtime = testRuntime();
    const life = watchSource(
      iterableSource("orders", () => eventsOf(event("a", { note: "paid", priority: 3 }), event("b", { afterMs: 50 })), { runtime }),
      runtime.clock,
    );
    await runtime.clock.settle();
    expect(life.requests).toEqual([
      { key: "a", priority: 3, cause: { type: "external", source: "orders", note: "paid" } },
      { key: "b", afterMs: 50, cause: { type: "external", source: "orders" } },
    ]);
    await runtime.clock.advance(600_000);
    expect([life.state, life.requests.length, runtime.log.entries, runtime.clock.pending]).toEqual([
      { synced: 1, waitingFor: undefined },
      2,
      [],
      [],
    ]);
    await life.stop();
  });

  it("reopens its events after a failure, with growing delays that reset later", async () => {
    const runtime = testRuntime();
    const opened: number[] = [];
    const life = watchSource(
      iterableSource(
        "orders",
        async function* () {
          opened.push(runtime.clock.monotonic());
          yield await Promise.resolve(event(`a${opened.length}`));
          throw new Error("the line is dead");
        },
        { runtime, reopen: { duration: 1000, factor: 2, steps: 10, cap: 4000 } },
      ),
      runtime.clock,
    );
    await runtime.clock.settle();
    expect(life.state.waitingFor).toBe("its events failed: the line is dead");
    await runtime.clock.advance(12_000);
    expect([opened, life.keys]).toEqual([
      [0, 1000, 3000, 7000, 11_000],
      ["a1", "a2", "a3", "a4", "a5"],
    ]);
    expect(runtime.log.entries[0]).toMatchObject({
      level: "error",
      fields: { source: "orders", afterMs: 1000, error: new Error("the line is dead") },
    });
    await runtime.clock.advance(130_000);
    const pauses = opened.map((time, index) => time - (opened[index - 1] ?? 0));
    expect([pauses.slice(5).filter((pause) => pause === 1000).length, Math.max(...pauses)]).toEqual([1, 4000]);
    await life.stop();
    expect(runtime.clock.pending).toEqual([]);
  });

  it("clears the reported problem with the next event, and rejects with reopen: false", async () => {
    const runtime = testRuntime();
    let isBroken = true;
    const source = (reopen?: false): ReturnType<typeof iterableSource> =>
      iterableSource(
        "orders",
        async function* () {
          if (isBroken) throw new Error("the line is dead");
          yield event("a");
          await new Promise(() => undefined);
        },
        { runtime, ...(reopen === undefined ? {} : { reopen }) },
      );
    const life = watchSource(source(), runtime.clock);
    await runtime.clock.settle();
    await expect(watchSource(source(false), runtime.clock).over).rejects.toThrow("the line is dead");
    isBroken = false;
    await runtime.clock.advance(2000);
    expect([life.keys, life.state.waitingFor]).toEqual([["a"], undefined]);
    await life.stop();
  });

  it("ends when stopped, also if its events never come and ignore the signal; closes a generator that listens", async () => {
    const runtime = testRuntime();
    const closed: string[] = [];
    const deaf = watchSource(
      iterableSource("deaf", () => ({ [Symbol.asyncIterator]: () => ({ next: () => new Promise<never>(() => undefined) }) }), { runtime }),
      runtime.clock,
    );
    const listening = watchSource(
      iterableSource(
        "listening",
        async function* (signal) {
          try {
            yield event("a");
            await new Promise((resolve) => {
              signal.addEventListener("abort", resolve, { once: true });
            });
          } finally {
            closed.push("listening");
          }
        },
        { runtime },
      ),
      runtime.clock,
    );
    await runtime.clock.settle();
    await Promise.all([deaf.stop(), listening.stop()]);
    expect([listening.keys, closed]).toEqual([["a"], ["listening"]]);
  });

  it("opens separate events for each watcher and after each stop", async () => {
    const runtime = testRuntime();
    let opened = 0;
    const source = iterableSource("orders", () => eventsOf(event(`a${++opened}`)), { runtime });
    const lives = [watchSource(source, runtime.clock), watchSource(source, runtime.clock)];
    await runtime.clock.settle();
    await lives[0]?.stop();
    lives.push(watchSource(source, runtime.clock));
    await runtime.clock.settle();
    expect(lives.map(({ keys }) => keys)).toEqual([["a1"], ["a2"], ["a3"]]);
  });

  it("B20: merges a flood of events in the queue, and lets timers run meanwhile", async () => {
    const runtime = testRuntime({ clock: new ManualClock({ quietTurns: 5000 }) });
    const queue = createQueue<string>({ clock: runtime.clock });
    const length = process.env["DROVER_LONG"] === "1" ? 100_000 : 20_000;
    let taken = 0;
    const seen: number[] = [];
    const tick = (): void => {
      if (seen.push(taken) < length / 600) runtime.clock.timer(0, tick);
    };
    const source = iterableSource(
      "flood",
      async function* () {
        for (let index = 0; index < length; index++) yield event(`k${index % 10}`);
      },
      { runtime },
    );
    const stop = new AbortController();
    runtime.clock.timer(0, tick);
    const over = source.run(
      {
        request: (key) => {
          taken++;
          queue.add(key);
        },
        synced: () => undefined,
        waitingFor: () => undefined,
      },
      stop.signal,
    );
    await runtime.clock.advance(0);
    expect([taken, queue.len()]).toEqual([length, 10]);
    expect(Math.max(...seen.map((count, index) => count - (seen[index - 1] ?? 0)))).toBe(sliceLength);
    stop.abort();
    await over;
  });
});
