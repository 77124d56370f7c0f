/**
 * Time as the program sees it. The facade builds the real clock from the host's timers; tests hand in a `ManualClock`.
 *
 *     createClock({ now, monotonic, setTimeout, clearTimeout }) → Clock
 */

export interface Clock {
  /** Wall time in milliseconds since 1970; may jump when somebody sets the clock. */
  now(): number;
  /** Milliseconds since some moment in the past; never goes back. Measure durations with this one. */
  monotonic(): number;
  /**
   * Calls back once, `delayMs` from now; any delay up to years is exact. Returns what cancels it.
   * A delay that is zero, negative or not a number means the next turn; an infinite one means never.
   */
  timer(delayMs: number, callback: () => void): () => void;
}

/** What a clock needs from the place it runs in. In Node and in browsers these are four arrow functions around what is there. */
export interface ClockHost {
  /** Wall time in milliseconds since 1970. */
  now(): number;
  /** Milliseconds that never go back; fractions are welcome. */
  monotonic(): number;
  /** May fire a little early and may overflow beyond 2^31−1 ms, as those of Node and browsers do. */
  setTimeout(callback: () => void, delayMs: number): unknown;
  clearTimeout(handle: unknown): void;
}

/** The longest delay a host timer takes; Node and browsers read anything above as 1 ms. */
const hostDelayMax = 2 ** 31 - 1;

/**
 * A clock on the timers of a host.
 *
 * Guarantees: a timer never fires before `monotonic()` has moved on by its delay; delays beyond 2^31−1 ms are waited for in pieces,
 * measured anew after each; cancelling twice, or after the timer has fired, does nothing. Every timer is a host timer of its own, so
 * what one callback throws reaches the host and no other timer.
 */
export function createClock(host: ClockHost): Clock {
  const timer = (delayMs: number, callback: () => void): (() => void) => {
    if (delayMs === Infinity) return () => undefined;
    const due = host.monotonic() + (delayMs > 0 ? delayMs : 0);
    let pending: (() => void) | undefined = callback;
    let handle: unknown;
    const arm = (): void => {
      handle = host.setTimeout(wake, Math.min(Math.max(0, Math.ceil(due - host.monotonic())), hostDelayMax));
    };
    const wake = (): void => {
      if (pending === undefined) return;
      if (host.monotonic() < due) return arm();
      const fire = pending;
      pending = undefined;
      fire();
    };
    arm();
    return () => {
      if (pending === undefined) return;
      pending = undefined;
      host.clearTimeout(handle);
    };
  };
  return { now: () => host.now(), monotonic: () => host.monotonic(), timer };
}
