import { expect, it } from "vitest";
import { findRetryAfter, RetryAfterError } from "./retry-after-error.ts";

it("RetryAfterError has the delay as text and as a number", () => {
  const error = new RetryAfterError(90_000);
  expect([error.message, error.afterMs]).toEqual(["retry in 1m30s", 90_000]);
  expect(findRetryAfter(new Error("handler a", { cause: error }))).toBe(error);
  expect(findRetryAfter(new Error("handler a"))).toBeUndefined();
});

it.each([-1, Number.NaN, Infinity])("RetryAfterError rejects %d as a delay", (afterMs) => {
  expect(() => new RetryAfterError(afterMs)).toThrow(RangeError);
});
