/** A clock of a program whose event loop can be blocked: time advances, and no timer fires. */
import type { Clock } from "@drover/machinery";

export interface BlockableClock extends Clock {
  /** Advances the time in one synchronous stretch, in milliseconds. */
  block(ms: number): void;
}

/** @param truth - fires the timers; those set before a block fire late by its duration */
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
