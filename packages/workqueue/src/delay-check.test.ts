import { describe, expect, it } from "vitest";
import { checkAddDelay, checkLimiterDelay } from "./delay-check.ts";

describe("delays", () => {
  it("are finite numbers; a time that has passed is one too", () => {
    for (const delay of [0, -1, 1e-9, 2 ** 31, 1e12]) expect(() => checkAddDelay(delay)).not.toThrow();
    for (const delay of [NaN, Infinity])
      expect(() => checkAddDelay(delay)).toThrow(
        new RangeError(`the delay of a key must be a finite number of milliseconds, not ${delay}`),
      );
  });

  it("of a limiter are finite too", () => {
    expect(checkLimiterDelay(7)).toBe(7);
    for (const delay of [NaN, Infinity, -Infinity]) expect(() => checkLimiterDelay(delay)).toThrow(/when\(\) gave/);
  });
});
