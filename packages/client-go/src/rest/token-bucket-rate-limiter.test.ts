import { ManualClock } from "@drover/machinery/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { tokenBucketRateLimiter } from "./token-bucket-rate-limiter.ts";

const limiterOf = (qps: number, burst: number, clock = new ManualClock()) => ({
  clock,
  limiter: tokenBucketRateLimiter({ qps, burst, clock }),
});

describe("tokenBucketRateLimiter", () => {
  it("allows a burst at once and then one token at a time", async () => {
    const { clock, limiter } = limiterOf(2, 3);
    const at: number[] = [];
    const all = Promise.all(Array.from({ length: 5 }, async () => limiter.accept().then(() => at.push(clock.monotonic()))));
    await clock.runAll();
    await all;
    expect(at).toEqual([0, 0, 0, 500, 1000]);
  });

  it("tryAccept takes a token if one is available, and none otherwise", async () => {
    const { clock, limiter } = limiterOf(1, 2);
    expect([limiter.tryAccept(), limiter.tryAccept(), limiter.tryAccept(), limiter.tryAccept()]).toEqual([true, true, false, false]);
    await clock.advance(999);
    expect(limiter.tryAccept()).toBe(false);
    await clock.advance(1);
    expect([limiter.tryAccept(), limiter.tryAccept()]).toEqual([true, false]);
  });

  it("returns the token of an aborted wait, and takes none when the signal is aborted already", async () => {
    const { clock, limiter } = limiterOf(1, 1);
    await limiter.wait();
    const reason = new Error("enough");
    const controller = new AbortController();
    const left = limiter.wait({ signal: controller.signal });
    const stays = limiter.wait();
    controller.abort(reason);
    await expect(left).rejects.toBe(reason);
    await expect(limiter.wait({ signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    await clock.advance(2000);
    await stays;
    expect(limiter.tryAccept()).toBe(true);
    expect(clock.pending).toEqual([]);
  });

  it("returns its rate, accepts stop, and rejects invalid rates", () => {
    const { limiter } = limiterOf(7.5, 1);
    limiter.stop();
    expect([limiter.qps(), limiter.tryAccept()]).toEqual([7.5, true]);
    for (const [qps, burst] of [
      [0, 1],
      [-1, 1],
      [Number.NaN, 1],
      [Infinity, 1],
      [1, 0],
    ] as const)
      expect(() => limiterOf(qps, burst)).toThrow(RangeError);
  });

  it("never allows more than burst + rate × time, in any order of calls", async () => {
    const steps = fc.array(fc.oneof(fc.constant("wait"), fc.constant("try"), fc.integer({ min: 1, max: 700 })), { maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 1, max: 5 }), steps, async (qps, burst, script) => {
        const { clock, limiter } = limiterOf(qps, burst);
        const at: number[] = [];
        const waiting: Promise<unknown>[] = [];
        for (const step of script) {
          if (step === "wait") waiting.push(limiter.wait().then(() => at.push(clock.monotonic())));
          else if (step === "try") at.push(...(limiter.tryAccept() ? [clock.monotonic()] : []));
          else await clock.advance(step);
        }
        await clock.runAll();
        await Promise.all(waiting);
        at.sort((a, b) => a - b);
        for (const [index, time] of at.entries()) expect(index + 1).toBeLessThanOrEqual(burst + (qps * time) / 1000 + 1e-6);
      }),
    );
  });
});
