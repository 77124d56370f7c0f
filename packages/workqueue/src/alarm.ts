/**
 * One timer for many due times: it fires at the earliest.
 *
 *     queue.ts, delaying-queue.ts → Alarm → Clock
 */
import type { Clock } from "@drover/machinery";

/** Calls `ring` at the earliest time it was set for. It may also fire for a time that no longer matters, so `ring` checks what is due. */
export class Alarm {
  readonly #clock: Clock;
  readonly #ring: () => void;
  #at = Infinity;
  #cancel: (() => void) | undefined;

  constructor(clock: Clock, ring: () => void) {
    this.#clock = clock;
    this.#ring = ring;
  }

  /** Makes the alarm fire no later than `at`, in the clock's monotonic time. */
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
