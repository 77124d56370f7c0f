import { createRandom } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { retryLimiter } from "./retry-policy.ts";
import { keyOf } from "./testing/controller-rig.ts";

const web = keyOf("shop/web");
const random = createRandom(1);

describe("retryLimiter", () => {
  it("is client-go's without jitter: 5 ms doubling to 1,000 s", () => {
    const limiter = retryLimiter({ jitter: 0 }, random);
    const pauses = Array.from({ length: 20 }, () => limiter.when(web));
    expect([pauses.slice(0, 4), pauses.at(-1)]).toEqual([[5, 10, 20, 40], 1_000_000]);
  });

  it("extends each delay by up to a fifth, differently for each key", () => {
    const limiter = retryLimiter({ baseMs: 1000 }, random);
    const pauses = Array.from({ length: 50 }, (_, index) => limiter.when(keyOf(`n${index}`)));
    expect([Math.min(...pauses) >= 1000, Math.max(...pauses) <= 1200, new Set(pauses).size > 40]).toEqual([true, true, true]);
  });

  it("returns a custom limiter unchanged", () => {
    const own = { when: () => 1, forget: () => undefined, numRequeues: () => 0 };
    expect(retryLimiter({ limiter: own, baseMs: 7 }, random)).toBe(own);
  });

  it("names an invalid field", () => {
    expect(() => retryLimiter({ baseMs: Number.NaN }, random)).toThrow(
      new RangeError("createController: retry.baseMs must be a finite number, zero or more, not NaN"),
    );
    expect(() => retryLimiter({ capMs: -1 }, random)).toThrow("retry.capMs");
    expect(() => retryLimiter({ jitter: Infinity }, random)).toThrow("retry.jitter");
  });
});
