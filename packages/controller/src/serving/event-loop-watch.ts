/**
 * Detects a blocked event loop: a timer ticks every second, and the check reports ticks that came late.
 *
 *     EventLoopWatch.run → ticks;   .check → /healthz/event-loop
 */
import { until } from "@drover/machinery";
import type { Clock } from "@drover/machinery";

export interface EventLoopWatchOptions {
  readonly clock: Clock;
  /** Tolerated delay of a tick, in milliseconds. @default 10000 */
  readonly toleranceMs?: number;
}

/** Time between two ticks. */
const beatMs = 1000;

/**
 * Fails the health check of a program whose event loop is mostly blocked. A fully blocked loop answers no probe at all; this check is for
 * work that yields to the loop every ten seconds or so, which still answers probes.
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

  /** Ticks until the signal aborts. */
  async run(signal: AbortSignal): Promise<void> {
    await until(this.#clock, beatMs, () => this.#beat(), { signal });
    this.#lastBeatMs = undefined;
  }

  /** Throws if the last tick came too late or the next one is overdue. */
  check(): void {
    if (this.#lastBeatMs === undefined) return;
    const blockedMs = Math.max(this.#lastDelayMs, this.#clock.monotonic() - this.#lastBeatMs - beatMs);
    if (blockedMs > this.#toleranceMs)
      throw new Error(`the event loop was blocked for ${Math.round(blockedMs)} ms; at most ${this.#toleranceMs} ms are tolerated`);
  }

  #beat(): void {
    const now = this.#clock.monotonic();
    this.#lastDelayMs = this.#lastBeatMs === undefined ? 0 : now - this.#lastBeatMs - beatMs;
    this.#lastBeatMs = now;
  }
}
