import { expect, it } from "vitest";
import { formatGoFloat } from "../go/go-float.ts";
import { exponentialBuckets, linearBuckets, reconcileTimeBuckets, workqueueDurationBuckets } from "./metric-buckets.ts";

it("bucket constants match existing dashboards, including rounding of each step", () => {
  expect(workqueueDurationBuckets.map(formatGoFloat)).toEqual([
    "1e-08",
    "1e-07",
    "1e-06",
    "9.999999999999999e-06",
    "9.999999999999999e-05",
    "0.001",
    "0.01",
    "0.1",
    "1",
    "10",
    "100",
    "1000",
  ]);
  expect(reconcileTimeBuckets).toHaveLength(40);
});

it("exponentialBuckets and linearBuckets build ascending bounds and reject others", () => {
  expect(exponentialBuckets(1, 2, 4)).toEqual([1, 2, 4, 8]);
  expect(linearBuckets(0, 5, 3)).toEqual([0, 5, 10]);
  for (const make of [
    () => exponentialBuckets(0, 2, 1),
    () => exponentialBuckets(1, 1, 1),
    () => exponentialBuckets(1, 2, 0),
    () => linearBuckets(0, 0, 1),
    () => linearBuckets(0, 1, 0),
  ]) {
    expect(make).toThrow(RangeError);
  }
});
