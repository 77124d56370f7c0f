import { hostileValues } from "@drover/machinery/testing";
import { describe, expect, it } from "vitest";
import { BadResultError, readResult } from "./bad-result-error.ts";
import { after, done, retry, stop } from "./result.ts";
import { keyOf } from "./testing/controller-rig.ts";

describe("readResult and BadResultError", () => {
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
      expect(readResult(result)).toMatchObject(result);
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
    for (const result of bad) expect(readResult(result), String(result)).toBeUndefined();
  });

  it("show the value in the message, truncated", () => {
    const shown = (result: unknown): string => new BadResultError({ controller: "web", key: keyOf("shop/web"), result }).message;
    expect(shown({ requeue: true })).toBe(
      'controller web: the reconcile of shop/web returned {"requeue":true}; it must return done, after(duration), retry(error) or stop(reason)',
    );
    expect(shown("x".repeat(10_000)).length).toBeLessThan(300);
    expect(shown({ big: 1n })).toContain('returned {"big":"1"};');
  });

  it("read every field once, so that a later read cannot differ (SEC6)", () => {
    let reads = 0;
    const fickle = {
      type: "stop",
      get reason(): string {
        if (++reads > 1) throw new Error("second read");
        return "no quota";
      },
    };
    expect(readResult(fickle)).toEqual({ type: "stop", reason: "no quota" });
    expect([reads, readResult(fickle)]).toEqual([1, undefined]);
  });

  it.each(hostileValues.map(({ name, make }) => [name, make] as const))("describe %s in a bounded message (SEC6)", (_, make) => {
    expect(readResult(make())).toBeUndefined();
    expect(new BadResultError({ controller: "web", key: keyOf("shop/web"), result: make() }).message.length).toBeLessThan(300);
    expect(readResult({ type: "retry", error: make() })?.type).toBe("retry");
    expect(readResult({ type: "after", afterMs: make() })).toBeUndefined();
  });
});
