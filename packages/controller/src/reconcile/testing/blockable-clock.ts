/** A clock of a program whose event loop can be blocked: time passes, and no timer fires. */
import type { Clock } from "@drover/machinery";

export interface BlockableClock extends Clock {
  /** This many milliseconds pass in one synchronous stretch. */
  block(ms: number): void;
}

/** @param truth - fires the timers; those that were set before a block come that much too late */
export function blockableClock(truth: Clock): BlockableClock {
  let blockedMs = 0;
  return {
    now: () => truth.now() + blockedMs,
    monotonic: () => truth.monotonic() + blockedMs,
    timer: (delayMs, callback) => truth.timer(delayMs, callback),
    block: (ms) => {
      blockedMs += ms;
    },
  };
}
