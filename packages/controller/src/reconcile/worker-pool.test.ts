import { objectKey } from "@drover/machinery";
import type { ObjectKey } from "@drover/machinery";
import { testRuntime } from "@drover/machinery/testing";
import type { ManualClock } from "@drover/machinery/testing";
import { createQueue } from "@drover/workqueue";
import type { Work } from "@drover/workqueue";
import type { Queue } from "@drover/workqueue";
import { describe, expect, it } from "vitest";
import { blockableClock } from "./testing/blockable-clock.ts";
import { WorkerPool } from "./worker-pool.ts";

type Run = Work<ObjectKey, string>;

interface Stage {
  readonly clock: ManualClock;
  readonly queue: Queue<ObjectKey, string>;
  readonly pool: WorkerPool<string, Run>;
  readonly began: string[];
  readonly add: (count: number) => void;
  /** Ends the oldest run. */
  readonly end: () => void;
}

function stage(workers: number, take: (key: ObjectKey) => boolean = () => true): Stage {
  const { clock } = testRuntime();
  const queue = createQueue<ObjectKey, string>({ clock });
  const began: string[] = [];
  const pool: WorkerPool<string, Run> = new WorkerPool<string, Run>({
    queue,
    clock,
    workers,
    begin: (work) => {
      if (take(work.key)) return work;
      queue.done(work.key);
      return undefined;
    },
    start: ({ key }) => void began.push(key),
  });
  let added = 0;
  return {
    clock,
    queue,
    pool,
    began,
    add: (count) => {
      for (let index = 0; index < count; index++) queue.add(objectKey(`n${added++}`));
    },
    end: () => {
      const [run] = pool.active;
      if (run === undefined) return;
      queue.done(run.key);
      pool.ended(run);
    },
  };
}

describe("WorkerPool", () => {
  it("takes nothing before start, then as many keys as slots, then one for each that ends", () => {
    const { pool, began, add, end } = stage(2);
    add(4);
    expect(began).toEqual([]);
    pool.start();
    expect(began).toEqual(["n0", "n1"]);
    end();
    expect(began).toEqual(["n0", "n1", "n2"]);
  });

  it("waits for keys if there are none", async () => {
    const { clock, pool, began, add } = stage(2);
    pool.start();
    add(3);
    await clock.settle();
    expect(began).toEqual(["n0", "n1"]);
  });

  it("B17: takes more keys after setWorkers raised the number, and none until enough have ended after it lowered it", async () => {
    const { clock, pool, began, add, end } = stage(1);
    add(100);
    pool.start();
    pool.setWorkers(64);
    expect(began.length).toBe(64);
    pool.setWorkers(2);
    for (let ended = 0; ended < 62; ended++) end();
    expect([began.length, pool.active.size]).toEqual([64, 2]);
    end();
    expect([began.length, pool.active.size]).toEqual([65, 2]);
    await clock.settle();
    expect(new Set(began).size).toBe(65);
  });

  it("keeps a key received just after the last slot was removed for the next free slot", async () => {
    const { clock, pool, began, add, end } = stage(2);
    pool.start();
    add(1);
    await clock.settle();
    add(1);
    pool.setWorkers(1);
    await clock.settle();
    expect(began).toEqual(["n0"]);
    end();
    expect(began).toEqual(["n0", "n1"]);
  });

  it("uses no slot for a key that needs none", () => {
    const { pool, began, add } = stage(1, (key) => key !== "n0");
    add(2);
    pool.start();
    expect(began).toEqual(["n1"]);
  });

  it("takes nothing after stop, is idle when the last run has ended, and marks a late key done", async () => {
    const { clock, queue, pool, began, add, end } = stage(2);
    const never = new AbortController().signal;
    pool.start();
    add(1);
    await clock.settle();
    add(1);
    let isIdle = false;
    pool.stop();
    queue.shutDown();
    void pool.idle(never).then(() => {
      isIdle = true;
    });
    await clock.settle();
    expect([began, isIdle, queue.inspect(objectKey("n1"))]).toEqual([["n0"], false, undefined]);
    end();
    await clock.settle();
    expect([isIdle, clock.pending]).toEqual([true, []]);
    pool.start();
    pool.setWorkers(5);
    expect(began).toEqual(["n0"]);
  });

  it("marks a held key done when it is stopped", async () => {
    const { clock, queue, pool, add } = stage(2);
    pool.start();
    add(1);
    await clock.settle();
    add(1);
    pool.setWorkers(1);
    await clock.settle();
    pool.stop();
    expect(queue.inspect(objectKey("n1"))).toBeUndefined();
  });

  it("yields to the event loop every ten milliseconds, and can be stopped meanwhile", async () => {
    const { clock: truth } = testRuntime();
    const clock = blockableClock(truth);
    const queue = createQueue<ObjectKey, string>({ clock });
    let count = 0;
    const pool: WorkerPool<string, Run> = new WorkerPool<string, Run>({
      queue,
      clock,
      workers: 1,
      begin: (work) => work,
      start: (work) => {
        count++;
        clock.block(3);
        queue.done(work.key);
        pool.ended(work);
      },
    });
    for (let index = 0; index < 50; index++) queue.add(objectKey(`n${index}`));
    pool.start();
    expect(count).toBe(4);
    await truth.advance(0);
    expect(count).toBe(50);
    for (let index = 0; index < 50; index++) queue.add(objectKey(`n${index}`));
    await truth.settle();
    const before = count;
    expect(before).toBeLessThan(60);
    pool.stop();
    await truth.advance(10);
    expect(count).toBe(before);
  });
});
