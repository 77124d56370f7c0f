import { ManualClock } from "@drover/machinery/testing";
import { describe, expect, it } from "vitest";
import { defaultControllerRateLimiter, defaultItemBasedRateLimiter } from "./default-rate-limiter.ts";

describe("defaultControllerRateLimiter", () => {
  it("doubles from 5 ms and reaches 1,000 s at the nineteenth failure", async () => {
    const clock = new ManualClock({ quietTurns: 1 });
    const limiter = defaultControllerRateLimiter<string>({ clock });
    const delays: number[] = [];
    for (let failure = 0; failure < 20; failure++) delays.push(limiter.when("a"));
    expect(delays.slice(0, 4)).toEqual([5, 10, 20, 40]);
    expect(delays.slice(17)).toEqual([655_360, 1_000_000, 1_000_000]);
  });

  it("limits keys that fail together to 10 retries a second after the first 100", () => {
    const limiter = defaultControllerRateLimiter<string>({ clock: new ManualClock() });
    const delays = Array.from({ length: 1000 }, (_, key) => limiter.when(String(key)));
    expect(delays.slice(0, 100).every((delay) => delay === 5)).toBe(true);
    expect(delays[100]).toBe(100);
    expect(delays[999]).toBe(90_000);
  });
});

describe("defaultItemBasedRateLimiter", () => {
  it("doubles from 1 ms to 1,000 s", () => {
    const limiter = defaultItemBasedRateLimiter<string>();
    expect(Array.from({ length: 22 }, () => limiter.when("a")).filter((_, index) => index < 3 || index > 19)).toEqual([
      1, 2, 4, 1_000_000, 1_000_000,
    ]);
  });
});
