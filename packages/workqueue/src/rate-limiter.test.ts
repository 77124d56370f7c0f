import { createRandom } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { itemExponentialFailureRateLimiter, itemFastSlowRateLimiter, maxOfRateLimiter, withMaxWaitRateLimiter } from "./rate-limiter.ts";
import type { RateLimiter } from "./rate-limiter.ts";

const ask = (limiter: RateLimiter<string>, key: string, times: number): number[] => Array.from({ length: times }, () => limiter.when(key));

describe("itemExponentialFailureRateLimiter", () => {
  it("doubles with each failure of a key, and starts again after forget", () => {
    const limiter = itemExponentialFailureRateLimiter<string>(1, 1000);
    expect(ask(limiter, "one", 5)).toEqual([1, 2, 4, 8, 16]);
    expect(limiter.numRequeues("one")).toBe(5);
    expect(ask(limiter, "two", 2)).toEqual([1, 2]);
    expect(limiter.numRequeues("two")).toBe(2);
    limiter.forget("one");
    expect(limiter.numRequeues("one")).toBe(0);
    expect(limiter.when("one")).toBe(1);
  });

  it("stays at the maximum delay however often a key fails", () => {
    const limiter = itemExponentialFailureRateLimiter<string>(1, 1000);
    ask(limiter, "overflow1", 5);
    expect(limiter.when("overflow1")).toBe(32);
    ask(limiter, "overflow2", 3000);
    expect(limiter.when("overflow2")).toBe(1000);
    const odd = itemExponentialFailureRateLimiter<string>(60_000, 3_600_000);
    ask(odd, "three", 2);
    expect(odd.when("three")).toBe(240_000);
    ask(odd, "four", 2000);
    expect(odd.when("four")).toBe(3_600_000);
  });

  it("stays at zero when the base is zero", () => {
    expect(ask(itemExponentialFailureRateLimiter<string>(0, 1000), "a", 2000).every((delay) => delay === 0)).toBe(true);
  });

  it("spreads keys that failed together when it has jitter", () => {
    const limiter = itemExponentialFailureRateLimiter<string>(100, 100, { jitter: { factor: 0.5, random: createRandom(1) } });
    const delays = ask(limiter, "a", 100);
    expect(delays.every((delay) => delay >= 100 && delay <= 150)).toBe(true);
    expect(new Set(delays).size).toBeGreaterThan(90);
  });

  it("rejects negative, infinite and NaN delays", () => {
    expect(() => itemExponentialFailureRateLimiter(-1, 5)).toThrow(
      new RangeError("itemExponentialFailureRateLimiter: baseDelayMs must be a finite number of milliseconds, zero or more, not -1"),
    );
    expect(() => itemExponentialFailureRateLimiter(1, Infinity)).toThrow(RangeError);
    expect(() => itemFastSlowRateLimiter(NaN, 1, 1)).toThrow(RangeError);
    expect(() => withMaxWaitRateLimiter(itemFastSlowRateLimiter(1, 2, 3), NaN)).toThrow(RangeError);
  });
});

describe("itemFastSlowRateLimiter", () => {
  it("uses the fast delay for maxFastAttempts retries and then the slow one", () => {
    const limiter = itemFastSlowRateLimiter<string>(5, 10_000, 3);
    expect(ask(limiter, "one", 5)).toEqual([5, 5, 5, 10_000, 10_000]);
    expect(ask(limiter, "two", 2)).toEqual([5, 5]);
    expect([limiter.numRequeues("one"), limiter.numRequeues("two")]).toEqual([5, 2]);
    limiter.forget("one");
    expect([limiter.numRequeues("one"), limiter.when("one")]).toEqual([0, 5]);
  });
});

describe("maxOfRateLimiter", () => {
  it("returns the longest delay and counts in every limiter", () => {
    const [a, b] = [itemFastSlowRateLimiter<string>(5, 3000, 3), itemExponentialFailureRateLimiter<string>(1, 1000)];
    const limiter = maxOfRateLimiter(a, b);
    expect(ask(limiter, "one", 5)).toEqual([5, 5, 5, 3000, 3000]);
    expect([a.numRequeues("one"), b.numRequeues("one"), limiter.numRequeues("one")]).toEqual([5, 5, 5]);
    limiter.forget("one");
    expect([a.numRequeues("one"), b.numRequeues("one"), limiter.numRequeues("one")]).toEqual([0, 0, 0]);
    expect(maxOfRateLimiter<string>().when("x")).toBe(0);
  });
});

describe("withMaxWaitRateLimiter", () => {
  it("caps the delay and delegates the counting", () => {
    const limiter = withMaxWaitRateLimiter(itemFastSlowRateLimiter<string>(5, 10_000, 3), 100);
    expect(ask(limiter, "one", 5)).toEqual([5, 5, 5, 100, 100]);
    expect(limiter.numRequeues("one")).toBe(5);
    limiter.forget("one");
    expect(limiter.numRequeues("one")).toBe(0);
  });
});
