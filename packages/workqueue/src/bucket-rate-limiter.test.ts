import { ManualClock } from "@drover/machinery/testing";
import { describe, expect, it } from "vitest";
import { bucketRateLimiter } from "./bucket-rate-limiter.ts";

describe("bucketRateLimiter", () => {
  it("allows a burst and then one retry per 1/qps seconds, for all keys together", async () => {
    const clock = new ManualClock({ quietTurns: 1 });
    const limiter = bucketRateLimiter<string>(10, 3, { clock });
    expect(["a", "b", "c", "d", "e", "a"].map((key) => limiter.when(key))).toEqual([0, 0, 0, 100, 200, 300]);
    await clock.advance(300);
    expect(limiter.when("a")).toBe(100);
    await clock.advance(10_000);
    expect(["a", "b", "c", "d"].map((key) => limiter.when(key))).toEqual([0, 0, 0, 100]);
  });

  it("ignores keys: numRequeues returns 0 and forget does nothing", () => {
    const limiter = bucketRateLimiter<string>(1, 1, { clock: new ManualClock() });
    limiter.when("a");
    limiter.forget("a");
    expect([limiter.numRequeues("a"), limiter.when("a")]).toEqual([0, 1000]);
  });

  it("B19: keeps the rate at fractional and huge qps, and rejects rates that would never allow a retry", async () => {
    for (const [qps, burst] of [
      [0.001, 1],
      [0.3, 2],
      [7.5, 3],
      [1e6, 10],
    ] as const) {
      const clock = new ManualClock({ quietTurns: 1 });
      const limiter = bucketRateLimiter<string>(qps, burst, { clock });
      const ends: number[] = [];
      for (let round = 0; round < 50; round++) {
        ends.push(clock.monotonic() + limiter.when("a"));
        await clock.advance(round % 7);
      }
      for (let from = 0; from < ends.length; from++)
        for (let to = from; to < ends.length; to++) {
          const seconds = ((ends[to] ?? 0) - (ends[from] ?? 0)) / 1000;
          expect(to - from + 1).toBeLessThanOrEqual(burst + seconds * qps + 1e-6);
        }
    }
    const clock = new ManualClock();
    const huge = bucketRateLimiter<string>(1e12, 1, { clock });
    expect([huge.when("a"), huge.when("a")]).toEqual([0, 1e-9]);
    expect(bucketRateLimiter(Infinity, 1, { clock }).when("a")).toBe(0);
    for (const qps of [0, -1, NaN]) expect(() => bucketRateLimiter(qps, 1, { clock })).toThrow(RangeError);
    for (const burst of [0, 0.5, NaN]) expect(() => bucketRateLimiter(1, burst, { clock })).toThrow(RangeError);
  });
});
