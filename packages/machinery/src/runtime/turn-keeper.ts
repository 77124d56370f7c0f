/**
 * Cuts long work into slices, so that timers, probes and other streams have their turn.
 *
 *     for (const event of batch) { take(event); const turn = turns.due(); if (turn !== undefined) await turn; }
 */
import { sleep } from "./wait.ts";
import { Turn } from "./turn.ts";
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

/** The shortest slice of work that shares its turn with much other work. */
const shareMsMin = 1;

/**
 * Guarantees: work that asks after each piece is never at it for much longer than `sliceMs` without the others having had a turn, and all
 * work on the same clock together for not much longer than twice that: each gets its share of the turn. Work that waits for the network
 * anyway is not slowed: its turns are noticed.
 */
export class TurnKeeper {
  readonly #clock: Clock;
  readonly #sliceMs: number;
  readonly #stillMax: number;
  readonly #turn: Turn;
  #began: number | undefined;
  #pieces = 0;

  constructor({ clock, sliceMs = 10, stillMax = Infinity }: TurnKeeperOptions) {
    this.#clock = clock;
    this.#sliceMs = sliceMs;
    this.#stillMax = stillMax;
    this.#turn = clock.turn ?? new Turn();
  }

  /** Undefined: go on. A promise: wait for it first; the others are having their turn. */
  due(signal: AbortSignal): Promise<void> | undefined {
    return this.isOver() ? sleep(this.#clock, 0, { signal }) : undefined;
  }

  /**
   * Whether the work must not go on in this turn of the event loop; it is then expected to go on in the next. `sinceMs` is when the work
   * began, if it has done a piece before it asks for the first time in a turn.
   */
  isOver(sinceMs?: number): boolean {
    const now = this.#clock.monotonic();
    const turn = this.#turn;
    if (this.#began === undefined || !turn.has(this)) {
      turn.join(this, this.#clock);
      this.#began = sinceMs ?? now;
      this.#pieces = 0;
      if (sinceMs === undefined) return false;
    }
    const isStill = now === this.#began && ++this.#pieces >= this.#stillMax;
    const shareMs = Math.max(shareMsMin, this.#sliceMs / turn.workers);
    if (now - this.#began <= shareMs && now - turn.beganMs <= this.#sliceMs * 2 && !isStill) return false;
    this.#began = undefined;
    return true;
  }

  /** Leaves no timer behind. */
  close(): void {
    this.#began = undefined;
    this.#turn.leave(this);
  }
}
