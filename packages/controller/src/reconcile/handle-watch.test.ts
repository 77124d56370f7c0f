import { describe, expect, it } from "vitest";
import { createMetrics } from "@drover/machinery";
import { recordingLog, ManualClock } from "@drover/machinery/testing";
import { HandleWatch } from "./handle-watch.ts";

function rig(options: { readonly knows?: boolean } = {}) {
  const log = recordingLog(new ManualClock());
  const counter = createMetrics().counter({ name: "leaks_total", help: "", labels: [] }).with({});
  const leaks = { count: 0 };
  const process = { open: 10, counts: 0 };
  const openHandles = (): number => {
    process.counts++;
    return process.open;
  };
  const watch = new HandleWatch({
    openHandles: options.knows === false ? undefined : openHandles,
    log,
    leaks: {
      ...counter,
      add: () => {
        leaks.count++;
      },
    },
  });
  let now = 0;
  let runs = 0;
  /** A run that is alone, takes a second and leaves `left` handles open. */
  const run = (left: number, active = 1): void => {
    const named = { key: "shop/web", run: `r-${++runs}` };
    watch.began(named, active);
    process.open += left;
    now += 1000;
    watch.ended(named, now);
  };
  const pass = (ms: number): void => {
    now += ms;
  };
  return { run, pass, log, leaks, process };
}

describe("B10: HandleWatch on a reconcile that leaves handles open", () => {
  it("names it, with the number of handles, once the total has grown", () => {
    const { run, log, leaks } = rig();
    for (let count = 0; count < 3; count++) run(100_000);
    expect(leaks.count).toBe(1);
    expect(log.entries.map(({ message, fields }) => [message.slice(0, 40), fields["key"], fields["left"]])).toEqual([
      ["reconcile leaves timers or other handles", "shop/web", 100_000],
    ]);
  });

  it("warns once a minute, and counts every examined run", () => {
    const { run, pass, log, leaks } = rig();
    for (let count = 0; count < 12; count++) run(1000);
    expect(log.entries).toHaveLength(1);
    expect(leaks.count).toBeGreaterThan(5);
    pass(60_000);
    for (let count = 0; count < 4; count++) run(1000);
    expect(log.entries).toHaveLength(2);
  });

  it("does not blame it for handles of concurrent runs", () => {
    const { run, log } = rig();
    for (let count = 0; count < 50; count++) run(1000, 2);
    expect(log.entries).toEqual([]);
  });

  it("does not blame it for handles that were open before", () => {
    const { run, log, process } = rig();
    run(0);
    process.open += 5000;
    for (let count = 0; count < 50; count++) run(0);
    expect(log.entries).toEqual([]);
  });

  it("counts at most once a second while the number is stable", () => {
    const { run, process } = rig();
    for (let count = 0; count < 100; count++) run(0);
    expect(process.counts).toBeLessThanOrEqual(100);
  });

  it("does nothing if handles cannot be counted", () => {
    const { run, log, process } = rig({ knows: false });
    for (let count = 0; count < 10; count++) run(100_000);
    expect([log.entries, process.counts]).toEqual([[], 0]);
  });
});
