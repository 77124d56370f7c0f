import { expect, it } from "vitest";
import { findRetryAfter, RetryAfterError } from "./retry-after-error.ts";

it("says in words and as a number when to try again", () => {
  const error = new RetryAfterError(90_000);
  expect([error.message, error.afterMs]).toEqual(["to be tried again in 1m30s", 90_000]);
  expect(findRetryAfter(new Error("handler a", { cause: error }))).toBe(error);
  expect(findRetryAfter(new Error("handler a"))).toBeUndefined();
});

it.each([-1, Number.NaN, Infinity])("refuses %d, which is no time to wait", (afterMs) => {
  expect(() => new RetryAfterError(afterMs)).toThrow(RangeError);
});
