import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { sleep } from "../runtime/wait.ts";
import { ManualClock } from "./manual-clock.ts";

describe("ManualClock", () => {
  it("fires timers in order of time, then creation, and shows each its own time", async () => {
    const clock = new ManualClock();
    const fired: [string, number][] = [];
    const note = (name: string) => (): void => void fired.push([name, clock.monotonic()]);
    clock.timer(20, note("c"));
    clock.timer(10, note("a"));
    clock.timer(10, note("b"));
    clock.timer(31, note("late"));
    await clock.advance(30);
    expect(fired).toEqual([
      ["a", 10],
      ["b", 10],
      ["c", 20],
    ]);
    expect(clock.monotonic()).toBe(30);
    expect(clock.pending).toEqual([1]);
  });

  it("rejects when work goes on and on while time stands still, with what its witnesses say, and goes on afterwards (SEC24)", async () => {
    const clock = new ManualClock({ turnsMax: 1000 });
    clock.onEndless(() => "");
    clock.onEndless(() => "a and b are busy");
    const over = new AbortController();
    const loop = (async (): Promise<void> => {
      while (!over.signal.aborted) await Promise.resolve(clock.now());
    })();
    await expect(clock.advance(10)).rejects.toThrow(
      "work went on for 1001 turns while time stood still, which looks like an endless loop; a and b are busy",
    );
    over.abort();
    await loop;
    await clock.advance(10);
    expect(clock.monotonic()).toBe(10);
  });

  it("counts the turns of each instant on its own (SEC24)", async () => {
    const clock = new ManualClock({ turnsMax: 1000 });
    const loop = (async (): Promise<void> => {
      for (let turn = 0; turn < 3000; turn++)
        if (turn % 500 === 499) await sleep(clock, 1);
        else await Promise.resolve(clock.now());
    })();
    await clock.advance(10);
    await loop;
  });

  it("fires nothing one millisecond early", async () => {
    const clock = new ManualClock();
    let fired = false;
    clock.timer(1000, () => (fired = true));
    await clock.advance(999);
    expect(fired).toBe(false);
    await clock.advance(1);
    expect(fired).toBe(true);
  });

  it("fires timers set meanwhile when they fall into the window", async () => {
    const clock = new ManualClock();
    const woke: number[] = [];
    const loop = (async (): Promise<void> => {
      for (let turn = 0; turn < 4; turn++) {
        await sleep(clock, 10);
        woke.push(clock.monotonic());
      }
    })();
    await clock.advance(30);
    expect(woke).toEqual([10, 20, 30]);
    await clock.advance(10);
    await loop;
  });

  it("lets a chain of 80 awaits, each of an async call, settle between two timers", async () => {
    const clock = new ManualClock();
    const order: string[] = [];
    const deep = async (depth: number): Promise<void> => (depth === 0 ? undefined : deep(depth - 1));
    const first = sleep(clock, 1).then(async () => {
      await deep(80);
      order.push("chain");
    });
    clock.timer(1, () => order.push("second timer"));
    await clock.advance(1);
    expect(order).toEqual(["chain", "second timer"]);
    await first;
  });

  it("follows chains of any length with a turn of the host", async () => {
    const clock = new ManualClock({ turn: () => new Promise((resolve) => setImmediate(resolve)), quietTurns: 1 });
    let reached = 0;
    const first = sleep(clock, 1).then(async () => {
      for (; reached < 5000; reached++) await Promise.resolve();
    });
    await clock.advance(1);
    expect(reached).toBe(5000);
    await first;
  });

  it("treats zero, negative and NaN as the next turn, and infinity as never", async () => {
    const clock = new ManualClock();
    const fired: string[] = [];
    for (const delay of [0, -5, NaN, -Infinity, Infinity]) clock.timer(delay, () => fired.push(String(delay)));
    await clock.advance(0);
    expect(fired).toEqual(["0", "-5", "NaN", "-Infinity"]);
    expect(clock.pending).toEqual([]);
  });

  it("cancels a timer, also twice, also from another timer of the same moment", async () => {
    const clock = new ManualClock();
    const fired: string[] = [];
    let cancel = (): void => undefined;
    clock.timer(5, () => cancel());
    cancel = clock.timer(5, () => fired.push("cancelled"));
    clock.timer(5, () => fired.push("other"));
    await clock.advance(5);
    cancel();
    expect(fired).toEqual(["other"]);
  });

  it("fires the others when one callback throws, continues, and then rejects", async () => {
    const clock = new ManualClock();
    const fired: string[] = [];
    clock.timer(1, () => {
      throw new Error("boom");
    });
    clock.timer(2, () => fired.push("after"));
    await expect(clock.advance(10)).rejects.toThrow("boom");
    expect(fired).toEqual(["after"]);
    expect(clock.monotonic()).toBe(10);
  });

  it("lets the wall clock jump without moving monotonic time or timers", async () => {
    const clock = new ManualClock({ nowMs: 1_000_000 });
    clock.timer(50, () => undefined);
    clock.setNow(5_000);
    expect([clock.now(), clock.monotonic()]).toEqual([5_000, 0]);
    expect(clock.pending).toEqual([50]);
    await clock.advanceTo(5_040);
    expect(clock.pending).toEqual([10]);
  });

  it("runs until a condition holds, and explains when it never will", async () => {
    const clock = new ManualClock();
    let ticks = 0;
    const tick = (): void => {
      ticks++;
      clock.timer(1000, tick);
    };
    tick();
    await clock.runUntil(() => ticks === 5);
    expect(clock.monotonic()).toBe(4000);
    await expect(clock.runUntil(() => ticks > 100, { limitMs: 3000 })).rejects.toThrow("3000 ms have passed");
    expect(ticks).toBe(8);
    await expect(new ManualClock().runUntil(() => false)).rejects.toThrow("no timer is left");
  });

  it("runNext fires one timer, and none that is due after its limit", async () => {
    const clock = new ManualClock();
    const fired: number[] = [];
    for (const dueMs of [10, 10, 30]) clock.timer(dueMs, () => void fired.push(dueMs));
    expect(await clock.runNext({ limitMs: 9 })).toBe(false);
    expect(clock.monotonic()).toBe(0);
    expect([await clock.runNext(), fired, clock.monotonic()]).toEqual([true, [10], 10]);
    expect([await clock.runNext({ limitMs: 0 }), fired]).toEqual([true, [10, 10]]);
    // The last one counts too.
    expect([await clock.runNext({ limitMs: 20 }), fired]).toEqual([true, [10, 10, 30]]);
    expect(await clock.runNext()).toBe(false);
  });

  it("runs everything, and stops an endless loop", async () => {
    const clock = new ManualClock({ firingsMax: 1000, quietTurns: 2 });
    clock.timer(86_400_000 * 365, () => undefined);
    await clock.runAll();
    expect(clock.monotonic()).toBe(86_400_000 * 365);
    const again = (): void => void clock.timer(0, again);
    again();
    await expect(clock.runAll()).rejects.toThrow("1000 timers have fired in one call");
  });

  it("rejects going back, infinity, and two advances at once", async () => {
    const clock = new ManualClock();
    await expect(clock.advance(-1)).rejects.toThrow(RangeError);
    await expect(clock.advance(Infinity)).rejects.toThrow(RangeError);
    const first = clock.advance(1);
    await expect(clock.advance(1)).rejects.toThrow("already advancing");
    await first;
  });

  it("fires like a list sorted by time and creation, whatever is set and cancelled", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ delay: fc.integer({ min: 0, max: 9 }), cancelled: fc.boolean() }), { maxLength: 12 }),
        async (timers) => {
          const clock = new ManualClock({ quietTurns: 1 });
          const fired: number[] = [];
          const cancels = timers.map(({ delay }, index) => clock.timer(delay, () => fired.push(index)));
          for (const [index, { cancelled }] of timers.entries()) if (cancelled) cancels[index]?.();
          await clock.runAll();
          const expected = timers
            .map((timer, index) => ({ ...timer, index }))
            .filter(({ cancelled }) => !cancelled)
            .toSorted((a, b) => a.delay - b.delay);
          expect(fired).toEqual(expected.map(({ index }) => index));
        },
      ),
    );
  });
});
