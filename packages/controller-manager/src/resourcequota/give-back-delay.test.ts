import { objectKey } from "@drover/machinery";
import { ManualClock } from "@drover/machinery/testing";
import { describe, expect, it } from "vitest";
import { GiveBackDelay } from "./give-back-delay.ts";

const key = objectKey("q", "shop");

describe("GiveBackDelay", () => {
  it("waits until a quota is quiet", async () => {
    const clock = new ManualClock();
    const delay = new GiveBackDelay(clock);
    delay.seen(key, "1");
    await clock.advance(100);
    delay.seen(key, "1");
    expect(delay.waitMs(key, "1")).toBe(150);
    expect(delay.waitMs(key, "2")).toBe(250);
    await clock.advance(250);
    expect(delay.waitMs(key, "2")).toBe(0);
  });

  it("waits five seconds at most, each time anew", async () => {
    const clock = new ManualClock();
    const delay = new GiveBackDelay(clock);
    const busyFor = async (): Promise<number> => {
      for (let waitedMs = 0; ; waitedMs += 200) {
        if (delay.waitMs(key, String(clock.monotonic())) === 0) return waitedMs;
        await clock.advance(200);
      }
    };
    expect([await busyFor(), await busyFor()]).toEqual([5000, 5000]);
    delay.seen(key, "1");
    await clock.advance(250);
    delay.forget(key);
    expect(delay.waitMs(key, "1")).toBe(250);
  });
});
