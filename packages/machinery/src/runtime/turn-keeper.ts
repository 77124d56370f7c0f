/**
 * Cuts long work into slices, so that timers, probes and other streams have their turn.
 *
 *     for (const event of batch) { take(event); const turn = turns.due(); if (turn !== undefined) await turn; }
 */
import { sleep } from "./wait.ts";
import type { Clock } from "./clock.ts";

/**
 * Guarantees: work that asks after each piece is never at it for much longer than `sliceMs` without the others having had a turn. Work
 * that waits for the network anyway is not slowed: its turns are noticed.
 */
export class TurnKeeper {
  readonly #clock: Clock;
  readonly #sliceMs: number;
  #began: number | undefined;
  #cancel: (() => void) | undefined;

  constructor({ clock, sliceMs = 10 }: { readonly clock: Clock; /** How long a slice may take. @default 10 */ readonly sliceMs?: number }) {
    this.#clock = clock;
    this.#sliceMs = sliceMs;
  }

  /** Undefined: go on. A promise: wait for it first; the others are having their turn. */
  due(signal: AbortSignal): Promise<void> | undefined {
    const now = this.#clock.monotonic();
    if (this.#began === undefined) {
      this.#began = now;
      this.#cancel = this.#clock.timer(0, () => {
        this.#began = undefined;
      });
      return undefined;
    }
    if (now - this.#began <= this.#sliceMs) return undefined;
    this.close();
    return sleep(this.#clock, 0, { signal });
  }

  /** Leaves no timer behind. */
  close(): void {
    this.#cancel?.();
    this.#began = undefined;
  }
}
