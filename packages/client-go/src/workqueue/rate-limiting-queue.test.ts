import { ManualClock } from "@drover/machinery/testing";
import { describe, expect, it } from "vitest";
import { defaultControllerRateLimiter, itemExponentialFailureRateLimiter } from "@drover/workqueue";
import { newDelayingQueue } from "./delaying-queue.ts";
import { newNamedRateLimitingQueue, newRateLimitingQueue } from "./rate-limiting-queue.ts";

describe("newRateLimitingQueue", () => {
  it("delays each key by the limiter's delay, which starts again after forget", () => {
    const clock = new ManualClock();
    const asked: [string, number][] = [];
    const delayingQueue = {
      ...newRateLimitingQueue(itemExponentialFailureRateLimiter<string>(1, 1), { clock }),
      addAfter: (key: string, ms: number) => void asked.push([key, ms]),
    };
    const queue = newRateLimitingQueue(itemExponentialFailureRateLimiter<string>(1, 1000), { clock, delayingQueue });
    queue.addRateLimited("one");
    queue.addRateLimited("one");
    expect(queue.numRequeues("one")).toBe(2);
    queue.addRateLimited("two");
    queue.addRateLimited("two");
    queue.forget("one");
    expect(queue.numRequeues("one")).toBe(0);
    queue.addRateLimited("one");
    expect(asked).toEqual([
      ["one", 1],
      ["one", 2],
      ["two", 1],
      ["two", 2],
      ["one", 1],
    ]);
  });

  it("runs the sequence of the documents: add, get, failure, retry, forget, done", async () => {
    const clock = new ManualClock({ quietTurns: 5 });
    const queue = newRateLimitingQueue(defaultControllerRateLimiter<string>({ clock }), { clock });
    queue.add("shop/web");
    const runs: number[] = [];
    for (let attempt = 1; attempt <= 3; attempt++) {
      const key = await queue.get();
      if (key === undefined) break;
      runs.push(clock.monotonic());
      if (attempt < 3) queue.addRateLimited(key);
      else queue.forget(key);
      queue.done(key);
      await clock.advance(100);
    }
    expect(runs).toEqual([0, 100, 200]);
    expect([queue.len(), queue.waitingLen(), queue.numRequeues("shop/web"), queue.tryGet()]).toEqual([0, 0, 0, undefined]);
  });

  it("delegates the other methods to the delaying queue", async () => {
    const clock = new ManualClock({ quietTurns: 5 });
    const queue = newNamedRateLimitingQueue(itemExponentialFailureRateLimiter<string>(1, 10), "named", {
      clock,
      delayingQueue: newDelayingQueue({ clock }),
    });
    queue.addAfter("a", 5);
    expect([queue.waitingLen(), queue.cancel("a"), queue.waitingLen()]).toEqual([1, true, 0]);
    queue.add("b");
    expect([queue.len(), queue.tryGet(), queue.shuttingDown()]).toEqual([1, "b", false]);
    const draining = queue.shutDownWithDrain();
    queue.done("b");
    await draining;
    queue.shutDown();
    queue.addRateLimited("c");
    expect([queue.shuttingDown(), await queue.get()]).toEqual([true, undefined]);
  });
});
