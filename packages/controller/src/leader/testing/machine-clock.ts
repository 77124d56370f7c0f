/**
 * The clock of one machine among several: set wrongly, running a little fast or slow, and stopped together with all that runs on it.
 *
 *     ManualClock (true time) → MachineClock → one process
 *
 * A process that is "stopped" (SIGSTOP, a long collection) finds on waking that time has passed; one whose machine was "suspended" finds
 * it on the wall clock only.
 */
import type { Clock } from "@drover/machinery";

export interface MachineClockOptions {
  /** How many of its milliseconds pass in one that is true. */
  readonly rate: number;
  /** What its monotonic clock shows at the beginning. */
  readonly monotonicMs: number;
  /** How far its wall clock is ahead of the truth. */
  readonly wallAheadMs: number;
}

/**
 * Guarantees: nothing that goes through `timer` or `deliver` happens while the machine is paused; on waking, what was
 * delivered comes first and timers last.
 */
export class MachineClock implements Clock {
  readonly #truth: Clock;
  readonly #rate: number;
  readonly #startMs: number;
  readonly #monotonicMs: number;
  #wallAheadMs: number;
  #sleptMs = 0;
  #paused: { readonly kind: "stopped" | "suspended"; readonly sinceMs: number } | undefined;
  readonly #delivered: (() => void)[] = [];
  readonly #due: (() => void)[] = [];
  #isDead = false;

  constructor(truth: Clock, { rate, monotonicMs, wallAheadMs }: MachineClockOptions) {
    this.#truth = truth;
    this.#rate = rate;
    this.#startMs = truth.monotonic();
    this.#monotonicMs = monotonicMs;
    this.#wallAheadMs = wallAheadMs;
  }

  get isPaused(): boolean {
    return this.#paused !== undefined;
  }

  now(): number {
    return this.#truth.now() + this.#wallAheadMs;
  }

  monotonic(): number {
    const now = this.#paused?.kind === "suspended" ? this.#paused.sinceMs : this.#truth.monotonic();
    return this.#monotonicMs + (now - this.#startMs - this.#sleptMs) * this.#rate;
  }

  timer(delayMs: number, callback: () => void): () => void {
    if (delayMs === Infinity) return () => undefined;
    const dueMs = this.monotonic() + Math.max(0, delayMs);
    let cancel: () => void = () => undefined;
    let isCancelled = false;
    const arm = (): void => {
      cancel = this.#truth.timer((dueMs - this.monotonic()) / this.#rate, () => this.#whenAwake(this.#due, wake));
    };
    const wake = (): void => {
      if (isCancelled) return;
      // What is left after a sleep, or by rounding, is waited for; less than a nanosecond is not worth it.
      if (dueMs - this.monotonic() > 1e-6) arm();
      else callback();
    };
    arm();
    return () => {
      isCancelled = true;
      cancel();
    };
  }

  /** Something comes from outside: an answer, a connection. */
  deliver(callback: () => void): void {
    this.#whenAwake(this.#delivered, callback);
  }

  pause(kind: "stopped" | "suspended"): void {
    this.#paused ??= { kind, sinceMs: this.#truth.monotonic() };
  }

  resume(): void {
    if (this.#paused?.kind === "suspended") this.#sleptMs += this.#truth.monotonic() - this.#paused.sinceMs;
    this.#paused = undefined;
    for (const callback of [...this.#delivered.splice(0), ...this.#due.splice(0)]) callback();
  }

  /** Somebody sets the wall clock. */
  setWall(aheadMs: number): void {
    this.#wallAheadMs = aheadMs;
  }

  /** Nothing ever happens here again: kill -9. */
  kill(): void {
    this.#isDead = true;
  }

  #whenAwake(waiting: (() => void)[], callback: () => void): void {
    if (this.#isDead) return;
    if (this.#paused === undefined) callback();
    else waiting.push(callback);
  }
}
