import { describe, expect, it } from "vitest";
import { ManualClock } from "../testing/manual-clock.ts";
import { defaultRetry } from "./backoff.ts";
import type { Backoff } from "./backoff.ts";
import { createRandom } from "./random.ts";
import { exponentialBackoff, retryOnError } from "./retry.ts";
import { TimeoutError } from "./timeout-error.ts";

const random = createRandom(1);
const attempts = async (backoff: Backoff, succeedsAt: number): Promise<unknown> => {
  const clock = new ManualClock();
  const at: number[] = [];
  const result = exponentialBackoff(backoff, () => at.push(clock.monotonic()) >= succeedsAt, { clock, random }).then(
    () => "ok",
    (error: unknown) => error,
  );
  await clock.runAll();
  expect(clock.monotonic()).toBe(at.at(-1) ?? 0);
  return [at, await result];
};

describe("exponentialBackoff", () => {
  it("tries as often as there are steps, waits between attempts and not after the last", async () => {
    expect(await attempts({ duration: 10, factor: 2, steps: 4 }, 99)).toEqual([
      [0, 10, 30, 70],
      new TimeoutError("timed out waiting for the condition"),
    ]);
    expect(await attempts({ duration: 10, factor: 2, steps: 4 }, 3)).toEqual([[0, 10, 30], "ok"]);
  });

  it("stops when the cap uses up the steps, and does not try without steps", async () => {
    expect(await attempts({ duration: 10, factor: 10, steps: 9, cap: 50 }, 99)).toMatchObject([[0], {}]);
    expect(await attempts({ duration: 10 }, 1)).toMatchObject([[], {}]);
  });

  it("stops with the signal's reason", async () => {
    const controller = new AbortController();
    const clock = new ManualClock();
    const result = exponentialBackoff({ duration: 10, steps: 5 }, () => false, { clock, random, signal: controller.signal }).catch(
      (error: unknown) => error,
    );
    await clock.settle();
    controller.abort("stop");
    expect(await result).toBe("stop");
    expect(clock.pending).toEqual([]);
  });
});

describe("retryOnError", () => {
  const run = async (failures: number, isRetriable: (error: unknown) => boolean): Promise<unknown> => {
    const clock = new ManualClock();
    let calls = 0;
    const result = retryOnError(
      { ...defaultRetry, jitter: 0 },
      isRetriable,
      () => (++calls > failures ? Promise.resolve("done") : Promise.reject(new Error(`failure ${calls}`))),
      { clock, random },
    ).catch((error: unknown) => (error as Error).message);
    await clock.runAll();
    return [await result, calls, clock.monotonic()];
  };

  it("retries retriable errors up to the steps, and throws the last", async () => {
    expect(await run(2, () => true)).toEqual(["done", 3, 20]);
    expect(await run(99, () => true)).toEqual(["failure 5", 5, 40]);
  });

  it("throws any other error at once", async () => {
    expect(await run(99, () => false)).toEqual(["failure 1", 1, 0]);
  });
});
