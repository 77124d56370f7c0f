import type { Clock } from "@drover/machinery";
import { ManualClock } from "@drover/machinery/testing";
import { expect, it } from "vitest";
import { EventLoopWatch } from "./event-loop-watch.ts";

/** A clock whose time can advance without a turn of the loop, as in a loop that never awaits. */
function blockableClock() {
  const manual = new ManualClock();
  const blocked = { ms: 0 };
  const clock: Clock = {
    now: () => manual.now() + blocked.ms,
    monotonic: () => manual.monotonic() + blocked.ms,
    timer: (delayMs, callback) => manual.timer(delayMs, callback),
  };
  return { clock, manual, blocked };
}

it("EventLoopWatch passes while the loop turns, fails after a block, and passes again after the next timely tick", async () => {
  const { clock, manual, blocked } = blockableClock();
  const watch = new EventLoopWatch({ clock });
  const stop = new AbortController();
  expect(() => watch.check()).not.toThrow();
  const over = watch.run(stop.signal);
  await manual.advance(60_000);
  expect(() => watch.check()).not.toThrow();
  blocked.ms += 10_000;
  expect(() => watch.check()).not.toThrow();
  blocked.ms += 1500;
  expect(() => watch.check()).toThrow("the event loop was blocked for 10500 ms; at most 10000 ms are tolerated");
  await manual.advance(1000);
  expect(() => watch.check()).toThrow("was blocked for");
  await manual.advance(1000);
  expect(() => watch.check()).not.toThrow();
  stop.abort();
  await over;
  expect(manual.pending).toEqual([]);
});
