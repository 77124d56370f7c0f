import { createRandom, TimeoutError } from "@drover/machinery";
import { ManualClock, testRuntime } from "@drover/machinery/testing";
import { describe, expect, expectTypeOf, it } from "vitest";
import { createQueue } from "./queue.ts";
import type { Queue, QueueOptions } from "./queue.ts";
import type { Work } from "./work.ts";

const start = <K = string>(options: Omit<QueueOptions<K>, "clock"> = {}): { readonly clock: ManualClock; readonly queue: Queue<K> } => {
  const clock = new ManualClock({ quietTurns: 20 });
  return { clock, queue: createQueue<K>({ clock, ...options }) };
};

describe("Queue.get", () => {
  it("resolves at once when a key is ready", async () => {
    const { queue } = start();
    queue.add("a");
    const taken = queue.get();
    expectTypeOf(taken).toEqualTypeOf<Promise<Work<string, unknown> | undefined>>();
    expect(queue.len()).toBe(0);
    expect(await taken).toMatchObject({ key: "a", priority: 0, causes: [], causeCount: 0, attempts: 0, waitedMs: 0 });
  });

  it("waits for a key, and serves the longest waiting worker first", async () => {
    const { queue } = start();
    const waiting = Array.from({ length: 3 }, () => queue.get());
    for (const key of ["a", "b", "c"]) queue.add(key);
    expect((await Promise.all(waiting)).map((work) => work?.key)).toEqual(["a", "b", "c"]);
    expect([queue.len(), queue.tryGet()]).toEqual([0, undefined]);
  });

  it("resolves when an add, a due time, done or unpark makes a key ready", async () => {
    const { clock, queue } = start({ maxAttempts: 0 });
    const next = async (cause: () => Promise<void> | void): Promise<string | undefined> => {
      const waiting = queue.get();
      await cause();
      return (await waiting)?.key;
    };
    expect(await next(() => queue.add("a"))).toBe("a");
    queue.addAfter("b", 10);
    expect(await next(() => clock.advance(10))).toBe("b");
    queue.add("a");
    expect(await next(() => queue.done("a"))).toBe("a");
    queue.addRateLimited("c");
    expect(await next(() => void queue.unpark("c"))).toBe("c");
    expect(clock.pending).toEqual([]);
  });

  it("rejects with the reason of the signal, and loses no key", async () => {
    const { queue } = start();
    const controller = new AbortController();
    const [leaves, stays] = [queue.get({ signal: controller.signal }), queue.get()];
    const refused = expect(leaves).rejects.toBe("enough");
    controller.abort("enough");
    queue.add("a");
    await refused;
    expect((await stays)?.key).toBe("a");
    queue.add("b");
    await expect(queue.get({ signal: controller.signal })).rejects.toBe("enough");
    expect(queue.len()).toBe(1);
  });

  it("resolves with undefined when the queue is shut down and nothing is ready", async () => {
    const { queue } = start();
    const waiting = Array.from({ length: 2 }, () => queue.get());
    queue.shutDown();
    queue.add("a");
    expect(await Promise.all(waiting)).toEqual([undefined, undefined]);
    expect([await queue.get(), queue.shuttingDown()]).toEqual([undefined, true]);
  });

  it("reports how long the key was ready", async () => {
    const { clock, queue } = start();
    queue.addAfter("a", 5);
    await clock.advance(12);
    expect(queue.tryGet()).toMatchObject({ key: "a", waitedMs: 7, takenAt: 12 });
  });
});

describe("Queue with many workers", () => {
  it("ends all workers that add and get during a shutdown, 50 times", async () => {
    for (let round = 0; round < 50; round++) {
      const { queue } = start<number>();
      const workers = Array.from({ length: 20 }, async (_, worker) => {
        for (let work = await queue.get(); work !== undefined; work = await queue.get()) {
          queue.add((work.key * 7 + worker) % 50);
          if (worker % 3 === 0) queue.addRateLimited(work.key);
          if (work.causeCount === 0 && round % 5 === worker % 5) await Promise.resolve();
          queue.done(work.key);
          if (worker === round % 20) queue.shutDown();
        }
      });
      for (let key = 0; key < 40; key++) queue.add(key);
      await Promise.all(workers);
      expect([queue.len(), queue.tryGet()]).toEqual([0, undefined]);
    }
  });
});

describe("Queue with a running key", () => {
  it("withholds further adds of the key and hands it out once more after done", () => {
    const { queue } = start();
    queue.add("a");
    queue.tryGet();
    queue.addWith("a", { priority: 1 });
    queue.add("a");
    expect([queue.tryGet(), queue.len()]).toEqual([undefined, 1]);
    queue.done("a");
    expect(queue.tryGet()?.priority).toBe(1);
    queue.done("a");
    queue.done("a");
    expect([queue.len(), queue.inspectAll()]).toEqual([0, []]);
  });
});

