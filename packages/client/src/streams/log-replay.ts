/**
 * Finds the lines of a resumed log that were already yielded. The server's `sinceTime` has a resolution of one second, so a
 * resumed log starts with known lines.
 *
 *     timestamped line → LogReplay → new, or seen before
 */
import { formatTime, parseTime } from "@drover/machinery";

/** A line as the server writes it with `timestamps`: "2026-11-15T13:35:46.123456789Z hello". */
export interface TimestampedLine {
  readonly text: string;
  /**
   * Start of the second it was written in, milliseconds since 1970; undefined for a line without a timestamp, as some errors
   * of the node are.
   */
  readonly secondMs: number | undefined;
}

/** Splits the timestamp off a line. */
export function parseTimestampedLine(line: string): TimestampedLine {
  const space = line.indexOf(" ");
  const stamp = space === -1 ? line : line.slice(0, space);
  try {
    return { text: space === -1 ? "" : line.slice(space + 1), secondMs: Math.floor(parseTime(stamp) / 1000) * 1000 };
  } catch {
    return { text: line, secondMs: undefined };
  }
}

/**
 * Remembers the lines of the newest second. Guarantees that every line counts as new exactly once if the server repeats its
 * lines, also when several lines have the same timestamp and text, or are out of order by less than a second.
 */
export class LogReplay {
  #newestMs: number | undefined;
  // How often each line of the newest second was yielded, and how many of them the current response has repeated.
  #seen = new Map<string, number>();
  #toRepeat = new Map<string, number>();
  #resumedMs: number | undefined;

  /** The `sinceTime` of the next request; undefined while there is nothing to resume from. */
  get sinceTime(): string | undefined {
    return this.#newestMs === undefined ? undefined : formatTime(this.#newestMs);
  }

  /** Starts a new response, requested with `sinceTime`. */
  resume(): void {
    this.#resumedMs = this.#newestMs;
    this.#toRepeat = new Map(this.#seen);
  }

  /** Reports whether the line is new. */
  accept(line: string, secondMs: number | undefined): boolean {
    if (secondMs === undefined) return true;
    if (this.#resumedMs !== undefined && secondMs < this.#resumedMs) return false;
    const repeats = this.#toRepeat.get(line) ?? 0;
    if (repeats > 0) {
      this.#toRepeat.set(line, repeats - 1);
      return false;
    }
    this.#remember(line, secondMs);
    return true;
  }

  #remember(line: string, secondMs: number): void {
    if (this.#newestMs === undefined || secondMs > this.#newestMs) {
      this.#newestMs = secondMs;
      this.#seen = new Map();
    }
    if (secondMs === this.#newestMs) this.#seen.set(line, (this.#seen.get(line) ?? 0) + 1);
  }
}
