import { ManualClock } from "@drover/machinery/testing";
import { describe, expect, it } from "vitest";
import { waitForDrain } from "./drain.ts";
import { Waiters } from "./waiters.ts";

describe("waitForDrain", () => {
  it("resolves with its waiters and leaves no timer behind", async () => {
    const clock = new ManualClock();
    const waiters = new Waiters<void>();
    const draining = waitForDrain(waiters, clock, { timeoutMs: 50 }, () => "");
    waiters.handAll();
    await draining;
    expect(clock.pending).toEqual([]);
  });

  it("rejects with what is left on timeout, and with the reason of the signal on abort", async () => {
    const clock = new ManualClock({ quietTurns: 5 });
    const waiters = new Waiters<void>();
    const late = expect(waitForDrain(waiters, clock, { timeoutMs: 50 }, () => "two keys")).rejects.toThrow(
      "not drained after 50 ms: two keys",
    );
    await clock.advance(50);
    await late;
    const controller = new AbortController();
    const called = expect(waitForDrain(waiters, clock, { timeoutMs: 50, signal: controller.signal }, () => "")).rejects.toBe("off");
    controller.abort("off");
    await called;
    await expect(waitForDrain(waiters, clock, { signal: controller.signal }, () => "")).rejects.toBe("off");
    expect([waiters.size, clock.pending]).toEqual([0, []]);
  });
});
