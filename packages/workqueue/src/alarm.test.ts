import { ManualClock } from "@drover/machinery/testing";
import { describe, expect, it } from "vitest";
import { Alarm } from "./alarm.ts";

describe("Alarm", () => {
  it("fires once, at the earliest time it was set for, with one timer", async () => {
    const clock = new ManualClock({ quietTurns: 1 });
    const rings: number[] = [];
    const alarm = new Alarm(clock, () => rings.push(clock.monotonic()));
    alarm.setBy(30);
    alarm.setBy(10);
    alarm.setBy(20);
    expect(clock.pending).toEqual([10]);
    await clock.advance(100);
    expect(rings).toEqual([10]);
    alarm.setBy(150);
    await clock.advance(50);
    expect(rings).toEqual([10, 150]);
  });

  it("does not fire after clear, and can be set again", async () => {
    const clock = new ManualClock({ quietTurns: 1 });
    let rings = 0;
    const alarm = new Alarm(clock, () => rings++);
    alarm.setBy(10);
    alarm.clear();
    expect(clock.pending).toEqual([]);
    alarm.setBy(20);
    await clock.advance(20);
    expect(rings).toBe(1);
  });
});
