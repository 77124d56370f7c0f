import { ManualClock } from "@drover/machinery/testing";
import { describe, expect, it } from "vitest";
import { FailedPodBackoff } from "./failed-pod-backoff.ts";

describe("FailedPodBackoff", () => {
  it("doubles the delay up to a quarter of an hour, per node", async () => {
    const clock = new ManualClock();
    const backoff = new FailedPodBackoff({ clock });
    const waits: number[] = [];
    for (let time = 0; time < 13; time++) {
      expect(backoff.take("a")).toBe(0);
      const waitMs = backoff.take("a");
      waits.push(waitMs / 1000);
      await clock.advance(waitMs);
    }
    expect(waits).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900, 900]);
    expect(backoff.take("b")).toBe(0);
  });

  it("returns the remaining delay when asked again", async () => {
    const clock = new ManualClock();
    const backoff = new FailedPodBackoff({ clock });
    backoff.take("a");
    await clock.advance(300);
    expect(backoff.take("a")).toBe(700);
  });

  it("resets and forgets a key after half an hour without a failure", async () => {
    const clock = new ManualClock();
    const backoff = new FailedPodBackoff({ clock });
    for (const _ of [1, 2, 3]) {
      backoff.take("a");
      await clock.advance(60_000);
    }
    await clock.advance(30 * 60_000);
    expect(backoff.take("b")).toBe(0);
    expect(backoff.size).toBe(1);
    backoff.take("a");
    expect(backoff.take("a")).toBe(1000);
  });
});
