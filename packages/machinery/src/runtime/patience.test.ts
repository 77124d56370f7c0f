import { describe, expect, it } from "vitest";
import { ManualClock } from "../testing/manual-clock.ts";
import { Patience } from "./patience.ts";

function stage(limitMs = 100) {
  const clock = new ManualClock();
  const over: number[] = [];
  const began = clock.monotonic();
  const patience = new Patience(clock, limitMs, () => over.push(clock.monotonic() - began));
  return { clock, over, patience };
}

describe("Patience", () => {
  it("calls onOver exactly when one wait reaches the limit, once", async () => {
    const { clock, over, patience } = stage();
    patience.begin();
    await clock.advance(99);
    expect(over).toEqual([]);
    await clock.advance(1000);
    expect([over, clock.pending]).toEqual([[100], []]);
    patience.begin();
    await clock.advance(1000);
    expect(over).toEqual([100]);
  });
  it("starts over with each wait", async () => {
    const { clock, over, patience } = stage();
    for (let n = 0; n < 20; n++) {
      patience.begin();
      await clock.advance(60);
      patience.end();
    }
    patience.begin();
    await clock.advance(99);
    expect(over).toEqual([]);
    await clock.advance(1);
    expect(over).toEqual([1300]);
  });
  it("does not count time between waits, and has no timer for long when idle", async () => {
    const { clock, over, patience } = stage();
    patience.begin();
    await clock.advance(10);
    patience.end();
    expect(clock.pending).toHaveLength(1);
    await clock.advance(5000);
    expect([over, clock.pending]).toEqual([[], []]);
    patience.begin();
    await clock.advance(100);
    expect(over).toEqual([5110]);
  });
  it("sets one timer for any number of waits, and none after close", async () => {
    const { clock, over, patience } = stage();
    for (let n = 0; n < 1000; n++) {
      patience.begin();
      patience.end();
    }
    patience.begin();
    expect(clock.pending).toHaveLength(1);
    patience.close();
    patience.begin();
    expect(clock.pending).toEqual([]);
    await clock.advance(1000);
    expect(over).toEqual([]);
  });
  it("sets no timer without a limit", () => {
    const { clock, patience } = stage(Infinity);
    patience.begin();
    expect(clock.pending).toEqual([]);
  });
});
