/**
 * A time limit for each of many consecutive waits, with one timer for all: for streams, where a timer per chunk would cost more
 * than the chunk.
 *
 *     begin → (the chunk arrives) → end → begin → (it does not) → onOver
 */
import type { Clock } from "./clock.ts";

/**
 * Guarantees: calls `onOver` once, exactly when a wait has reached the limit; time between waits does not count. Sets at most one
 * timer, and none after `close` or `onOver`.
 */
export class Patience {
  readonly #clock: Clock;
  readonly #limitMs: number;
  readonly #onOver: () => void;
  #since: number | undefined;
  #cancel: (() => void) | undefined;
  #isOver = false;

  /** @param limitMs - Infinity waits forever and sets no timer */
  constructor(clock: Clock, limitMs: number, onOver: () => void) {
    this.#clock = clock;
    this.#limitMs = limitMs;
    this.#onOver = onOver;
    this.#isOver = limitMs === Infinity;
  }

  /** Starts a wait. */
  begin(): void {
    if (this.#isOver) return;
    this.#since = this.#clock.monotonic();
    if (this.#cancel === undefined) this.#arm(this.#limitMs);
  }

  /** Ends the wait. The timer stays and checks when it fires whether a wait is left. */
  end(): void {
    this.#since = undefined;
  }

  close(): void {
    this.#isOver = true;
    this.#since = undefined;
    this.#cancel?.();
    this.#cancel = undefined;
  }

  #arm(delayMs: number): void {
    this.#cancel = this.#clock.timer(delayMs, () => {
      this.#cancel = undefined;
      if (this.#since === undefined) return;
      const leftMs = this.#since + this.#limitMs - this.#clock.monotonic();
      if (leftMs > 0) return this.#arm(leftMs);
      this.close();
      this.#onOver();
    });
  }
}
