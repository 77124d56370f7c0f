/**
 * Delays between attempts. A `Backoff` is a plain value, and a step is a function from one value to the next; the caller keeps the
 * value.
 *
 *     Backoff → stepBackoff → [delay, Backoff]        for loops: delayFunc, delayWithReset, exponentialBackoff
 */
import type { Clock } from "./clock.ts";
import type { Random } from "./random.ts";

export interface Backoff {
  /** Next delay, in milliseconds. */
  readonly duration: number;
  /** Multiplies the duration at each step; 0 leaves it as it is. @default 0 */
  readonly factor?: number;
  /** Lengthens each delay by a random part of up to this factor; the addition does not carry over to the next step. @default 0 */
  readonly jitter?: number;
  /** Number of steps that may still change the duration; then it stays constant. @default 0 */
  readonly steps?: number;
  /** Maximum duration; reaching it uses up all steps. 0 means no limit. @default 0 */
  readonly cap?: number;
}

/** For `retryOnConflict` on objects that this client and few others write. */
export const defaultRetry: Backoff = { steps: 5, duration: 10, factor: 1, jitter: 0.1 };
/** For conflicts with a client that writes all the time. */
export const defaultBackoff: Backoff = { steps: 4, duration: 10, factor: 5, jitter: 0.1 };

/** Limit of a duration without a cap: 285,000 years, and still safe for arithmetic. */
const durationMax = Number.MAX_SAFE_INTEGER;

/** Returns the current delay, and the backoff for the next step. */
export function stepBackoff(backoff: Backoff, random: Random): readonly [delayMs: number, next: Backoff] {
  const { duration, factor = 0, jitter = 0, steps = 0, cap = 0 } = backoff;
  const delay = jitter > 0 ? jittered(duration, jitter, random) : duration;
  if (steps < 1) return [delay, backoff];
  if (factor === 0) return [delay, { ...backoff, steps: steps - 1 }];
  const grown = Math.min(duration * factor, durationMax);
  const next = cap > 0 && grown > cap ? { ...backoff, duration: cap, steps: 0 } : { ...backoff, duration: grown, steps: steps - 1 };
  return [delay, next];
}

/** Returns `durationMs` lengthened by a random factor, uniform in [1, 1 + factor). */
export function jittered(durationMs: number, factor: number, random: Random): number {
  return durationMs + random.next() * factor * durationMs;
}

/** Returns a function that returns the next delay on each call, in milliseconds. */
export function delayFunc(backoff: Backoff, random: Random): () => number {
  let current = backoff;
  return () => {
    const [delay, next] = stepBackoff(current, random);
    current = next;
    return delay;
  };
}

export interface DelayWithResetOptions {
  readonly clock: Clock;
  readonly random: Random;
  /** Starts over when more than this many milliseconds have passed since the last start; zero or less gives a constant delay. */
  readonly resetInterval: number;
}

/** Like `delayFunc`, for long-running loops: the backoff starts over after the reset interval, so that failures far apart do not add up. */
export function delayWithReset(backoff: Backoff, { clock, random, resetInterval }: DelayWithResetOptions): () => number {
  if ((backoff.factor ?? 0) <= 0) return delayFunc(backoff, random);
  if (resetInterval <= 0) return delayFunc({ ...backoff, steps: 0, factor: 0 }, random);
  let current = backoff;
  let started = clock.monotonic();
  return () => {
    if (clock.monotonic() - started > resetInterval) {
      current = backoff;
      started = clock.monotonic();
    }
    const [delay, next] = stepBackoff(current, random);
    current = next;
    return delay;
  };
}
