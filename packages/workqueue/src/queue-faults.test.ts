/** The rows of the reliability catalogue that concern the queue, by their numbers. */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { createRandom } from "@drover/machinery";
import { ManualClock } from "@drover/machinery/testing";
import { describe, expect, it } from "vitest";
import { createQueue } from "./queue.ts";
import { QueueState } from "./queue-state.ts";
import { itemExponentialFailureRateLimiter } from "./rate-limiter.ts";

const day = 24 * 3600 * 1000;

describe("Queue: rows of the reliability catalogue", () => {
  it("B1: an add at any point of a run leads to another run", () => {
    const events = ["add a", "add b", "get", "done a", "done b"] as const;
    let sequences = 0;
    const follow = (path: readonly (typeof events)[number][]): void => {
      const state = new QueueState<string, number>({
        rateLimiter: itemExponentialFailureRateLimiter(1, 1),
        ageingMs: 1,
        maxAttempts: Infinity,
      });
      const lastAdd = new Map<string, number>();
      const lastTake = new Map<string, number>();
      let step = 0;
      const take = (): string | undefined => {
        const work = state.take(0);
        if (work !== undefined) lastTake.set(work.key, step);
        return work?.key;
      };
      for (const event of path) {
        step++;
        if (event === "get") take();
        else if (event.startsWith("add")) {
          lastAdd.set(event.slice(-1), step);
          state.add(() => 0, event.slice(-1));
        } else state.done(() => 0, event.slice(-1));
      }
      step++;
      for (const key of ["a", "b"]) state.done(() => 0, key);
      for (let key = take(); key !== undefined; key = take()) state.done(() => 0, key);
      for (const [key, at] of lastAdd) if ((lastTake.get(key) ?? 0) <= at) throw new Error(`${key} was not run after ${path.join(", ")}`);
      if (state.reports(0).length > 0) throw new Error(`the queue still tracks keys after ${path.join(", ")}`);
      sequences++;
      if (path.length < 6) for (const event of events) follow([...path, event]);
    };
    follow([]);
    expect(sequences).toBe((5 ** 7 - 1) / 4);
  });

  it("B4: a key of low priority waits a bounded time under permanent load of high priority", async () => {
    const clock = new ManualClock({ quietTurns: 5 });
    const queue = createQueue<string>({ clock });
    for (let key = 0; key < 100; key++) queue.addWith(`high-${key}`, { priority: 0 });
    let oldest = 0;
    let lows = 0;
    // One virtual hour: every 100 ms a worker processes one key, and a key of high priority is added again at once.
    for (let now = 0; now < 3_600_000; now += 100) {
      if (now % 60_000 === 0) queue.addWith(`low-${now}`, { priority: -100 });
      const work = queue.tryGet();
      if (work === undefined) throw new Error("the load must never end");
      if (work.priority < 0) {
        oldest = Math.max(oldest, work.waitedMs);
        lows++;
      } else queue.add(work.key);
      queue.done(work.key);
      await clock.advance(100);
    }
    expect(lows).toBeGreaterThan(55);
    // 100 points of one second each, plus the 100 keys that were ready before.
    expect(oldest).toBeLessThanOrEqual(100_000 + 100 * 100 + 100);
  });

  it("B5: every delay is due at the right time or rejected, and none causes a hot loop (§9.11)", async () => {
    for (const delay of [2 ** 31 - 1, 2 ** 31, 30 * day, 400 * day, 1, 0.5]) {
      const clock = new ManualClock({ quietTurns: 5 });
      const queue = createQueue({ clock });
      queue.addAfter("a", delay);
      await clock.advance(delay - 0.25);
      expect(queue.tryGet()).toBeUndefined();
      await clock.advance(0.25);
      expect(queue.tryGet()?.key).toBe("a");
    }
    const clock = new ManualClock({ quietTurns: 5 });
    const queue = createQueue({ clock });
    for (const delay of [NaN, Infinity]) expect(() => queue.addAfter("a", delay)).toThrow(RangeError);
    for (const delay of [0, -1, 1e-9]) {
      queue.addAfter("a", delay);
      await clock.advance(1);
      expect(queue.tryGet()?.key).toBe("a");
      queue.done("a");
      expect(queue.tryGet()).toBeUndefined();
    }
    expect(clock.pending).toEqual([]);
    // A run every 30 days for a year: exactly twelve after the first.
    let runs = 0;
    queue.add("b");
    const work = (async () => {
      for (let next = await queue.get(); next !== undefined; next = await queue.get()) {
        runs++;
        queue.addAfter(next.key, 30 * day);
        queue.done(next.key);
      }
    })();
    await clock.advance(365 * day);
    expect(runs).toBe(13);
    queue.shutDown();
    await work;
  });

  it("B6: 2,000 keys (10,000 in long mode) that fail for ten minutes back off one by one and recover within twenty minutes", async () => {
    const clock = new ManualClock({ quietTurns: 1 });
    const jitter = { factor: 0.5, random: createRandom(3) };
    const queue = createQueue<number>({ clock, rateLimiter: itemExponentialFailureRateLimiter(5, 1_000_000, { jitter }) });
    const count = process.env["DROVER_LONG"] === "1" ? 10_000 : 2000;
    const outage = 600_000;
    const tries = new Map<number, number>();
    const recoveredAt: number[] = [];
    for (let key = 0; key < count; key++) queue.add(key);
    while (recoveredAt.length < count) {
      for (let work = queue.tryGet(); work !== undefined; work = queue.tryGet()) {
        tries.set(work.key, (tries.get(work.key) ?? 0) + 1);
        if (clock.monotonic() < outage) queue.addRateLimited(work.key);
        else {
          queue.forget(work.key);
          recoveredAt.push(clock.monotonic());
        }
        queue.done(work.key);
      }
      await clock.advance(1000);
    }
    // 5 ms × 2^17 is more than ten minutes.
    expect(Math.max(...tries.values())).toBeLessThanOrEqual(19);
    expect(Math.max(...recoveredAt)).toBeLessThanOrEqual(2 * outage);
    expect(queue.inspectAll()).toEqual([]);
  });

  it("B7: a key that always fails does not delay 10,000 others", () => {
    const latency = (withBad: boolean): number => {
      let now = 0;
      const queue = createQueue<string>({ clock: { now: () => now, monotonic: () => now, timer: () => () => undefined } });
      const waited: number[] = [];
      if (withBad) queue.add("bad");
      for (let round = 0; round < 10; round++) {
        for (let key = 0; key < 1000; key++) queue.add(`good-${key}`);
        for (let work = queue.tryGet(); work !== undefined; work = queue.tryGet()) {
          now += 1;
          if (work.key === "bad") queue.addRateLimited("bad");
          else waited.push(work.waitedMs);
          queue.done(work.key);
        }
      }
      return waited.toSorted((a, b) => a - b)[Math.floor(waited.length * 0.99)] ?? 0;
    };
    expect(latency(true) / latency(false)).toBeLessThan(1.05);
  });

  it("B13: a shutdown with 1,000 queued and 50 running keys drains or times out, and every promise settles", async () => {
    for (const policy of ["drain", "abandon"] as const) {
      const clock = new ManualClock({ quietTurns: 50 });
      const queue = createQueue<number>({ clock });
      const ran = new Set<number>();
      const workers = Array.from({ length: 50 }, async () => {
        for (let work = await queue.get(); work !== undefined; work = await queue.get()) {
          await new Promise<void>((resolve) => void clock.timer(10, resolve));
          ran.add(work.key);
          queue.done(work.key);
          if (policy === "abandon" && queue.shuttingDown()) return;
        }
      });
      for (let key = 0; key < 1050; key++) queue.add(key);
      queue.addAfter(5000, 60_000);
      const ended = policy === "drain" ? queue.shutDownWithDrain({ timeoutMs: 1000 }) : Promise.resolve(queue.shutDown());
      await clock.advance(policy === "drain" ? 210 : 10);
      await ended;
      await Promise.all(workers);
      expect(ran.size).toBe(policy === "drain" ? 1050 : 50);
      expect(clock.pending).toEqual([]);
    }
  });

  it("B16: jumps of the wall clock do not change delays", async () => {
    for (const jump of [3_600_000, -3_600_000, day, -day]) {
      const clock = new ManualClock({ quietTurns: 5 });
      const queue = createQueue({ clock });
      queue.addAfter("a", 1000);
      clock.setNow(clock.now() + jump);
      await clock.advance(999);
      expect(queue.tryGet()).toBeUndefined();
      await clock.advance(1);
      expect(queue.tryGet()?.key).toBe("a");
    }
  });

  it("B17: changing the number of workers from 1 to 2, 64 and 1 loses no key and gives none to two workers", async () => {
    const clock = new ManualClock({ quietTurns: 300 });
    const queue = createQueue<number>({ clock });
    const inHand = new Set<number>();
    const seen = new Map<number, number>();
    const work = async (signal: AbortSignal): Promise<void> => {
      try {
        for (let next = await queue.get({ signal }); next !== undefined; next = await queue.get({ signal })) {
          expect(inHand.has(next.key)).toBe(false);
          inHand.add(next.key);
          await new Promise<void>((resolve) => void clock.timer(1, resolve));
          inHand.delete(next.key);
          seen.set(next.key, (seen.get(next.key) ?? 0) + 1);
          queue.done(next.key);
        }
      } catch (error) {
        if (!signal.aborted) throw error;
      }
    };
    for (const workers of [1, 2, 64, 1]) {
      const controller = new AbortController();
      const all = Array.from({ length: workers }, () => work(controller.signal));
      for (let key = 0; key < 50; key++) queue.add(key);
      await clock.advance(10);
      controller.abort();
      await clock.advance(1);
      await Promise.all(all);
    }
    const last = work(new AbortController().signal);
    await clock.advance(1000);
    queue.shutDown();
    await last;
    expect([seen.size, inHand.size, queue.inspectAll()]).toEqual([50, 0, []]);
  });

  it("B18: a ready key uses less than 300 bytes, and a finished key none (§9.13, §9.16)", () => {
    setFlagsFromString("--expose-gc");
    const collect = runInNewContext("gc") as () => void;
    const used = (): number => {
      collect();
      return process.memoryUsage().heapUsed;
    };
    const count = 100_000;
    const keys = Array.from({ length: count }, (_, index) => `namespace-${index % 100}/object-${index}`);
    let now = 0;
    const queue = createQueue<string>({ clock: { now: () => now, monotonic: () => (now += 0.25), timer: () => () => undefined } });
    const before = used();
    for (const key of keys) queue.add(key);
    expect((used() - before) / count).toBeLessThan(300);
    for (let work = queue.tryGet(); work !== undefined; work = queue.tryGet()) queue.done(work.key);
    expect((used() - before) / count).toBeLessThan(8);
    expect(keys).toHaveLength(count);
  });

  it("B20: a flood of adds is merged by key, and len and inspect show the backlog", () => {
    let now = 0;
    const queue = createQueue<number>({ clock: { now: () => now, monotonic: () => now, timer: () => () => undefined } });
    for (let event = 0; event < 100_000; event++) {
      queue.addWith(event % 1000, { cause: event });
      now += 0.01;
    }
    expect([queue.len(), queue.inspectAll().length]).toEqual([1000, 1000]);
    const report = queue.inspect(7);
    expect([report?.causeCount, report?.causes.length]).toEqual([100, 8]);
    expect(report?.ageMs).toBeCloseTo(1000 - 0.07, 5);
  });
});
