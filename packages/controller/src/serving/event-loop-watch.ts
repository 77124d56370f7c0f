/**
 * Whether the event loop turns: a heart that beats every second, and a check that looks when it last did.
 *
 *     EventLoopWatch.run → beats;   .check → /healthz/event-loop
 */
import { until } from "@drover/machinery";
import type { Clock } from "@drover/machinery";

export interface EventLoopWatchOptions {
  readonly clock: Clock;
  /** How late a beat may come, in milliseconds. @default 10000 */
  readonly toleranceMs?: number;
}

/** The time between two beats. */
const beatMs = 1000;

/**
 * While the loop stands still nobody can answer a probe; this is for the moments between: work that leaves the loop a
 * turn every ten seconds
 * answers, and is ill all the same.
 */
export class EventLoopWatch {
  readonly #clock: Clock;
  readonly #toleranceMs: number;
  #lastBeatMs: number | undefined;
  #lastDelayMs = 0;

  constructor({ clock, toleranceMs = 10_000 }: EventLoopWatchOptions) {
    this.#clock = clock;
    this.#toleranceMs = toleranceMs;
  }

  /** Beats until the signal is aborted. */
  async run(signal: AbortSignal): Promise<void> {
    await until(this.#clock, beatMs, () => this.#beat(), { signal });
    this.#lastBeatMs = undefined;
  }

  /** Throws when the last beat came too late, or the next one is overdue. */
  check(): void {
    if (this.#lastBeatMs === undefined) return;
    const blockedMs = Math.max(this.#lastDelayMs, this.#clock.monotonic() - this.#lastBeatMs - beatMs);
    if (blockedMs > this.#toleranceMs)
      throw new Error(`the event loop was blocked for ${Math.round(blockedMs)} ms, longer than the ${this.#toleranceMs} ms it may be`);
  }

  #beat(): void {
    const now = this.#clock.monotonic();
    this.#lastDelayMs = this.#lastBeatMs === undefined ? 0 : now - this.#lastBeatMs - beatMs;
    this.#lastBeatMs = now;
  }
}