describe("Queue delays", () => {
  it("use one timer for all keys and leave none behind", async () => {
    const { clock, queue } = start();
    for (let key = 0; key < 100; key++) queue.addAfter(String(key), 1000 - key);
    expect(clock.pending).toHaveLength(1);
    expect([queue.len(), queue.waitingLen()]).toEqual([0, 100]);
    await clock.advance(1000);
    expect([queue.len(), queue.waitingLen(), clock.pending]).toEqual([100, 0, []]);
  });

  it("are checked by tryGet too, for a loop that never lets a timer fire", () => {
    let now = 0;
    const queue = createQueue({ clock: { now: () => now, monotonic: () => now, timer: () => () => undefined } });
    queue.addAfter("a", 10);
    now = 10;
    expect(queue.tryGet()?.key).toBe("a");
  });

  it("can be cancelled", async () => {
    const { clock, queue } = start();
    queue.addAfter("a", 10);
    expect([queue.cancel("a"), queue.cancel("a")]).toEqual([true, false]);
    await clock.advance(10);
    expect([queue.tryGet(), clock.pending]).toEqual([undefined, []]);
  });
});

describe("Queue retries", () => {
  it("double from 5 ms to 1,000 s per key, without a limit across keys", async () => {
    const { clock, queue } = start();
    for (let key = 0; key < 1000; key++) queue.addRateLimited(String(key));
    expect(queue.inspectAll().every(({ nextRunInMs }) => nextRunInMs === 5)).toBe(true);
    for (let attempt = 1; attempt < 25; attempt++) {
      await clock.advance(1_000_000);
      queue.addRateLimited("7", { reason: "still broken", priority: 2, cause: attempt });
    }
    expect(queue.numRequeues("7")).toBe(25);
    expect(queue.inspect("7")).toMatchObject({ attempts: 25, reason: "still broken", priority: 2 });
    queue.forget("7");
    expect(queue.numRequeues("7")).toBe(0);
  });

  it("pass the attempt number to retryCause, and do not count a run before the retry is due", async () => {
    const { clock, queue } = start();
    const fail = (): void => queue.addRateLimited("a", { retryCause: (attempt) => `retry ${attempt}` });
    const causes: (readonly unknown[] | undefined)[] = [];
    const run = (): void => {
      causes.push(queue.tryGet()?.causes);
      fail();
      queue.done("a");
    };
    fail();
    queue.addWith("a", { cause: "changed" });
    run();
    await clock.advance(5);
    run();
    await clock.advance(10);
    run();
    expect(causes).toEqual([["retry 1", "changed"], ["retry 1"], ["retry 2"]]);
  });
});

describe("Queue.shutDownWithDrain", () => {
  it("waits for ready and running keys, including second runs", async () => {
    const { clock, queue } = start();
    queue.add("a");
    queue.add("b");
    queue.addAfter("later", 1000);
    queue.tryGet();
    queue.add("a");
    let drained = false;
    const draining = queue.shutDownWithDrain().then(() => (drained = true));
    queue.add("ignored");
    for (const key of ["b", "a"]) {
      queue.done(key === "b" ? "a" : "b");
      await clock.settle();
      expect(drained).toBe(false);
      expect(queue.tryGet()?.key).toBe(key);
    }
    queue.done("a");
    await draining;
    expect([queue.waitingLen(), queue.inspectAll(), clock.pending]).toEqual([0, [], []]);
  });

  it("resolves at once when the queue is empty, and when shutDown is called meanwhile", async () => {
    const { queue } = start();
    await queue.shutDownWithDrain();
    const other = start().queue;
    other.add("a");
    const draining = other.shutDownWithDrain();
    other.shutDown();
    await draining;
  });

  it("rejects with what is left on timeout", async () => {
    const { clock, queue } = start({ name: "pods" });
    for (let key = 0; key < 10; key++) queue.add(`pod-${key}`);
    for (let key = 0; key < 7; key++) queue.tryGet();
    const refused = expect(queue.shutDownWithDrain({ timeoutMs: 30 })).rejects.toThrow(
      new TimeoutError("not drained after 30 ms: queue pods has 3 ready and 7 running (pod-0, pod-1, pod-2, pod-3, pod-4, …)"),
    );
    await clock.advance(30);
    await refused;
  });
});

