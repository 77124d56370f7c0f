/**
 * Names the reconcile that keeps the event loop to itself: while it does, no watch is read, no lease renewed, no probe answered.
 *
 *     run begins → stretch (its first synchronous part) … → heartbeat that comes late → run ends
 *
 * A timer cannot fire while the loop is blocked, so what is measured is how late one comes, or how overdue it is when a run ends.
 */
import type { BoundCounter, Clock, Log } from "@drover/machinery";

/** A run as it is named in the log. */
export interface NamedRun {
  readonly key: string;
  readonly run: string;
}

export interface LoopWatchdogOptions {
  readonly clock: Clock;
  readonly log: Log;
  /** Counts every time. */
  readonly blocked: BoundCounter;
  /** Milliseconds without a turn that are too many; Infinity watches nothing. */
  readonly warningMs: number;
  /** The runs under way. */
  readonly active: () => Iterable<NamedRun>;
}

const warnEveryMs = 60_000;
/** In how many beats the time is cut: a block is noticed when it has lasted for `warningMs`, perhaps a beat earlier. */
const beats = 2;

/** Guarantees: no timer while nothing runs, but for one beat after the last run. */
export class LoopWatchdog {
  readonly #options: LoopWatchdogOptions;
  readonly #beatMs: number;
  #dueAt = Infinity;
  #cancel: (() => void) | undefined;
  #warnedAt = -Infinity;

  constructor(options: LoopWatchdogOptions) {
    this.#options = options;
    this.#beatMs = options.warningMs / beats;
  }

  /** A run begins. */
  began(now: number): void {
    if (this.#cancel === undefined && this.#beatMs !== Infinity) this.#arm(now);
  }

  /** A run had the loop to itself for this time. */
  stretch(run: NamedRun, fromMs: number, toMs: number): void {
    if (toMs - fromMs > this.#options.warningMs) this.#report([run], toMs - fromMs, toMs);
  }

  /** A run is over: when the heartbeat is overdue by now, its last part is what held it up. */
  ended(run: NamedRun, now: number): void {
    if (this.#isLate(now)) this.#report([run], now - this.#dueAt, now);
  }

  close(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    this.#dueAt = Infinity;
  }

  #arm(now: number): void {
    this.#dueAt = now + this.#beatMs;
    this.#cancel = this.#options.clock.timer(this.#beatMs, () => this.#beat());
  }

  #beat(): void {
    const now = this.#options.clock.monotonic();
    const runs = [...this.#options.active()];
    if (runs.length > 0 && this.#isLate(now)) this.#report(runs, now - this.#dueAt, now);
    this.close();
    if (runs.length > 0) this.#arm(now);
  }

  #isLate(now: number): boolean {
    return now - this.#dueAt > this.#options.warningMs - this.#beatMs;
  }

  #report(runs: readonly NamedRun[], blockedMs: number, now: number): void {
    const { blocked, log } = this.#options;
    // What was reported is not reported again by the heartbeat that is still overdue.
    this.#dueAt = Math.max(this.#dueAt, now);
    blocked.add();
    if (now - this.#warnedAt < warnEveryMs) return;
    this.#warnedAt = now;
    const [first] = runs;
    const who =
      runs.length === 1
        ? { key: first?.key, run: first?.run }
        : { runs: runs.slice(0, 5).map(({ key, run }) => `${key} (${run})`), runCount: runs.length };
    log.warn("a reconcile blocked the event loop: watches, leases and probes stood still; cut long computations into pieces", {
      ...who,
      blockedMs: Math.round(blockedMs),
    });
  }
}
