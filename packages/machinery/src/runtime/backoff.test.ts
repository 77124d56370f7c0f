import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ManualClock } from "../testing/manual-clock.ts";
import { delayFunc, delayWithReset, stepBackoff } from "./backoff.ts";
import type { Backoff } from "./backoff.ts";
import { createRandom } from "./random.ts";

const random = createRandom(1);
const delays = (backoff: Backoff, count: number): number[] => {
  const delay = delayFunc(backoff, random);
  return Array.from({ length: count }, delay);
};

describe("stepBackoff", () => {
  it("multiplies by the factor while there are steps, then stays constant", () => {
    expect(delays({ duration: 10, factor: 2, steps: 3 }, 6)).toEqual([10, 20, 40, 80, 80, 80]);
  });

  it("stops at the cap, which uses up all steps", () => {
    expect(delays({ duration: 10, factor: 3, steps: 100, cap: 50 }, 5)).toEqual([10, 30, 50, 50, 50]);
    expect(stepBackoff({ duration: 30, factor: 3, steps: 100, cap: 50 }, random)).toEqual([
      30,
      { duration: 50, factor: 3, steps: 0, cap: 50 },
    ]);
  });

  it("counts steps but keeps the duration without a factor, and keeps everything without steps", () => {
    expect(stepBackoff({ duration: 10, steps: 2 }, random)).toEqual([10, { duration: 10, steps: 1 }]);
    expect(stepBackoff({ duration: 10, factor: 2 }, random)).toEqual([10, { duration: 10, factor: 2 }]);
  });

  it("does not change its argument", () => {
    const backoff = Object.freeze({ duration: 10, factor: 2, steps: 3, jitter: 1 });
    stepBackoff(backoff, random);
    expect(backoff).toEqual({ duration: 10, factor: 2, steps: 3, jitter: 1 });
  });

  it("lengthens a delay by less than the jitter, and carries none of it over", () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0.01, max: 1e6, noNaN: true }),
        fc.double({ min: 0.01, max: 3, noNaN: true }),
        fc.integer({ min: 0, max: 5 }),
        (duration, jitter, steps) => {
          const [delay, next] = stepBackoff({ duration, factor: 2, jitter, steps }, random);
          expect(delay).toBeGreaterThanOrEqual(duration);
          expect(delay).toBeLessThanOrEqual(duration * (1 + jitter));
          expect(next.duration).toBe(steps > 0 ? duration * 2 : duration);
        },
      ),
    );
  });

  it("stays finite after any number of steps without a cap", () => {
    const last = delays({ duration: 1000, factor: 10, steps: 10_000, jitter: 0.1 }, 2000).at(-1);
    expect(last).toBeGreaterThan(Number.MAX_SAFE_INTEGER - 1);
    expect(Number.isFinite(last)).toBe(true);
  });
});

describe("delayWithReset", () => {
  const backoff: Backoff = { duration: 1, factor: 10, steps: 10 };

  it("starts over once more than the interval has passed since the last start", async () => {
    const clock = new ManualClock();
    const delay = delayWithReset(backoff, { clock, random, resetInterval: 100 });
    expect([delay(), delay(), delay()]).toEqual([1, 10, 100]);
    await clock.advance(100);
    expect(delay()).toBe(1000);
    await clock.advance(1);
    expect([delay(), delay()]).toEqual([1, 10]);
    await clock.advance(100);
    expect(delay()).toBe(100);
  });

  it("is constant without an interval, and never starts over without a factor", async () => {
    const clock = new ManualClock();
    const flat = delayWithReset(backoff, { clock, random, resetInterval: 0 });
    expect([flat(), flat(), flat()]).toEqual([1, 1, 1]);
    const fixed = delayWithReset({ duration: 5, steps: 1 }, { clock, random, resetInterval: 1 });
    await clock.advance(10);
    expect([fixed(), fixed()]).toEqual([5, 5]);
  });
});
