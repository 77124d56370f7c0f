import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { slowStart } from "./slow-start.ts";

describe("slowStart", () => {
  it("runs batches of 1, 2, 4 and the rest", async () => {
    const calls: number[] = [];
    const sizes: number[] = [];
    let batch = 0;
    const outcome = await slowStart(10, async (index) => {
      calls.push(index);
      batch++;
      await Promise.resolve();
      if (batch > 0) sizes.push(batch);
      batch = 0;
    });
    expect(outcome).toEqual({ successes: 10 });
    expect(calls).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(sizes).toEqual([1, 2, 4, 3]);
  });

  it("stops after the batch with a failure: of ten that fail after five, seven are called", async () => {
    let calls = 0;
    const broken = new Error("no room");
    const outcome = await slowStart(10, async () => {
      calls++;
      if (calls > 5) throw broken;
      await Promise.resolve();
    });
    expect(outcome).toEqual({ successes: 5, error: broken });
    expect(calls).toBe(7);
  });

  it("rejects with the signal's reason between two batches", async () => {
    const stop = new AbortController();
    await expect(slowStart(3, () => Promise.resolve(stop.abort(new Error("enough"))), { signal: stop.signal })).rejects.toThrow("enough");
  });

  it("calls each index once, in order, when none fails", async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(50), fc.integer({ min: 1, max: 10 }), async (count, initial) => {
        const calls: number[] = [];
        expect(await slowStart(count, (index) => Promise.resolve(calls.push(index)), { initial })).toEqual({ successes: count });
        expect(calls).toEqual(Array.from({ length: count }, (_, index) => index));
      }),
    );
  });
});
