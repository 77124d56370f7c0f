/**
 * Time as the program sees it. The facade builds the real clock from the host's timers; tests pass a `ManualClock`.
 *
 *     createClock({ now, monotonic, setTimeout, clearTimeout }) → Clock
 */
import { Turn } from "./turn.ts";

export interface Clock {
  /** Wall time in milliseconds since 1970; may jump when the system clock is set. */
  now(): number;
  /** Milliseconds since an arbitrary moment; never goes back. Use it for durations. */
  monotonic(): number;
  /**
   * Calls back once, `delayMs` from now; delays up to years are exact. Returns a function that cancels it. A delay that is zero,
   * negative or NaN means the next turn; an infinite one means never.
   */
  timer(delayMs: number, callback: () => void): () => void;
  /** Shared by all work on this clock that is cut into slices. @default every work has its own, so that turns may be longer */
  readonly turn?: Turn;
}

/** What a clock needs from its host. In Node and browsers these are four arrow functions around the built-in ones. */
export interface ClockHost {
  /** Wall time in milliseconds since 1970. */
  now(): number;
  /** Milliseconds that never go back; may have fractions. */
  monotonic(): number;
  /** May fire a little early and may overflow beyond 2^31−1 ms, as in Node and browsers. */
  setTimeout(callback: () => void, delayMs: number): unknown;
  clearTimeout(handle: unknown): void;
  /** Calls back in the next turn of the event loop. @default a timeout of 0 ms, which takes at least one in Node and browsers */
  setImmediate?(callback: () => void): unknown;
  /** Required with `setImmediate`. */
  clearImmediate?(handle: unknown): void;
}

/** Maximum delay of a host timer; Node and browsers treat anything above as 1 ms. */
const hostDelayMax = 2 ** 31 - 1;

/**
 * Creates a clock on the timers of a host.
 *
 * Guarantees: a timer never fires before `monotonic()` has advanced by its delay; delays beyond 2^31−1 ms are split and measured
 * anew after each part; cancelling twice, or after the timer has fired, does nothing. Every timer is its own host timer, so an
 * exception in a callback reaches the host and no other timer.
 */
export function createClock(host: ClockHost): Clock {
  const timer = (delayMs: number, callback: () => void): (() => void) => {
    if (delayMs === Infinity) return () => undefined;
    if (!(delayMs > 0) && host.setImmediate !== undefined) {
      const immediate = host.setImmediate(callback);
      return () => host.clearImmediate?.(immediate);
    }
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
  return { now: () => host.now(), monotonic: () => host.monotonic(), timer, turn: new Turn() };
}
