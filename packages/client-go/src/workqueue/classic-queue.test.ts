import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { TimeoutError } from "@drover/machinery";
import { ManualClock, testRuntime } from "@drover/machinery/testing";
import { describe, expect, it } from "vitest";
import { newQueue } from "./classic-queue.ts";
import type { Interface } from "./classic-queue.ts";
import type { QueueOrder } from "./classic-queue-state.ts";

const clock = new ManualClock({ quietTurns: 20 });

async function collectGarbage(): Promise<void> {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  // The target of a WeakRef is kept until the end of the turn.
  await new Promise((resolve) => setImmediate(resolve));
  collect();
}

/** First in, first out; records touched keys. */
function tracedOrder(): QueueOrder<string> & { readonly touched: readonly string[] } {
  const keys: string[] = [];
  const touched: string[] = [];
  return { touched, touch: (key) => touched.push(key), push: (key) => keys.push(key), pop: () => keys.shift() ?? "" };
}

/** Runs 50 producers and 10 consumers; counts how often each key was handed out. */
async function produceAndConsume(
  queue: Interface<string>,
  shutDown: () => Promise<void> | void,
  onKey: (key: string) => void,
): Promise<void> {
  const inHand = new Set<string>();
  const consumers = Array.from({ length: 10 }, async () => {
    for (let key = await queue.get(); key !== undefined; key = await queue.get()) {
      expect(inHand.has(key)).toBe(false);
      inHand.add(key);
      onKey(key);
      await Promise.resolve();
      inHand.delete(key);
      queue.done(key);
    }
  });
  const producers = Array.from({ length: 50 }, async (_, producer) => {
    for (let round = 0; round < 50; round++) {
      queue.add(String(producer));
      await Promise.resolve();
    }
  });
  await Promise.all(producers);
  await shutDown();
  queue.add("added after shutdown!");
  await Promise.all(consumers);
  expect(queue.len()).toBe(0);
}

describe("newQueue, from client-go's tests", () => {
  for (const drain of [false, true]) {
    it(`serves producers and consumers, gives no key to two workers, and ignores adds after ${drain ? "a drain" : "a shutdown"}`, async () => {
      const queue = newQueue({ clock });
      const runs = new Map<string, number>();
      await produceAndConsume(
        queue,
        () => (drain ? queue.shutDownWithDrain() : queue.shutDown()),
        (key) => runs.set(key, (runs.get(key) ?? 0) + 1),
      );
      expect(runs.size).toBe(50);
      expect(runs.has("added after shutdown!")).toBe(false);
    });

    it(`hands out a key again that is added while it is processed, before ${drain ? "a drain" : "a shutdown"}`, async () => {
      const queue = newQueue({ clock });
      const runs = new Map<string, number>();
      await produceAndConsume(
        queue,
        () => (drain ? queue.shutDownWithDrain() : queue.shutDown()),
        (key) => {
          runs.set(key, (runs.get(key) ?? 0) + 1);
          if ((runs.get(key) ?? 0) < 2) queue.add(key);
        },
      );
      expect([...runs.values()].every((count) => count >= 2)).toBe(true);
    });
  }

  it("len counts queued keys once", () => {
    const queue = newQueue({ clock });
    queue.add("foo");
    queue.add("bar");
    queue.add("foo");
    expect(queue.len()).toBe(2);
  });

  it("requeues a key that was added while it was processed", async () => {
    const queue = newQueue({ clock });
    queue.add("foo");
    expect(await queue.get()).toBe("foo");
    queue.add("foo");
    expect(queue.len()).toBe(0);
    queue.done("foo");
    expect(await queue.get()).toBe("foo");
    queue.done("foo");
    expect(queue.len()).toBe(0);
  });

  it("merges two adds and calls touch of a custom order", async () => {
    const order = tracedOrder();
    const queue = newQueue({ clock, order });
    queue.add("bar");
    queue.add("bar");
    expect(await queue.get()).toBe("bar");
    queue.done("bar");
    expect(queue.len()).toBe(0);
    expect(order.touched).toEqual(["bar"]);
  });

  it("merges two adds of a running key, hands it out only after done, and does not call touch", async () => {
    const order = tracedOrder();
    const queue = newQueue({ clock, order });
    queue.add("foo");
    expect(await queue.get()).toBe("foo");
    queue.add("foo");
    queue.add("foo");
    let second: string | undefined;
    const waiting = queue.get().then((key) => (second = key));
    await clock.settle();
    expect(second).toBeUndefined();
    queue.done("foo");
    await waiting;
    expect(second).toBe("foo");
    queue.done("foo");
    expect(queue.len()).toBe(0);
    expect(order.touched).toEqual([]);
  });

  it("rejects a key of a custom order that was never pushed", () => {
    const queue = newQueue({ clock, order: { touch: () => undefined, push: () => undefined, pop: () => "another" } });
    queue.add("foo");
    expect(() => queue.tryGet()).toThrow("returned a key that was not pushed");
  });

  it("shutDownWithDrain waits until all keys being processed are done", async () => {
    const queue = newQueue({ clock });
    queue.add("foo");
    queue.add("bar");
    queue.tryGet();
    queue.tryGet();
    let drained = false;
    const draining = queue.shutDownWithDrain().then(() => (drained = true));
    expect(await queue.get()).toBeUndefined();
    queue.done("foo");
    await clock.settle();
    expect(drained).toBe(false);
    queue.done("bar");
    await draining;
  });

  it("shutDown does not wait", async () => {
    const queue = newQueue({ clock });
    queue.add("foo");
    queue.tryGet();
    queue.shutDown();
    expect(queue.shuttingDown()).toBe(true);
    expect(await queue.get()).toBeUndefined();
  });

  it("shutDown ends a pending drain", async () => {
    const queue = newQueue({ clock });
    queue.add("foo");
    queue.tryGet();
    const draining = queue.shutDownWithDrain();
    queue.shutDown();
    await draining;
  });

  it("shutDownWithDrain hands out a key that was dirty when the drain began once more", async () => {
    const queue = newQueue({ clock });
    queue.add("foo");
    queue.tryGet();
    queue.add("foo");
    let drained = false;
    const draining = queue.shutDownWithDrain().then(() => (drained = true));
    expect(await queue.get()).toBeUndefined();
    queue.done("foo");
    await clock.settle();
    expect(drained).toBe(false);
    expect(await queue.get()).toBe("foo");
    queue.done("foo");
    await draining;
    expect(await queue.get()).toBeUndefined();
  });

  it("keeps no state of a finished key (§9.16)", async () => {
    const queue = newQueue<object>({ clock });
    const seen = (() => {
      const key = { data: "hello" };
      queue.add(key);
      queue.tryGet();
      queue.done(key);
      return new WeakRef(key);
    })();
    await collectGarbage();
    expect(seen.deref()).toBeUndefined();
  });
});

