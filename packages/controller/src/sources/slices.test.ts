import { ManualClock } from "@drover/machinery/testing";
import { describe, expect, it } from "vitest";
import { countSteps, eachInSlices, sliceLength } from "./slices.ts";

describe("eachInSlices", () => {
  it("calls work for all items, and lets a due timer fire between two slices", async () => {
    const clock = new ManualClock();
    const done: number[] = [];
    const seen: number[] = [];
    const over = eachInSlices(
      Array.from({ length: 2 * sliceLength + 1 }, (_, index) => index),
      (index) => {
        done.push(index);
      },
      { clock, signal: new AbortController().signal },
    );
    clock.timer(0, () => seen.push(done.length));
    await clock.runAll();
    await over;
    expect([done.length, seen]).toEqual([2 * sliceLength + 1, [2 * sliceLength]]);
    expect(done).toEqual(done.toSorted((a, b) => a - b));
  });

  it("skips the rest once it is aborted, also within a slice", async () => {
    const clock = new ManualClock();
    const stop = new AbortController();
    const done: number[] = [];
    await eachInSlices(
      [1, 2, 3],
      (index) => {
        done.push(index);
        if (index === 2) stop.abort();
      },
      { clock, signal: stop.signal },
    );
    expect(done).toEqual([1, 2]);
  });

  it("rejects with an error of work", async () => {
    await expect(
      eachInSlices(
        [1],
        () => {
          throw new Error("odd");
        },
        { clock: new ManualClock(), signal: new AbortController().signal },
      ),
    ).rejects.toThrow("odd");
  });
});

describe("countSteps", () => {
  it("asks for a pause once per slice", () => {
    const step = countSteps(new ManualClock());
    const pauses = Array.from({ length: 3 * sliceLength }, () => step()).filter((turn) => turn !== undefined);
    expect(pauses).toHaveLength(3);
  });
});
