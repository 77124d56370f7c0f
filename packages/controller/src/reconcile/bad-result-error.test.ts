import { describe, expect, it } from "vitest";
import { BadResultError, isResult } from "./bad-result-error.ts";
import { after, done, retry, stop } from "./result.ts";
import { keyOf } from "./testing/controller-rig.ts";

describe("isResult and BadResultError", () => {
  it("accept each of the four forms, whoever created it", () => {
    for (const result of [
      done,
      after("1s"),
      after(0, { priority: -1 }),
      retry(undefined),
      stop(""),
      { type: "done" },
      { type: "retry" },
      { type: "after", afterMs: 400 * 86_400_000 },
    ])
      expect(isResult(result)).toBe(true);
  });

  it("B5: reject invalid delays, invalid priorities, and anything else", () => {
    const bad: readonly unknown[] = [
      undefined,
      null,
      0,
      "done",
      [],
      {},
      { type: "Done" },
      { type: "after" },
      { type: "after", afterMs: "1s" },
      { type: "after", afterMs: -1 },
      { type: "after", afterMs: Infinity },
      { type: "after", afterMs: Number.NaN },
      { type: "retry", priority: "high" },
      { type: "done", priority: Number.NaN },
      { type: "stop" },
      { type: "stop", reason: new Error("x") },
    ];
    for (const result of bad) expect(isResult(result), String(result)).toBe(false);
  });

  it("show the value in the message, truncated", () => {
    const shown = (result: unknown): string => new BadResultError({ controller: "web", key: keyOf("shop/web"), result }).message;
    expect(shown({ requeue: true })).toBe(
      'controller web: the reconcile of shop/web returned {"requeue":true}; it must return done, after(duration), retry(error) or stop(reason)',
    );
    expect(shown("x".repeat(10_000)).length).toBeLessThan(300);
    expect(shown({ big: 1n })).toContain("returned an object;");
  });
});