describe("newQueue, beyond client-go", () => {
  it("shutDownWithDrain rejects with what is left on timeout", async () => {
    const own = new ManualClock({ quietTurns: 20 });
    const queue = newQueue({ clock: own, name: "pods" });
    queue.add("foo");
    queue.add("bar");
    queue.tryGet();
    const draining = queue.shutDownWithDrain({ timeoutMs: 100 });
    const refused = expect(draining).rejects.toThrow(
      new TimeoutError("not drained after 100 ms: queue pods has 1 queued and 1 being processed"),
    );
    await own.advance(100);
    await refused;
    expect(own.pending).toEqual([]);
  });

  it("shutDownWithDrain and get reject with the reason of the signal", async () => {
    const queue = newQueue({ clock });
    const controller = new AbortController();
    const waiting = Promise.resolve(queue.get({ signal: controller.signal }));
    queue.add("foo");
    expect(await waiting).toBe("foo");
    const second = Promise.resolve(queue.get({ signal: controller.signal }));
    const draining = queue.shutDownWithDrain({ signal: controller.signal });
    expect(await second).toBeUndefined();
    controller.abort("enough");
    await expect(draining).rejects.toBe("enough");
    await expect(queue.get({ signal: controller.signal })).rejects.toBe("enough");
  });

  it("reports depth, adds and latencies under client-go's metric names", async () => {
    const runtime = testRuntime();
    const queue = newQueue({ clock: runtime.clock, metrics: runtime.metrics, name: "test" });
    const value = (name: string): number | undefined =>
      runtime.metrics
        .families()
        .find((family) => family.name === `workqueue_${name}`)
        ?.samples()[0]?.series.value;
    queue.add("foo");
    expect([value("adds_total"), value("depth")]).toEqual([1, 1]);
    await runtime.clock.advance(50);
    queue.tryGet();
    expect(value("queue_duration_seconds")).toBe(0.05);
    for (let add = 0; add < 5; add++) queue.add("foo");
    expect([value("adds_total"), value("depth")]).toEqual([2, 1]);
    await runtime.clock.advance(25);
    queue.done("foo");
    expect([value("work_duration_seconds"), value("depth")]).toEqual([0.025, 1]);
    queue.tryGet();
    expect(value("queue_duration_seconds")).toBeCloseTo(0.075);
    await runtime.clock.advance(1000);
    // Updated every 500 ms from the start of the run: last 25 ms ago.
    expect([value("unfinished_work_seconds"), value("longest_running_processor_seconds")]).toEqual([0.975, 0.975]);
    queue.done("foo");
    expect([value("work_duration_seconds"), value("unfinished_work_seconds"), value("longest_running_processor_seconds")]).toEqual([
      1.025, 0, 0,
    ]);
    expect(
      runtime.metrics
        .families()
        .find(({ name }) => name === "workqueue_depth")
        ?.samples()[0]?.labelValues,
    ).toEqual(["test", ""]);
  });

  it("reports no metrics without a name", () => {
    const runtime = testRuntime();
    newQueue({ clock: runtime.clock, metrics: runtime.metrics });
    expect(runtime.metrics.families()).toEqual([]);
  });
});
