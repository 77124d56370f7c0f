/** Which delays a queue takes. */

/** What cannot be waited for is refused: not a number would never be due or always, and for ever means not to add at all. */
export function checkAddDelay(afterMs: number): void {
  if (Number.isNaN(afterMs) || afterMs === Infinity)
    throw new RangeError(`the delay of a key must be a finite number of milliseconds, not ${afterMs}`);
}

/** The delay a rate limiter gave, if it can be waited for. */
export function checkLimiterDelay(delayMs: number): number {
  if (!Number.isFinite(delayMs))
    throw new RangeError(`the rate limiter's when() gave ${delayMs}; a queue waits a finite number of milliseconds`);
  return delayMs;
}
