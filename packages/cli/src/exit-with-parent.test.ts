import { ManualClock } from "@drover/machinery/testing";
import { describe, expect, it } from "vitest";
import { watchParent } from "./exit-with-parent.ts";

describe("watchParent", () => {
  const watched = (
    parent: number | undefined,
  ): { clock: ManualClock; ends: () => number; become: (pid: number) => void; stop: () => void } => {
    const clock = new ManualClock();
    let [current, ends] = [7, 0];
    const stop = watchParent({ parent, current: () => current, clock, gone: () => ends++ });
    return { clock, ends: () => ends, become: (pid) => void (current = pid), stop };
  };

  it("reports once that the parent has gone", async () => {
    const { clock, ends, become } = watched(7);
    await clock.advance(10_000);
    expect(ends()).toBe(0);
    become(1);
    await clock.advance(500);
    await clock.advance(10_000);
    expect(ends()).toBe(1);
  });

  it("reports at once a parent that had gone before", () => expect(watched(6).ends()).toBe(1));

  it("reports nothing without a parent, and after the end", async () => {
    expect(watched(undefined).ends()).toBe(0);
    const { clock, ends, become, stop } = watched(7);
    stop();
    become(1);
    await clock.advance(10_000);
    expect(ends()).toBe(0);
  });
});
