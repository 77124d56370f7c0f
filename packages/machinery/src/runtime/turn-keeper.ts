/**
 * Cuts long work into slices, so that timers, probes and other streams have their turn.
 *
 *     for (const event of batch) { take(event); const turn = turns.due(); if (turn !== undefined) await turn; }
 */
import { sleep } from "./wait.ts";
import type { Clock } from "./clock.ts";

/** Options of `TurnKeeper`. */
export interface TurnKeeperOptions {
  readonly clock: Clock;
  /** How long a slice may take. @default 10 */
  readonly sliceMs?: number;
  /**
   * How many pieces a slice may have while the clock stands still, as a manual clock does: work that never ends would not let the test go
   * on. @default Infinity
   */
  readonly stillMax?: number;
}

/**
 * Guarantees: work that asks after each piece is never at it for much longer than `sliceMs` without the others having had a turn. Work
 * that waits for the network anyway is not slowed: its turns are noticed.
 */
export class TurnKeeper {
  readonly #clock: Clock;
  readonly #sliceMs: number;
  readonly #stillMax: number;
  #began: number | undefined;
  #pieces = 0;
  #cancel: (() => void) | undefined;

  constructor({ clock, sliceMs = 10, stillMax = Infinity }: TurnKeeperOptions) {
    this.#clock = clock;
    this.#sliceMs = sliceMs;
    this.#stillMax = stillMax;
  }

  /** Undefined: go on. A promise: wait for it first; the others are having their turn. */
  due(signal: AbortSignal): Promise<void> | undefined {
    const now = this.#clock.monotonic();
    if (this.#began === undefined) {
      this.#began = now;
      this.#pieces = 0;
      this.#cancel = this.#clock.timer(0, () => {
        this.#began = undefined;
      });
      return undefined;
    }
    const isStill = now === this.#began && ++this.#pieces >= this.#stillMax;
    if (now - this.#began <= this.#sliceMs && !isStill) return undefined;
    this.close();
    return sleep(this.#clock, 0, { signal });
  }

  /** Leaves no timer behind. */
  close(): void {
    this.#cancel?.();
    this.#began = undefined;
  }
}
