/** Time as the program sees it. */

export interface Clock {
  /** Wall time in milliseconds since 1970; may jump when somebody sets the clock. */
  now(): number;
  /** Milliseconds since some moment in the past; never goes back. Measure durations with this one. */
  monotonic(): number;
  /**
   * Calls back once, `delayMs` from now; any delay up to years is exact. Returns what cancels it.
   * A delay that is zero, negative or not a number means the next turn.
   */
  timer(delayMs: number, callback: () => void): () => void;
}
