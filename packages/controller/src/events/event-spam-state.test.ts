import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { EventSpamState } from "./event-spam-state.ts";

const minute = 60_000;

describe("EventSpamState", () => {
  it("allows 25 writes about an object at once, then one every five minutes", () => {
    const spam = new EventSpamState();
    const allowed = (count: number, nowMs: number): number =>
      Array.from({ length: count }, () => spam.allows("a", nowMs)).filter(Boolean).length;
    expect([
      allowed(100, 0),
      allowed(10, 5 * minute - 1),
      allowed(10, 5 * minute),
      allowed(10, 20 * minute),
      allowed(100, 600 * minute),
    ]).toEqual([25, 0, 1, 3, 25]);
  });

  it("separates objects, and forgets the least recently used", () => {
    const spam = new EventSpamState({ burst: 1, entriesMax: 2 });
    expect(["a", "b", "a", "b", "c", "a"].map((key) => spam.allows(key, 0))).toEqual([true, true, false, false, true, true]);
  });

  it("allows an infinite burst, but rejects a burst below 1", () => {
    const free = new EventSpamState({ burst: Infinity });
    expect(Array.from({ length: 1000 }, () => free.allows("a", 0)).every(Boolean)).toBe(true);
    for (const burst of [0, NaN]) expect(() => new EventSpamState({ burst })).toThrow("burst must be at least 1");
    for (const refillMs of [0, NaN]) expect(() => new EventSpamState({ refillMs })).toThrow("refillMs must be above 0");
  });

  it("never allows more than burst plus refill, and never less than the refill", () => {
    fc.assert(
      fc.property(fc.array(fc.nat(500), { maxLength: 60 }), fc.integer({ min: 1, max: 5 }), (steps, burst) => {
        const spam = new EventSpamState({ burst, refillMs: 100 });
        let nowMs = 0;
        let used = 0;
        for (const step of steps) if (spam.allows("a", (nowMs += step))) used++;
        const elapsed = nowMs - (steps[0] ?? 0);
        expect(used).toBeLessThanOrEqual(burst + elapsed / 100 + 1e-9);
        expect(used).toBeGreaterThanOrEqual(Math.min(steps.length, burst));
      }),
    );
  });
});
