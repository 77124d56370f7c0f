import { ManualClock, testRuntime } from "@drover/machinery/testing";
import { describe, expect, it } from "vitest";
import { newQueue } from "./classic-queue.ts";
import { newDelayingQueue } from "./delaying-queue.ts";

const start = () => {
  const clock = new ManualClock({ quietTurns: 5 });
  return { clock, queue: newDelayingQueue({ clock }) };
};

describe("newDelayingQueue", () => {
  it("adds a key when it is due, and not before", async () => {
    const { clock, queue } = start();
    queue.addAfter("foo", 50);
    expect([queue.len(), queue.waitingLen()]).toEqual([0, 1]);
    await clock.advance(49);
    expect(queue.len()).toBe(0);
    await clock.advance(1);
    expect([queue.len(), queue.waitingLen()]).toEqual([1, 0]);
    expect(queue.tryGet()).toBe("foo");
    queue.done("foo");
    await clock.advance(10_000);
    expect(queue.len()).toBe(0);
  });

  it("keeps the earlier of two delays, in any order", async () => {
    const { clock, queue } = start();
    queue.addAfter("foo", 50);
    queue.addAfter("foo", 70);
    await clock.advance(60);
    expect(queue.tryGet()).toBe("foo");
    queue.done("foo");
    await clock.advance(20);
    expect(queue.len()).toBe(0);
    queue.addAfter("foo", 50);
    queue.addAfter("foo", 30);
    await clock.advance(40);
    expect(queue.tryGet()).toBe("foo");
    queue.done("foo");
    await clock.advance(20);
    expect(queue.len()).toBe(0);
  });

  it("adds two keys each at its own time", async () => {
    const { clock, queue } = start();
    queue.addAfter("foo", 1000);
    queue.addAfter("bar", 50);
    await clock.advance(60);
    expect(queue.tryGet()).toBe("bar");
    expect(queue.len()).toBe(0);
    await clock.advance(1000);
    expect(queue.tryGet()).toBe("foo");
    queue.done("foo");
    queue.addAfter("foo", 500);
    await clock.advance(499);
    expect(queue.len()).toBe(0);
    await clock.advance(1);
    expect(queue.tryGet()).toBe("foo");
  });

  it("adds many keys in the order of their due times", async () => {
    const { clock, queue } = start();
    queue.addAfter("foo", 1000);
    queue.addAfter("bar", 500);
    queue.addAfter("baz", 250);
    await clock.advance(2000);
    expect([queue.tryGet(), queue.tryGet(), queue.tryGet()]).toEqual(["baz", "bar", "foo"]);
  });

  it("adds a key at once when the delay is zero or negative", () => {
    const { queue } = start();
    queue.addAfter("foo", 0);
    queue.addAfter("bar", -5);
    expect(queue.len()).toBe(2);
    for (const delay of [NaN, Infinity]) expect(() => queue.addAfter("foo", delay)).toThrow(RangeError);
  });

  it("keeps the delayed add when the key is added now, so it is handed out twice", async () => {
    const { clock, queue } = start();
    queue.addAfter("foo", 50);
    queue.add("foo");
    expect(queue.tryGet()).toBe("foo");
    queue.done("foo");
    await clock.advance(50);
    expect(queue.tryGet()).toBe("foo");
  });

  it("cancel removes a delayed add", async () => {
    const { clock, queue } = start();
    queue.addAfter("foo", 50);
    queue.addAfter("bar", 60);
    expect([queue.cancel("foo"), queue.cancel("foo")]).toEqual([true, false]);
    await clock.advance(100);
    expect([queue.tryGet(), queue.tryGet()]).toEqual(["bar", undefined]);
  });

  it("supports delays of years, with one timer (§9.11)", async () => {
    const { clock, queue } = start();
    const year = 365 * 24 * 3600 * 1000;
    queue.addAfter("foo", 3 * year);
    queue.addAfter("bar", 2 ** 31);
    expect(clock.pending).toHaveLength(1);
    await clock.advance(2 ** 31);
    expect(queue.tryGet()).toBe("bar");
    await clock.advance(3 * year - 2 ** 31 - 1);
    expect(queue.len()).toBe(0);
    await clock.advance(1);
    expect(queue.tryGet()).toBe("foo");
  });

  it("drops delayed keys at shutdown and leaves no timer", async () => {
    for (const shutDown of ["shutDown", "shutDownWithDrain"] as const) {
      const { clock, queue } = start();
      queue.addAfter("foo", 50);
      await queue[shutDown]();
      queue.addAfter("bar", 10);
      queue.addAfter("baz", 0);
      expect(clock.pending).toEqual([]);
      expect([queue.waitingLen(), queue.len(), queue.shuttingDown()]).toEqual([0, 0, true]);
      expect(await queue.get()).toBeUndefined();
    }
  });

  it("counts every addAfter as a retry, also without a delay, as client-go does", () => {
    const { clock, metrics } = testRuntime();
    const queue = newDelayingQueue({ clock, metrics, name: "test" });
    queue.addAfter("foo", 50);
    queue.addAfter("foo", 0);
    expect(
      metrics
        .families()
        .find(({ name }) => name === "workqueue_retries_total")
        ?.samples()[0]?.series.value,
    ).toBe(2);
  });

  it("adds due keys to a given queue", async () => {
    const clock = new ManualClock({ quietTurns: 5 });
    const inner = newQueue({ clock });
    const queue = newDelayingQueue({ clock, queue: inner });
    queue.addAfter("foo", 50);
    await clock.advance(50);
    expect(inner.tryGet()).toBe("foo");
    queue.done("foo");
    expect(inner.len()).toBe(0);
  });
});
