import { describe, expect, it } from "vitest";
import { checkAddDelay, checkLimiterDelay } from "./delay-check.ts";

describe("checkAddDelay and checkLimiterDelay", () => {
  it("checkAddDelay accepts every finite number, negative ones included, and rejects NaN and Infinity", () => {
    for (const delay of [0, -1, 1e-9, 2 ** 31, 1e12]) expect(() => checkAddDelay(delay)).not.toThrow();
    for (const delay of [NaN, Infinity])
      expect(() => checkAddDelay(delay)).toThrow(new RangeError(`delay must be a finite number of milliseconds, not ${delay}`));
  });

  it("checkLimiterDelay rejects NaN and Infinity", () => {
    expect(checkLimiterDelay(7)).toBe(7);
    for (const delay of [NaN, Infinity, -Infinity]) expect(() => checkLimiterDelay(delay)).toThrow(/when\(\) returned/);
  });
});
