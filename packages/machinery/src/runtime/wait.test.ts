import { getEventListeners } from "node:events";
import { describe, expect, it } from "vitest";
import { ManualClock } from "../testing/manual-clock.ts";
import { createRandom } from "./random.ts";
import { TimeoutError, isInterrupted } from "./timeout-error.ts";
import { abortable, deadline, poll, sleep, until, withTimeout } from "./wait.ts";
import type { UntilOptions } from "./wait.ts";

const listeners = (signal: AbortSignal): number => getEventListeners(signal, "abort").length;
const outcome = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    (value) => ["ok", value],
    (error: unknown) => ["failed", error],
  );

describe("sleep", () => {
  it("resolves after its delay, and leaves no listener", async () => {
    const clock = new ManualClock();
    const { signal } = new AbortController();
    const slept = sleep(clock, 100, { signal });
    expect(listeners(signal)).toBe(1);
    await clock.advance(100);
    await slept;
    expect(listeners(signal)).toBe(0);
  });

  it("rejects at once, without timer or listener, when the signal is already aborted", async () => {
    const clock = new ManualClock();
    const signal = AbortSignal.abort("why");
    expect(await outcome(sleep(clock, 100, { signal }))).toEqual(["failed", "why"]);
    expect([clock.pending.length, listeners(signal)]).toEqual([0, 0]);
  });

  it("rejects with the signal's reason when aborted meanwhile, and leaves no timer", async () => {
    const clock = new ManualClock();
    const controller = new AbortController();
    const slept = outcome(sleep(clock, 100, { signal: controller.signal }));
    const reason = new Error("stop");
    controller.abort(reason);
    expect(await slept).toEqual(["failed", reason]);
    expect([clock.pending.length, listeners(controller.signal)]).toEqual([0, 0]);
  });

  it("waits for the signal when the delay is infinite", async () => {
    const clock = new ManualClock();
    const controller = new AbortController();
    const slept = outcome(sleep(clock, Infinity, { signal: controller.signal }));
    await clock.advance(1e12);
    controller.abort("now");
    expect(await slept).toEqual(["failed", "now"]);
  });
});

describe("deadline and withTimeout", () => {
  it("return the result of work that is done in time, and leave nothing behind", async () => {
    const clock = new ManualClock();
    const { signal } = new AbortController();
    expect(await withTimeout(clock, 1000, () => Promise.resolve(42), { signal })).toBe(42);
    expect([clock.pending.length, listeners(signal)]).toEqual([0, 0]);
  });

  it("abort the work on a timeout, and await it", async () => {
    const clock = new ManualClock();
    let cleanedUp = false;
    const result = outcome(
      withTimeout(clock, 1000, async (signal) => {
        try {
          await sleep(clock, 5000, { signal });
        } finally {
          await sleep(clock, 10);
          cleanedUp = true;
        }
      }),
    );
    await clock.advance(1009);
    expect(cleanedUp).toBe(false);
    await clock.advance(1);
    const [, error] = (await result) as [string, unknown];
    expect(error).toBeInstanceOf(TimeoutError);
    expect(error).toMatchObject({ message: "timed out after 1000 ms", reason: "Timeout" });
    expect([cleanedUp, isInterrupted(error)]).toEqual([true, true]);
  });

  it("pass on the parent's reason, and do not start when the parent is already aborted", async () => {
    const clock = new ManualClock();
    const controller = new AbortController();
    const result = outcome(withTimeout(clock, 1000, (signal) => sleep(clock, 5000, { signal }), { signal: controller.signal }));
    controller.abort("parent");
    expect(await result).toEqual(["failed", "parent"]);
    expect(await outcome(withTimeout(clock, 1, () => expect.unreachable(), { signal: controller.signal }))).toEqual(["failed", "parent"]);
    expect([clock.pending.length, listeners(controller.signal)]).toEqual([0, 0]);
  });

  it("release a deadline for good", async () => {
    const clock = new ManualClock();
    const controller = new AbortController();
    const { signal, release } = deadline(clock, 1000, { signal: controller.signal });
    release();
    release();
    controller.abort();
    await clock.advance(2000);
    expect(signal.aborted).toBe(false);
    expect(deadline(clock, 1000, { signal: controller.signal }).signal.aborted).toBe(true);
    expect(clock.pending).toEqual([]);
  });
});

describe("abortable", () => {
  it("settles like the promise, or rejects with the reason if that comes first", async () => {
    const controller = new AbortController();
    expect(await abortable(Promise.resolve(1), controller.signal)).toBe(1);
    expect(await outcome(abortable(Promise.reject(new Error("no")), controller.signal))).toEqual(["failed", new Error("no")]);
    expect(listeners(controller.signal)).toBe(0);
    let fail = (_error: Error): void => undefined;
    const waiting = outcome(abortable(new Promise<void>((_, reject) => (fail = reject)), controller.signal));
    controller.abort("enough");
    expect(await waiting).toEqual(["failed", "enough"]);
    fail(new Error("too late to matter"));
    expect(await outcome(abortable(new Promise(() => undefined), controller.signal))).toEqual(["failed", "enough"]);
  });
});

