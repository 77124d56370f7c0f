import { ManualClock } from "@drover/machinery/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isOver } from "../leader/lease-state.ts";
import type { Moment } from "../leader/lease-state.ts";
import { SharedLeases, sharedLeasesBuffer } from "./shared-leases.ts";

/** Two threads whose monotonic clocks started at different times. */
function rig(offsetMs = 5000) {
  const clock = new ManualClock();
  const buffer = sharedLeasesBuffer(2);
  const commonMs = (): number => clock.monotonic() + 777.25;
  const main = new SharedLeases({ buffer, clock, commonMs });
  const thread = new SharedLeases({ buffer, clock: { monotonic: () => clock.monotonic() - offsetMs }, commonMs });
  const now = (): Moment => ({ monotonicMs: clock.monotonic() - offsetMs, wallMs: clock.now() });
  const until = (inMs: number): Moment => ({ monotonicMs: clock.monotonic() + inMs, wallMs: clock.now() + inMs });
  return { clock, main, thread, now, until };
}

describe("SharedLeases", () => {
  it("ends a hold in a thread when the main thread's ends, by time alone, on the thread's own clock", async () => {
    const { clock, main, thread, now, until } = rig();
    const mirror = main.mirrorOf(1);
    mirror.opened({ transitions: 4, until: until(10_000) });
    const hold = thread.holdOf(1, thread.termOf(1));
    expect([hold.transitions, isOver(hold, now())]).toEqual([4, false]);
    await clock.advance(9999);
    expect(isOver(hold, now())).toBe(false);
    mirror.extended({ transitions: 4, until: until(1000) });
    await clock.advance(999);
    expect(isOver(hold, now())).toBe(false);
    await clock.advance(1);
    expect(isOver(hold, now())).toBe(true);
  });

  it("ends the hold of a term when the main thread closes it, and does not open it again with the next term", () => {
    const { main, thread, now, until } = rig();
    const mirror = main.mirrorOf(0);
    const forever = { transitions: 0, until: { monotonicMs: Infinity, wallMs: Infinity } };
    mirror.opened(forever);
    const first = thread.holdOf(0, thread.termOf(0));
    expect(isOver(first, now())).toBe(false);
    mirror.closed();
    expect(isOver(first, now())).toBe(true);
    mirror.opened({ transitions: 1, until: until(10_000) });
    expect(isOver(first, now())).toBe(true);
    expect(isOver(thread.holdOf(0, thread.termOf(0)), now())).toBe(false);
    expect(isOver(thread.holdOf(1, thread.termOf(1)), now())).toBe(true);
  });

  it("never holds longer in a thread than in the main thread, for any offset and any history", () => {
    const step = fc.oneof(
      fc.record({ kind: fc.constant("open" as const), ms: fc.double({ min: 0, max: 1e5, noNaN: true }) }),
      fc.record({ kind: fc.constant("extend" as const), ms: fc.double({ min: 0, max: 1e5, noNaN: true }) }),
      fc.record({ kind: fc.constant("close" as const), ms: fc.constant(0) }),
    );
    fc.assert(
      fc.property(fc.double({ min: -1e9, max: 1e9, noNaN: true }), fc.array(step, { maxLength: 20 }), (offsetMs, steps) => {
        const { main, thread, until } = rig(offsetMs);
        const mirror = main.mirrorOf(0);
        let held: Moment | undefined;
        let term = 0;
        for (const { kind, ms } of steps) {
          const hold = { transitions: 0, until: until(ms) };
          if (kind === "open") {
            mirror.opened(hold);
            term = thread.termOf(0);
            held = hold.until;
          } else if (kind === "close") {
            mirror.closed();
            held = undefined;
          } else if (held !== undefined) {
            mirror.extended(hold);
            held = hold.until;
          }
          const seen = thread.holdOf(0, term).until;
          // Beyond the rounding of floats, never later.
          expect(seen.monotonicMs).toBeLessThanOrEqual((held?.monotonicMs ?? -Infinity) - offsetMs + 1e-3);
          expect(seen.wallMs).toBeLessThanOrEqual(held?.wallMs ?? -Infinity);
          if (held !== undefined) expect(seen.monotonicMs).toBeGreaterThan(held.monotonicMs - offsetMs - 0.01);
        }
      }),
    );
  });
});
