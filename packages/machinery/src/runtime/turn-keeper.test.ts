import type { Clock } from "./clock.ts";
import { describe, expect, it } from "vitest";
import { Turn } from "./turn.ts";
import { TurnKeeper } from "./turn-keeper.ts";

/** A clock whose time moves by hand while synchronous code runs. */
class WorkClock implements Clock {
  readonly turn = new Turn();
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
  nextTurn(): void {
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
    clock.nextTurn();
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
      clock.nextTurn();
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

  it("gives work on the same clock a share of the turn each, from the second turn on as many as worked in the first", () => {
    const clock = new WorkClock();
    const workers = [1, 2, 3, 4].map(() => new TurnKeeper({ clock, sliceMs: 12 }));
    const spend = (work: TurnKeeper): number => {
      const began = clock.ms;
      do clock.ms += 0.5;
      while (!work.isOver());
      return clock.ms - began;
    };
    // The number of workers is known only in the second turn. After two slices, each of the others does one piece.
    expect(workers.map(spend)).toEqual([13, 7, 5, 1]);
    clock.nextTurn();
    expect(workers.map(spend)).toEqual([4, 4, 4, 4]);
    clock.nextTurn();
    // One goes on alone: it has the whole slice again after a turn.
    const [first] = workers as [TurnKeeper];
    expect(spend(first)).toBe(4);
    clock.nextTurn();
    expect(spend(first)).toBe(13);
  });

  it("counts the time of a piece that was done before the first question", () => {
    const clock = new WorkClock();
    const turns = new TurnKeeper({ clock });
    clock.ms = 11;
    expect(turns.isOver(0)).toBe(true);
    clock.nextTurn();
    expect(turns.isOver(5)).toBe(false);
  });

  it("lets every work go on by a piece in each turn, however many there are", () => {
    const clock = new WorkClock();
    const workers = Array.from({ length: 100 }, () => new TurnKeeper({ clock }));
    for (let turn = 0; turn < 3; turn++) {
      const begun = workers.map((work) => {
        const isOver = work.isOver();
        clock.ms += 1;
        return isOver;
      });
      expect(begun).not.toContain(true);
      clock.nextTurn();
    }
  });
});
