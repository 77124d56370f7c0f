import { getEventListeners } from "node:events";
import { describe, expect, it } from "vitest";
import { ManualClock } from "../testing/manual-clock.ts";
import { Group } from "./group.ts";
import { sleep } from "./wait.ts";

const outcome = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => "ok",
    (error: unknown) => error,
  );

describe("Group", () => {
  it("is done when every task has settled, including those started meanwhile", async () => {
    const clock = new ManualClock();
    const group = new Group();
    const ended: string[] = [];
    group.spawn("parent", async () => {
      await sleep(clock, 10);
      group.spawn("child", async () => {
        await sleep(clock, 10);
        ended.push("child");
      });
      ended.push("parent");
    });
    const done = group.done().then(() => ended.push("group"));
    expect(group.running()).toEqual(["parent"]);
    await clock.advance(10);
    expect(group.running()).toEqual(["child"]);
    await clock.advance(10);
    await done;
    expect(ended).toEqual(["parent", "child", "group"]);
  });

  it("stops the others at the first failure, awaits them, then throws it", async () => {
    const clock = new ManualClock();
    const group = new Group();
    const boom = new Error("boom");
    let cleanedUp = false;
    group.spawn("slow", async (signal) => {
      await sleep(clock, 1000, { signal }).catch(() => undefined);
      await sleep(clock, 50);
      cleanedUp = true;
    });
    group.spawn("obedient", (signal) => sleep(clock, 1000, { signal }));
    group.spawn("failing", async () => {
      await sleep(clock, 5);
      throw boom;
    });
    const done = outcome(group.done());
    await clock.advance(6);
    expect(group.running()).toEqual(["slow"]);
    expect(group.signal.reason).toBe(boom);
    await clock.advance(50);
    expect(await done).toBe(boom);
    expect(cleanedUp).toBe(true);
  });

  it("treats a task that throws before its first await as a failure too", async () => {
    const group = new Group();
    group.spawn("sync", () => {
      throw new Error("at once");
    });
    expect(await outcome(group.done())).toEqual(new Error("at once"));
  });

  it("throws an AggregateError, first failure first, when others fail while stopping", async () => {
    const group = new Group();
    group.spawn("a", () => Promise.reject(new Error("first")));
    group.spawn("b", async () => {
      await Promise.resolve();
      throw new TypeError("second");
    });
    const error = (await outcome(group.done())) as AggregateError;
    expect(error).toBeInstanceOf(AggregateError);
    expect([error.errors, error.cause, error.message]).toEqual([
      [new Error("first"), new TypeError("second")],
      new Error("first"),
      "first (and 1 more: second)",
    ]);
  });

  it("does not treat stopping on its own signal as a failure, in any form", async () => {
    const clock = new ManualClock();
    const parent = new AbortController();
    const group = new Group({ signal: parent.signal });
    group.spawn("reason", (signal) => sleep(clock, 1000, { signal }));
    group.spawn("abort error", async (signal) => {
      await sleep(clock, 1000, { signal }).catch(() => undefined);
      throw new DOMException("The operation was aborted", "AbortError");
    });
    group.spawn("wrapped", async (signal) => {
      await sleep(clock, 1000, { signal }).catch((error: unknown) => {
        throw new Error("watch pods: stopped", { cause: error });
      });
    });
    parent.abort(new Error("shutting down"));
    expect(await outcome(group.done())).toBe("ok");
    expect(getEventListeners(parent.signal, "abort")).toEqual([]);
  });

  it("treats an AbortError as a failure when it was not stopped", async () => {
    const group = new Group();
    const error = new DOMException("of another signal", "AbortError");
    group.spawn("a", () => Promise.reject(error));
    expect(await outcome(group.done())).toBe(error);
  });

  it("lets the others continue with isolated failures, and reports each", async () => {
    const clock = new ManualClock();
    const told: unknown[] = [];
    let finished = false;
    const group = new Group({ onFailure: "isolate", onError: (error, name) => told.push([name, (error as Error).message]) });
    group.spawn("bad", () => Promise.reject(new Error("boom")));
    group.spawn("good", async (signal) => {
      await sleep(clock, 10, { signal });
      finished = true;
    });
    const done = outcome(group.done());
    await clock.advance(10);
    expect(await done).toBe("ok");
    expect([finished, told]).toEqual([true, [["bad", "boom"]]]);
  });

  it("stops when onError throws", async () => {
    const clock = new ManualClock();
    const group = new Group({
      onFailure: "isolate",
      onError: () => {
        throw new Error("handler");
      },
    });
    group.spawn("good", (signal) => sleep(clock, 1000, { signal }));
    group.spawn("bad", () => Promise.reject(new Error("boom")));
    expect(await outcome(group.done())).toEqual(new Error("handler"));
  });

  it("refuses to start a task when it is stopping or over", async () => {
    const group = new Group();
    await group.done();
    expect(() => group.spawn("late", () => Promise.resolve())).toThrow("cannot start late: the group is over");
    expect(() => new Group({ signal: AbortSignal.abort() }).spawn("x", () => Promise.resolve())).toThrow("cannot start x");
  });

  it("does not count a refused late start as a failure of the task that tried", async () => {
    const group = new Group();
    group.spawn("parent", async () => {
      await Promise.resolve();
      group.abort();
      group.spawn("child", () => Promise.resolve());
    });
    expect(await outcome(group.done())).toBe("ok");
  });

  it("drains within its time and names the tasks that did not", async () => {
    const clock = new ManualClock();
    const group = new Group();
    const stuck = new AbortController();
    group.spawn("quick", (signal) => sleep(clock, 1000, { signal }));
    group.spawn("stuck", () => sleep(clock, 1e9, { signal: stuck.signal }).catch(() => undefined));
    const drained = group.drain(clock, 500);
    await clock.advance(500);
    expect(await drained).toEqual(["stuck"]);
    const again = group.drain(clock, 500);
    stuck.abort();
    expect(await again).toEqual([]);
    expect(clock.pending).toEqual([]);
  });

  it("leaves the failure for done when it drains", async () => {
    const clock = new ManualClock();
    const group = new Group();
    group.spawn("bad", () => Promise.reject(new Error("boom")));
    await clock.settle();
    expect(await group.drain(clock, 10)).toEqual([]);
    expect(await outcome(group.done())).toEqual(new Error("boom"));
  });
});
