/** Checks delays before a queue waits for them. */

/** Throws a RangeError for NaN, which is never due, and for Infinity, which means not to add the key. Negative delays mean now. */
export function checkAddDelay(afterMs: number): void {
  if (Number.isNaN(afterMs) || afterMs === Infinity) throw new RangeError(`delay must be a finite number of milliseconds, not ${afterMs}`);
}

/** Returns the delay of a rate limiter; throws a RangeError if it is not finite. */
export function checkLimiterDelay(delayMs: number): number {
  if (!Number.isFinite(delayMs))
    throw new RangeError(`rate limiter: when() returned ${delayMs}; it must return a finite number of milliseconds`);
  return delayMs;
}
