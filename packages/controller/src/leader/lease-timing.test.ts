import { describe, expect, it } from "vitest";
import { durationSeconds, leaseTiming, requestTimeoutMs } from "./lease-timing.ts";

describe("leaseTiming", () => {
  it("has the defaults of Kubernetes' own components (§3.19)", () => {
    expect(leaseTiming()).toEqual({ leaseDurationMs: 15_000, renewDeadlineMs: 10_000, retryPeriodMs: 2000 });
    expect(leaseTiming({ leaseDurationMs: 60_000, renewDeadlineMs: 40_000, retryPeriodMs: 5000 })).toEqual({
      leaseDurationMs: 60_000,
      renewDeadlineMs: 40_000,
      retryPeriodMs: 5000,
    });
  });

  it.each([
    [
      "a lease as long as the deadline",
      { leaseDurationMs: 10_000 },
      "leaseDurationMs, 10000, must be greater than renewDeadlineMs, 10000: the holder must stop before another may start",
    ],
    [
      "a lease longer by only a fraction of a second",
      { leaseDurationMs: 10_900, renewDeadlineMs: 10_500 },
      "leaseDurationMs, 10900 (the lease holds whole seconds: 10000), must be greater than renewDeadlineMs, 10500",
    ],
    [
      "a deadline with time for one attempt only",
      { renewDeadlineMs: 2400 },
      "renewDeadlineMs, 2400, must be greater than 1.2 × retryPeriodMs, 2400: one lost request must not cost the lease",
    ],
    ["a zero lease", { leaseDurationMs: 0 }, "leaseDurationMs must be a positive number of milliseconds, not 0"],
    ["a negative deadline", { renewDeadlineMs: -1 }, "renewDeadlineMs must be a positive number of milliseconds, not -1"],
    ["a zero period", { retryPeriodMs: 0 }, "retryPeriodMs must be a positive number of milliseconds, not 0"],
    ["NaN", { retryPeriodMs: Number.NaN }, "retryPeriodMs must be a positive number of milliseconds, not NaN"],
    ["an infinite lease", { leaseDurationMs: Infinity }, "leaseDurationMs must be a positive number of milliseconds, not Infinity"],
    ["a lease beyond its maximum", { leaseDurationMs: 2 ** 31 * 1000 }, "exceeds the maximum of a lease"],
  ])("rejects %s", (_, options, message) => {
    expect(() => leaseTiming(options)).toThrow(message);
    expect(() => leaseTiming(options)).toThrow(RangeError);
  });

  it("rounds the recorded duration down to whole seconds", () => {
    expect([durationSeconds(15_000), durationSeconds(15_999)]).toEqual([15, 15]);
  });

  it("leaves time for two requests before the deadline, of at least a second each", () => {
    expect([requestTimeoutMs({ renewDeadlineMs: 10_000 }), requestTimeoutMs({ renewDeadlineMs: 1500 })]).toEqual([5000, 1000]);
  });
});
