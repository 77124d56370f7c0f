/**
 * The clock of one machine among several: with an offset, a slightly wrong rate, and pauses together with everything that runs on it.
 *
 *     ManualClock (true time) → MachineClock → one process
 *
 * A "stopped" process (SIGSTOP, a long garbage collection) finds on resume that time has passed; a process on a "suspended" machine finds
 * it only on the wall clock.
 */
import type { Clock } from "@drover/machinery";

export interface MachineClockOptions {
  /** Milliseconds of this clock per true millisecond. */
  readonly rate: number;
  /** Initial monotonic time. */
  readonly monotonicMs: number;
  /** Offset of the wall clock. */
  readonly wallAheadMs: number;
}

/**
 * Guarantees: nothing that uses `timer` or `deliver` happens while the machine is paused; on resume, deliveries come first and timers
 * last.
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
      // Waits for what is left after a pause or by rounding; less than a nanosecond is ignored.
      if (dueMs - this.monotonic() > 1e-6) arm();
      else callback();
    };
    arm();
    return () => {
      isCancelled = true;
      cancel();
    };
  }

  /** Delivers something from outside: a response, a connection. */
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

  /** Sets the wall clock. */
  setWall(aheadMs: number): void {
    this.#wallAheadMs = aheadMs;
  }

  /** Ends everything on this machine: kill -9. */
  kill(): void {
    this.#isDead = true;
  }

  #whenAwake(waiting: (() => void)[], callback: () => void): void {
    if (this.#isDead) return;
    if (this.#paused === undefined) callback();
    else waiting.push(callback);
  }
}
