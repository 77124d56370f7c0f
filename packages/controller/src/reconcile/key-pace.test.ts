import type { ObjectKey } from "@drover/machinery";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { KeyPace } from "./key-pace.ts";

const key = "shop/web" as ObjectKey;

describe("KeyPace", () => {
  it("allows a burst, then one run per interval, and a burst again after a rest", () => {
    const pace = new KeyPace({ everyMs: 100, burst: 3 });
    const waits = [0, 0, 0, 0, 50, 100, 100, 1000, 1000, 1000, 1000].map((now) => pace.waitMs(key, now));
    expect(waits).toEqual([0, 0, 0, 100, 50, 0, 100, 0, 0, 0, 100]);
  });

  it("allows one run per interval without a burst, and counts each key by itself", () => {
    const pace = new KeyPace({ everyMs: 100 });
    expect([pace.waitMs(key, 0), pace.waitMs("b" as ObjectKey, 10), pace.waitMs(key, 10), pace.waitMs(key, 100)]).toEqual([0, 0, 90, 0]);
  });

  it("never lets a key run more than burst + t / everyMs times in t milliseconds, and lets it run when the returned delay is over", () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0.001, max: 5000, noNaN: true }),
        fc.integer({ min: 1, max: 20 }),
        fc.array(fc.record({ gap: fc.double({ min: 0, max: 2000, noNaN: true }), key: fc.constantFrom("a", "b", "c") }), {
          maxLength: 200,
        }),
        fc.double({ min: 0, max: 1e9, noNaN: true }),
        (everyMs, burst, asks, startMs) => {
          const pace = new KeyPace({ everyMs, burst });
          const ran = new Map<string, number[]>();
          let now = startMs;
          for (const ask of asks) {
            now += ask.gap;
            const waitMs = pace.waitMs(ask.key as ObjectKey, now);
            expect(Number.isInteger(waitMs) && waitMs >= 0).toBe(true);
            if (waitMs > 0) {
              now += waitMs;
              expect(pace.waitMs(ask.key as ObjectKey, now)).toBe(0);
            }
            ran.set(ask.key, [...(ran.get(ask.key) ?? []), now]);
          }
          for (const times of ran.values()) {
            for (const [first, from] of times.entries())
              for (let last = first + burst; last < times.length; last++)
                expect(last - first + 1).toBeLessThanOrEqual(burst + ((times[last] ?? 0) - from) / everyMs + 1e-3);
          }
        },
      ),
    );
  });

  it("forgets keys that have rested, and keeps at most 100,000", () => {
    const pace = new KeyPace({ everyMs: 1000 });
    for (let index = 0; index < 5000; index++) pace.waitMs(`rested-${index}` as ObjectKey, 0);
    for (const now of [1000, 2000]) pace.waitMs(key, now);
    expect(pace.size).toBe(1);
    let most = 0;
    for (let index = 0; index < 210_000; index++) {
      pace.waitMs(`many-${index}` as ObjectKey, 2000);
      most = Math.max(most, pace.size);
    }
    expect(most).toBe(100_000);
  });

  it("refuses invalid limits by name", () => {
    for (const everyMs of [0, -1, Number.NaN, Infinity]) expect(() => new KeyPace({ everyMs })).toThrow(/rate\.everyMs must be/u);
    for (const burst of [0, 1.5, Number.NaN, 1001]) expect(() => new KeyPace({ everyMs: 1, burst })).toThrow(/rate\.burst must be/u);
  });
});