describe("until", () => {
  const record = async (options: Omit<UntilOptions, "signal">, workMs: number): Promise<number[]> => {
    const clock = new ManualClock();
    const controller = new AbortController();
    const starts: number[] = [];
    const loop = until(
      clock,
      100,
      async () => {
        starts.push(clock.monotonic());
        await sleep(clock, workMs);
      },
      { signal: controller.signal, ...options },
    );
    await clock.advance(400);
    controller.abort();
    await clock.advance(1000);
    await loop;
    expect([clock.pending.length, listeners(controller.signal)]).toEqual([0, 0]);
    return starts;
  };

  it("counts the period from the end of a call when sliding, from its start when not", async () => {
    expect(await record({}, 30)).toEqual([0, 130, 260, 390]);
    expect(await record({ sliding: false }, 30)).toEqual([0, 100, 200, 300, 400]);
  });

  it("continues at once, without overlap, when a call takes longer than a fixed period", async () => {
    expect(await record({ sliding: false }, 150)).toEqual([0, 150, 300]);
  });

  it("lengthens periods by up to the jitter, and never shortens them", async () => {
    const starts = await record({ jitter: { factor: 0.5, random: createRandom(1) } }, 0);
    const gaps = starts.slice(1).map((start, index) => start - (starts[index] ?? 0));
    expect(gaps.length).toBeGreaterThanOrEqual(2);
    for (const gap of gaps) expect(gap >= 100 && gap < 150).toBe(true);
    expect(new Set(gaps).size).toBe(gaps.length);
  });

  it("does not call when the signal is already aborted", async () => {
    await until(new ManualClock(), 1, () => expect.unreachable(), { signal: AbortSignal.abort() });
  });

  it("rejects with what the work throws", async () => {
    const { signal } = new AbortController();
    await expect(until(new ManualClock(), 1, () => Promise.reject(new Error("boom")), { signal })).rejects.toThrow("boom");
  });
});

describe("poll", () => {
  const checks = async (
    options: { immediate?: boolean; interval?: number; timeout?: number },
    workMs: number,
    holdsAt: number,
  ): Promise<unknown> => {
    const clock = new ManualClock();
    const controller = new AbortController();
    const at: number[] = [];
    const result = outcome(
      poll(clock, { interval: 100, signal: controller.signal, ...options }, async () => {
        at.push(clock.monotonic());
        await sleep(clock, workMs);
        return clock.monotonic() >= holdsAt;
      }),
    ).then((settled) => [settled, clock.monotonic()]);
    await clock.advance(2000);
    expect([clock.pending.length, listeners(controller.signal)]).toEqual([0, 0]);
    return [at, await result];
  };

  it("checks after the first interval, or at once when immediate", async () => {
    expect(await checks({}, 0, 300)).toEqual([
      [100, 200, 300],
      [["ok", undefined], 300],
    ]);
    expect(await checks({ immediate: true }, 0, 100)).toEqual([
      [0, 100],
      [["ok", undefined], 100],
    ]);
  });

  it("continues at once after a check that took longer than the interval", async () => {
    expect(await checks({}, 250, 900)).toEqual([
      [100, 350, 600, 850],
      [["ok", undefined], 1100],
    ]);
  });

  it("makes up for one missed interval and no more", async () => {
    const clock = new ManualClock();
    const at: number[] = [];
    const polled = poll(clock, { interval: 100 }, async () => {
      if (at.push(clock.monotonic()) === 1) await sleep(clock, 250);
      return at.length === 4;
    });
    await clock.runAll();
    await polled;
    expect(at).toEqual([100, 350, 400, 500]);
  });

  it("gives up after the timeout, which wins over a check of the same moment", async () => {
    const [at, [result, when]] = (await checks({ timeout: 300 }, 0, 1e9)) as [number[], [unknown, number]];
    expect([at, when]).toEqual([[100, 200], 300]);
    expect(result).toEqual(["failed", new TimeoutError("timed out after 300 ms")]);
  });

  it("lets a check in progress at the timeout decide", async () => {
    expect(await checks({ timeout: 150 }, 100, 200)).toEqual([[100], [["ok", undefined], 200]]);
    expect(await checks({ timeout: 150 }, 100, 1e9)).toMatchObject([[100], [["failed", {}], 200]]);
  });

  it("checks once when immediate even if the signal is already aborted, and not otherwise", async () => {
    const clock = new ManualClock();
    let calls = 0;
    const condition = (): boolean => ++calls > 5;
    const signal = AbortSignal.abort("off");
    expect(await outcome(poll(clock, { interval: 1, immediate: true, signal }, condition))).toEqual(["failed", "off"]);
    expect(calls).toBe(1);
    expect(await outcome(poll(clock, { interval: 1, signal }, condition))).toEqual(["failed", "off"]);
    expect(calls).toBe(1);
    expect(await outcome(poll(clock, { interval: 1, immediate: true, signal }, () => true))).toEqual(["ok", undefined]);
  });

  it("yields between checks when the interval is zero", async () => {
    const [at] = (await checks({ interval: 0 }, 1, 5)) as [number[]];
    expect(at).toEqual([0, 1, 2, 3, 4]);
  });

  it("rejects with what the condition throws, and releases its timers", async () => {
    const clock = new ManualClock();
    const options = { interval: 1, timeout: 1000, immediate: true };
    await expect(poll(clock, options, () => Promise.reject(new Error("boom")))).rejects.toThrow("boom");
    expect(clock.pending).toEqual([]);
  });
});

describe("isInterrupted", () => {
  it("distinguishes an interrupted wait from a failure", () => {
    expect([new TimeoutError("t"), AbortSignal.abort().reason, new DOMException("t", "TimeoutError")].map(isInterrupted)).toEqual([
      true,
      true,
      true,
    ]);
    expect([new Error("x"), undefined, "AbortError"].map(isInterrupted)).toEqual([false, false, false]);
  });
});
