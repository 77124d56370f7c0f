import { expect, it } from "vitest";
import { failedCallOf, markFailedCall } from "./failed-call.ts";

const call = { controller: "widget", key: "default/w", run: "7f#1" };

it("failedCallOf returns the run of the first mark, which is not visible in the error", () => {
  const error = new Error("no");
  markFailedCall(error, call);
  markFailedCall(error, { ...call, run: "7f#2" });
  expect(failedCallOf(error)).toEqual(call);
  expect(Object.keys(error)).toEqual([]);
});

it("markFailedCall leaves values alone that cannot be marked", () => {
  for (const value of [undefined, null, "text", 7, Object.freeze(new Error("frozen"))]) {
    expect(() => markFailedCall(value, call)).not.toThrow();
    expect(failedCallOf(value)).toBeUndefined();
  }
});
