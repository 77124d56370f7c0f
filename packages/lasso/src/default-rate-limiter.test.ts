import { objectKey } from "@drover/machinery";
import { expect, it } from "vitest";
import { newDefaultRateLimiter } from "./default-rate-limiter.ts";

it("newDefaultRateLimiter doubles from 5 ms to 30 s, and waits two minutes from the 31st failure (§3.27)", () => {
  const limiter = newDefaultRateLimiter();
  const key = objectKey("web", "shop");
  const delays = Array.from({ length: 32 }, () => limiter.when(key));
  expect(delays.slice(0, 4)).toEqual([5, 10, 20, 40]);
  expect(delays.slice(12, 14)).toEqual([20_480, 30_000]);
  expect(delays.slice(28)).toEqual([30_000, 30_000, 120_000, 120_000]);
  limiter.forget(key);
  expect([limiter.when(key), limiter.when(objectKey("other"))]).toEqual([5, 5]);
});
