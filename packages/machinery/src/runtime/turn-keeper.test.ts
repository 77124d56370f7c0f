import type { Clock } from "./clock.ts";
import { describe, expect, it } from "vitest";
import { TurnKeeper } from "./turn-keeper.ts";

/** A clock whose time moves by hand while synchronous code runs. */
class WorkClock implements Clock {
  ms = 0;
  timers: (() => void)[] = [];
  now(): number {
    return this.ms;
  }

  monotonic(): number {
    return this.ms;
  }

  timer(_delayMs: number, callback: () => void): () => void {
    this.timers.push(callback);
    return () => {
      this.timers = this.timers.filter((other) => other !== callback);
    };
  }

  /** A turn of the event loop. */
  turn(): void {
    for (const callback of this.timers.splice(0)) callback();
  }
}

const { signal } = new AbortController();

describe("TurnKeeper", () => {
  it("lets work go on for its slice and then asks it to wait a turn", async () => {
    const clock = new WorkClock();
    const turns = new TurnKeeper({ clock });
    expect(turns.due(signal)).toBeUndefined();
    clock.ms = 10;
    expect(turns.due(signal)).toBeUndefined();
    clock.ms = 11;
    const turn = turns.due(signal);
    expect(turn).toBeDefined();
    clock.turn();
    await turn;
    clock.ms = 20;
    expect(turns.due(signal)).toBeUndefined();
  });

  it("notices turns that came by themselves, and does not slow work that waits anyway", () => {
    const clock = new WorkClock();
    const turns = new TurnKeeper({ clock });
    for (let piece = 0; piece < 10; piece++) {
      expect(turns.due(signal)).toBeUndefined();
      clock.ms += 9;
      clock.turn();
    }
  });

  it("leaves no timer behind when it is closed, and can be used again", () => {
    const clock = new WorkClock();
    const turns = new TurnKeeper({ clock });
    void turns.due(signal);
    turns.close();
    expect(clock.timers).toEqual([]);
    expect(turns.due(signal)).toBeUndefined();
  });

  it("stops waiting when it is called off", async () => {
    const clock = new WorkClock();
    const turns = new TurnKeeper({ clock });
    const stopped = new AbortController();
    void turns.due(stopped.signal);
    clock.ms = 50;
    const turn = turns.due(stopped.signal);
    stopped.abort(new Error("enough"));
    await expect(turn).rejects.toThrow("enough");
  });

  it("ends a slice after `stillMax` pieces while the clock stands still, and counts no pieces while it moves (SEC24)", () => {
    const clock = new WorkClock();
    const turns = new TurnKeeper({ clock, stillMax: 3 });
    expect([1, 2, 3].map(() => turns.due(signal))).toEqual([undefined, undefined, undefined]);
    expect(turns.due(signal)).toBeInstanceOf(Promise);
    const moving = new TurnKeeper({ clock, sliceMs: 1000, stillMax: 3 });
    for (let piece = 0; piece < 100; piece++, clock.ms++) expect(moving.due(signal)).toBeUndefined();
  });
});
