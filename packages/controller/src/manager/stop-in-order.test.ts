import { ManualClock } from "@drover/machinery/testing";
import { describe, expect, it } from "vitest";
import type { Stoppable } from "./runnable-group.ts";
import { stopInOrder } from "./stop-in-order.ts";

function rig(...delays: readonly number[]) {
  const clock = new ManualClock();
  const events: string[] = [];
  const groups = delays.map((delayMs, index): Stoppable => {
    let end = (): void => undefined;
    let [isStopped, isOver] = [false, false];
    const ended = new Promise<void>((resolve) => (end = resolve));
    return {
      stop: () => {
        if (isStopped) return;
        isStopped = true;
        events.push(`stop ${index}`);
        clock.timer(delayMs, () => {
          isOver = true;
          end();
        });
      },
      ended: () => ended,
      running: () => (isOver ? [] : [`member of ${index}`]),
    };
  });
  return { clock, events, groups };
}

describe("stopInOrder", () => {
  it("stops the next group only when the previous one has ended", async () => {
    const { clock, events, groups } = rig(10, 10, 10);
    const over = stopInOrder(groups, { clock, graceMs: 100, reason: "" });
    await clock.advance(9);
    expect(events).toEqual(["stop 0"]);
    await clock.advance(1);
    expect(events).toEqual(["stop 0", "stop 1"]);
    await clock.advance(20);
    expect(await over).toEqual([]);
    expect(clock.pending).toEqual([]);
  });

  it("shares one grace period, and names only members that were stopped in time", async () => {
    const { clock, events, groups } = rig(60, 60, 10);
    const over = stopInOrder(groups, { clock, graceMs: 100, reason: "" });
    await clock.advance(100);
    expect(await over).toEqual(["member of 1"]);
    expect(events).toEqual(["stop 0", "stop 1", "stop 2"]);
  });

  it("stops all groups at once and does not wait with graceMs 0", async () => {
    const { clock, events, groups } = rig(60, 60);
    expect(await stopInOrder(groups, { clock, graceMs: 0, reason: "" })).toEqual([]);
    expect(events).toEqual(["stop 0", "stop 1"]);
  });
});
