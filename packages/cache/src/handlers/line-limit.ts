/** Keeps a log readable when the same thing goes wrong twenty thousand times: so many lines a second, and a count of the rest. */
import type { Clock } from "@drover/machinery";

/** Guarantees: at most `linesPerSecond` lines in each second that begins with one; nothing that was left out goes uncounted. */
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

  /** Calls `write` if there is room for a line, with the number of lines that were left out before it. */
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