describe("Queue.inspectAll", () => {
  it("shows every key with its state, age, causes and next run", async () => {
    const { clock, queue } = start({ maxAttempts: 1 });
    for (const key of ["running", "again"]) queue.addWith(key, { cause: "created" });
    queue.tryGet();
    queue.tryGet();
    queue.addWith("again", { priority: 3, cause: "edited" });
    queue.addWith("waiting", { afterMs: 60, cause: "timer" });
    queue.addRateLimited("parked");
    queue.addWith("ready", { priority: -100 });
    await clock.advance(10);
    expect(queue.tryGet()?.key).toBe("parked");
    queue.addRateLimited("parked", { reason: "no such image" });
    queue.done("parked");
    await clock.advance(10);
    expect(queue.inspectAll()).toEqual([
      { key: "running", state: "running", priority: 0, ageMs: 20, causes: ["created"], causeCount: 1, attempts: 0 },
      {
        key: "again",
        state: "running",
        again: "ready",
        priority: 3,
        ageMs: 20,
        nextRunInMs: 0,
        causes: ["edited"],
        causeCount: 1,
        attempts: 0,
      },
      { key: "waiting", state: "waiting", priority: 0, ageMs: 20, nextRunInMs: 40, causes: ["timer"], causeCount: 1, attempts: 0 },
      { key: "parked", state: "parked", priority: 0, ageMs: 10, causes: [], causeCount: 0, attempts: 1, reason: "no such image" },
      { key: "ready", state: "ready", priority: -100, ageMs: 20, nextRunInMs: 0, causes: [], causeCount: 0, attempts: 0 },
    ]);
    expect(queue.inspect("unknown")).toBeUndefined();
  });
});

describe("Queue metrics", () => {
  it("follow a key through delay, raised priority, run and retry", async () => {
    const { clock, metrics } = testRuntime();
    const queue = createQueue({ clock, metrics, name: "pods" });
    const value = (name: string, priority?: string): number | undefined =>
      metrics
        .families()
        .find((family) => family.name === `workqueue_${name}`)
        ?.samples()
        .find(({ labelValues }) => labelValues.join() === ["pods", ...(priority === undefined ? [] : [priority])].join())?.series.value;
    queue.addWith("a", { afterMs: 100, priority: -1 });
    expect([value("depth", "0"), value("adds_total"), value("retries_total")]).toEqual([0, 0, 1]);
    await clock.advance(100);
    expect([value("depth", "-1"), value("adds_total")]).toEqual([1, 1]);
    queue.addWith("a", { priority: 4 });
    expect([value("depth", "-1"), value("depth", "4"), value("adds_total")]).toEqual([0, 1, 1]);
    await clock.advance(50);
    queue.tryGet();
    expect([value("depth", "4"), value("queue_duration_seconds")]).toEqual([0, 0.05]);
    await clock.advance(20);
    queue.addRateLimited("a");
    queue.refreshMetrics();
    expect([value("unfinished_work_seconds"), value("longest_running_processor_seconds"), value("retries_total")]).toEqual([0.02, 0.02, 2]);
    queue.done("a");
    expect([value("work_duration_seconds"), value("unfinished_work_seconds")]).toEqual([0.02, 0]);
  });

  it("never show a negative depth with 10 producers and 100 workers", async () => {
    const { clock, metrics } = testRuntime();
    const random = createRandom(7);
    const queue = createQueue<number>({ clock, metrics, name: "q", ageingMs: Infinity });
    const depths = (): number[] =>
      metrics
        .families()
        .find(({ name }) => name === "workqueue_depth")
        ?.samples()
        .map(({ series }) => series.value) ?? [];
    const inHand = new Set<number>();
    let taken = 0;
    const workers = Array.from({ length: 100 }, async () => {
      for (let work = await queue.get(); work !== undefined; work = await queue.get()) {
        expect(inHand.has(work.key)).toBe(false);
        inHand.add(work.key);
        taken++;
        await Promise.resolve();
        inHand.delete(work.key);
        queue.done(work.key);
      }
    });
    await Promise.all(
      Array.from({ length: 10 }, async () => {
        for (let add = 0; add < 1000; add++) {
          queue.addWith(random.int(200), {
            priority: random.int(5),
            ...(random.int(4) === 0 ? { afterMs: random.int(20) } : {}),
            rateLimited: random.int(8) === 0,
          });
          if (add % 10 === 0) await Promise.resolve();
          if (add % 50 === 0 && depths().some((depth) => depth < 0)) throw new Error(`a depth below zero: ${depths().join(", ")}`);
        }
      }),
    );
    await clock.runUntil(() => queue.waitingLen() === 0);
    await queue.shutDownWithDrain();
    await Promise.all(workers);
    expect(taken).toBeGreaterThan(200);
    expect(depths().every((depth) => depth === 0)).toBe(true);
  });
});

describe("createQueue options", () => {
  it("are validated, and the error names the option", () => {
    const { clock } = start();
    expect(() => createQueue({ clock, ageingMs: 0 })).toThrow(
      "createQueue: ageingMs must be above 0, not 0; for absolute priorities use Infinity",
    );
    expect(() => createQueue({ clock, maxAttempts: -1 })).toThrow("maxAttempts");
    expect(() => createQueue({ clock, tenantOf: "shop" as never })).toThrow("tenantOf must be a function from key to tenant, not string");
    for (const debounce of [
      { afterMs: 0, maxMs: 5 },
      { afterMs: 6, maxMs: 5 },
      { afterMs: 1, maxMs: Infinity },
    ])
      expect(() => createQueue({ clock, debounce })).toThrow("debounce");
  });
});
