import fc from "fast-check";
import { expect, it } from "vitest";
import { fullBucket, returnToken, takeToken } from "./token-bucket-state.ts";

it("TokenBucket never allows more than burst + rate × time, for any pauses", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 50 }),
      fc.integer({ min: 1, max: 20 }),
      fc.array(fc.integer({ min: 0, max: 500 }), { maxLength: 60 }),
      (qps, burst, pauses) => {
        let bucket = fullBucket(qps, burst, 0);
        let now = 0;
        const usable: number[] = [];
        for (const pause of pauses) {
          now += pause;
          const [waitMs, next] = takeToken(bucket, now);
          bucket = next;
          usable.push(now + waitMs);
        }
        for (const [index, at] of usable.entries()) expect(index + 1).toBeLessThanOrEqual(burst + (qps * at) / 1000 + 1e-6);
      },
    ),
  );
});

it("TokenBucket accepts a returned token, but never exceeds the burst", () => {
  const bucket = fullBucket(1, 2, 0);
  expect(returnToken(takeToken(bucket, 0)[1]).tokens).toBe(2);
  expect(returnToken(bucket).tokens).toBe(2);
});
