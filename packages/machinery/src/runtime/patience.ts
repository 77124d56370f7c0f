/**
 * A limit for each of many waits that come one after the other, with one timer for all of them: for streams, where a timer for every chunk
 * would cost more than the chunk.
 *
 *     begin → (what is waited for comes) → end → begin → (it does not) → onOver
 */
import type { Clock } from "./clock.ts";

/**
 * Guarantees: `onOver` is called once, exactly when a wait has lasted as long as allowed; time between waits does not count. At most one
 * timer is set, and none after `close` or `onOver`.
 */
export class Patience {
  readonly #clock: Clock;
  readonly #limitMs: number;
  readonly #onOver: () => void;
  #since: number | undefined;
  #cancel: (() => void) | undefined;
  #isOver = false;

  /** @param limitMs - Infinity waits for ever, and sets no timer */
  constructor(clock: Clock, limitMs: number, onOver: () => void) {
    this.#clock = clock;
    this.#limitMs = limitMs;
    this.#onOver = onOver;
    this.#isOver = limitMs === Infinity;
  }

  /** Something is waited for from now on. */
  begin(): void {
    if (this.#isOver) return;
    this.#since = this.#clock.monotonic();
    if (this.#cancel === undefined) this.#arm(this.#limitMs);
  }

  /** It has come. The timer stays: it will find out by itself whether there is anything left to wait for. */
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
