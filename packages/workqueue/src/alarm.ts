/**
 * One timer for many times: it rings at the earliest.
 *
 *     queue.ts, delaying-queue.ts → Alarm → Clock
 */
import type { Clock } from "@drover/machinery";

/** Rings when a time it was set for has come, or a little early after that time was dropped; the one who hears it looks what is due. */
export class Alarm {
  readonly #clock: Clock;
  readonly #ring: () => void;
  #at = Infinity;
  #cancel: (() => void) | undefined;

  constructor(clock: Clock, ring: () => void) {
    this.#clock = clock;
    this.#ring = ring;
  }

  /** Sees to it that it rings no later than `at`, on the clock's monotonic time. */
  setBy(at: number): void {
    if (at >= this.#at) return;
    this.#cancel?.();
    this.#at = at;
    this.#cancel = this.#clock.timer(at - this.#clock.monotonic(), () => {
      this.#at = Infinity;
      this.#cancel = undefined;
      this.#ring();
    });
  }

  clear(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    this.#at = Infinity;
  }
}
