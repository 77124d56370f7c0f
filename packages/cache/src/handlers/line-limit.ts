/** Limits the rate of log lines, so that a log stays readable when the same error occurs thousands of times. */
import type { Clock } from "@drover/machinery";

/** Guarantees: at most `linesPerSecond` lines in each second that starts with one; dropped lines are counted. */
export class LineLimit {
  readonly #clock: Clock;
  readonly #linesPerSecond: number;
  #secondStartMs = -Infinity;
  #lines = 0;
  #leftOut = 0;

  constructor({ clock, linesPerSecond }: { readonly clock: Clock; readonly linesPerSecond: number }) {
    this.#clock = clock;
    this.#linesPerSecond = linesPerSecond;
  }

  /** Calls `write` if the limit allows it, with the number of lines dropped before. */
  line(write: (leftOut: number) => void): void {
    const nowMs = this.#clock.monotonic();
    if (nowMs - this.#secondStartMs >= 1000) {
      this.#secondStartMs = nowMs;
      this.#lines = 0;
    }
    if (this.#lines >= this.#linesPerSecond) {
      this.#leftOut++;
      return;
    }
    this.#lines++;
    const leftOut = this.#leftOut;
    this.#leftOut = 0;
    write(leftOut);
  }
}
