import { describe, expect, it } from "vitest";
import { after, done, printResult, retry, stop } from "./result.ts";

describe("results of a reconcile", () => {
  it("after accepts milliseconds and durations", () => {
    expect([after(1500), after("90s"), after("10m", { priority: 2 })]).toEqual([
      { type: "after", afterMs: 1500 },
      { type: "after", afterMs: 90_000 },
      { type: "after", afterMs: 600_000, priority: 2 },
    ]);
  });

  it("B5: after rejects invalid delays", () => {
    for (const duration of [-1, Number.NaN, Infinity, "-5s", "soon"]) expect(() => after(duration), String(duration)).toThrow();
    expect(() => after(-1)).toThrow(
      new RangeError('after: -1 is not a valid delay; use zero or more milliseconds or a duration such as "30s"'),
    );
    expect([after(0), after(2 ** 31), after("9600h")].map(({ afterMs }) => afterMs)).toEqual([0, 2 ** 31, 400 * 86_400_000]);
  });

  it("printResult prints each of the four forms", () => {
    expect([done, after("30s"), retry(new Error("no luck")), retry("text"), stop("no image")].map(printResult)).toEqual([
      "done",
      "again in 30s",
      "failed: no luck",
      "failed: text",
      "stopped: no image",
    ]);
  });

  it("after and retry keep the given priority", () => {
    expect([retry(1, { priority: 5 }), retry(1)]).toEqual([
      { type: "retry", error: 1, priority: 5 },
      { type: "retry", error: 1 },
    ]);
  });
});
