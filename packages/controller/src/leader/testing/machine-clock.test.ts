import { ManualClock } from "@drover/machinery/testing";
import { describe, expect, it } from "vitest";
import { MachineClock } from "./machine-clock.ts";

const machine = (truth: ManualClock, rate = 1): MachineClock => new MachineClock(truth, { rate, monotonicMs: 500, wallAheadMs: 3_600_000 });

describe("machine clock", () => {
  it("has the configured offset and rate", async () => {
    const truth = new ManualClock({ nowMs: 0 });
    const clock = machine(truth, 2);
    let fired = -1;
    clock.timer(1000, () => (fired = truth.monotonic()));
    await truth.advance(1000);
    expect([clock.monotonic(), clock.now(), fired]).toEqual([2500, 3_601_000, 500]);
    clock.setWall(0);
    expect(clock.now()).toBe(1000);
  });

  it("continues while the process is suspended, and delivers responses before timers", async () => {
    const truth = new ManualClock({ nowMs: 0 });
    const clock = machine(truth);
    const seen: string[] = [];
    clock.timer(100, () => seen.push("timer"));
    const cancel = clock.timer(200, () => seen.push("cancelled"));
    clock.pause("stopped");
    await truth.advance(60_000);
    clock.deliver(() => seen.push("answer"));
    cancel();
    expect([seen, clock.monotonic(), clock.isPaused]).toEqual([[], 60_500, true]);
    clock.resume();
    expect([seen, clock.isPaused]).toEqual([["answer", "timer"], false]);
  });

  it("stops while the machine is suspended, except for the wall clock", async () => {
    const truth = new ManualClock({ nowMs: 0 });
    const clock = machine(truth);
    let fired = -1;
    clock.timer(100, () => (fired = truth.monotonic()));
    await truth.advance(50);
    clock.pause("suspended");
    await truth.advance(60_000);
    clock.resume();
    expect([clock.monotonic(), clock.now(), fired]).toEqual([550, 3_660_050, -1]);
    await truth.advance(50);
    expect(fired).toBe(60_100);
  });

  it("does nothing once its process is dead", async () => {
    const truth = new ManualClock();
    const clock = machine(truth);
    const seen: string[] = [];
    clock.timer(100, () => seen.push("timer"));
    clock.kill();
    clock.deliver(() => seen.push("answer"));
    await truth.advance(1000);
    expect(seen).toEqual([]);
  });
});
