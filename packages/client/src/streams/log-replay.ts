/**
 * Which lines of a log, asked for again from a moment on, have been handed out already. The server remembers moments only to the second,
 * so a log that is resumed begins with lines that we have.
 *
 *     timestamped line → LogReplay → new, or seen before
 */
import { formatTime, parseTime } from "@drover/machinery";

/** A line as the server writes it with `timestamps`: "2026-11-15T13:35:46.123456789Z hello". */
export interface TimestampedLine {
  readonly text: string;
  /**
   * Milliseconds since 1970 of the second it was written in; undefined for a line without a timestamp, which some
   * errors of the node are.
   */
  readonly secondMs: number | undefined;
}

/** Takes the timestamp off a line. */
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
 * Remembers the lines of the newest second. Guarantees that every line is taken for new exactly once, provided that the server repeats
 * what it said, also when several lines have the same timestamp and text, or are out of order by less than a second.
 */
export class LogReplay {
  #newestMs: number | undefined;
  // How often each line of the newest second has been handed out, and how many of them the present answer has repeated.
  #seen = new Map<string, number>();
  #toRepeat = new Map<string, number>();
  #resumedMs: number | undefined;

  /** From when to ask again; undefined as long as there is nothing to resume from. */
  get sinceTime(): string | undefined {
    return this.#newestMs === undefined ? undefined : formatTime(this.#newestMs);
  }

  /** A new answer begins, asked for from `sinceTime` on. */
  resume(): void {
    this.#resumedMs = this.#newestMs;
    this.#toRepeat = new Map(this.#seen);
  }

  /** Whether the line is new. */
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
