import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { formatDuration, formatDurationNanos, hours, minutes, parseDuration, parseDurationNanos, seconds } from "./duration.ts";

describe("parseDuration and formatDuration", () => {
  it("parse Go's notation to milliseconds", () => {
    expect(["1h2m3.5s", "300ms", "-1.5h", "0", "1us", "1µs", "1μs", "1.5ms", "10m"].map(parseDuration)).toEqual([
      3_723_500, 300, -5_400_000, 0, 0.001, 0.001, 0.001, 1.5, 600_000,
    ]);
  });

  it("format as Go does", () => {
    expect([0, 1, 1.5, 0.001, 1000, 61_000, 3_600_000, -90_000, 3_723_500].map(formatDuration)).toEqual([
      "0s",
      "1ms",
      "1.5ms",
      "1µs",
      "1s",
      "1m1s",
      "1h0m0s",
      "-1m30s",
      "1h2m3.5s",
    ]);
    expect(() => formatDuration(Number.NaN)).toThrow(RangeError);
  });

  it("reject with Go's message", () => {
    expect(() => parseDuration("")).toThrow('time: invalid duration ""');
    expect(() => parseDuration("1")).toThrow('time: missing unit in duration "1"');
    expect(() => parseDuration("1d")).toThrow('time: unknown unit "d" in duration "1d"');
    expect(() => parseDuration("2562048h")).toThrow('time: invalid duration "2562048h"');
    expect(() => parseDuration("1é")).toThrow(String.raw`time: unknown unit "\xc3\xa9" in duration "1\xc3\xa9"`);
  });

  it("round-trip every nanosecond", () => {
    const limit = 2n ** 63n;
    fc.assert(
      fc.property(fc.bigInt({ min: -limit, max: limit - 1n }), (nanos) => parseDurationNanos(formatDurationNanos(nanos)) === nanos),
    );
  });

  it("round-trip every millisecond", () => {
    fc.assert(fc.property(fc.integer(), (ms) => parseDuration(formatDuration(ms)) === ms));
  });

  it("handle long texts quickly", () => {
    expect(() => parseDuration(`${"9".repeat(1_000_000)}s`)).toThrow("time: invalid duration");
    expect(parseDuration(`0.${"1".repeat(1_000_000)}s`)).toBeCloseTo(111.111, 2);
    expect(parseDuration("0s".repeat(100_000))).toBe(0);
  });

  it("have units for constants", () => {
    expect([seconds(2), minutes(2), hours(2)]).toEqual([2000, 120_000, 7_200_000]);
  });
});
