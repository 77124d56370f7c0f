/**
 * Finds work that blocks the event loop: meanwhile no watch is read, no lease renewed, no probe answered.
 *
 *     run starts → stretch (its first synchronous part) … → late heartbeat → run ends
 *
 * A timer cannot fire while the loop is blocked, so the watchdog measures how late one fires, or how overdue it is when a run ends.
 */
import type { Clock } from "./clock.ts";
import type { LogFields } from "./log.ts";
import type { BoundCounter, Counter, Metrics } from "./metrics.ts";

export interface LoopWatchdogOptions<Run extends object> {
  readonly clock: Clock;
  /** Counts every block. */
  readonly blocked: BoundCounter;
  /** Minimum duration of a block, in milliseconds; Infinity disables the watchdog. */
  readonly warningMs: number;
  /** Returns the runs in progress. */
  readonly active: () => Iterable<Run>;
  /** Returns the fields that name a run in the log. */
  readonly fieldsOf: (run: Run) => LogFields;
  /** Returns the same in one text, for a list of runs. */
  readonly nameOf: (run: Run) => string;
  /** Logs a block, at most once a minute. */
  readonly warn: (fields: LogFields) => void;
}

const warnEveryMs = 60_000;
/** Heartbeats per `warningMs`: a block is noticed when it has lasted for `warningMs`, possibly one heartbeat earlier. */
const beats = 2;
/** A run that only waits needs no frequent heartbeat: the period doubles up to this, and starts over with the next run. */
const beatMaxMs = 1000;

/** Guarantees: no timer while nothing runs, except for one heartbeat after the last run. */
export class LoopWatchdog<Run extends object> {
  readonly #options: LoopWatchdogOptions<Run>;
  readonly #beatMs: number;
  /** Period of the next heartbeat. */
  #nextBeatMs: number;
  #dueAt = Infinity;
  #cancel: (() => void) | undefined;
  #warnedAt = -Infinity;

  constructor(options: LoopWatchdogOptions<Run>) {
    this.#options = options;
    this.#beatMs = options.warningMs / beats;
    this.#nextBeatMs = this.#beatMs;
  }

  /** Returns the counter of blocks, by controller; the API server counts as one. */
  static counter(metrics: Metrics): Counter {
    return metrics.counter({
      name: "drover_event_loop_blocked_total",
      help: "Times the event loop was blocked for too long while a reconcile or a request was in progress.",
      labels: ["controller"],
    });
  }

  /** Called when a run starts. */
  began(now: number): void {
    if (this.#beatMs === Infinity || (this.#cancel !== undefined && this.#nextBeatMs === this.#beatMs)) return;
    this.#cancel?.();
    this.#nextBeatMs = this.#beatMs;
    this.#arm(now);
  }

  /** Called when a run has occupied the loop for this time. */
  stretch(run: Run, fromMs: number, toMs: number): void {
    if (toMs - fromMs > this.#options.warningMs) this.#report([run], toMs - fromMs, toMs);
  }

  /** Called when a run has ended: if the heartbeat is overdue, the last part of the run delayed it. */
  ended(run: Run, now: number): void {
    if (this.#isLate(now)) this.#report([run], now - this.#dueAt, now);
  }

  close(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    this.#dueAt = Infinity;
  }

  #arm(now: number): void {
    this.#dueAt = now + this.#nextBeatMs;
    this.#cancel = this.#options.clock.timer(this.#nextBeatMs, () => this.#beat());
  }

  #beat(): void {
    const now = this.#options.clock.monotonic();
    const runs = [...this.#options.active()];
    if (runs.length > 0 && this.#isLate(now)) this.#report(runs, now - this.#dueAt, now);
    this.close();
    if (runs.length === 0) return;
    this.#nextBeatMs = Math.max(this.#beatMs, Math.min(this.#nextBeatMs * 2, beatMaxMs));
    this.#arm(now);
  }

  #isLate(now: number): boolean {
    return now - this.#dueAt > this.#options.warningMs - this.#beatMs;
  }

  #report(runs: readonly Run[], blockedMs: number, now: number): void {
    const { blocked, warn, fieldsOf, nameOf } = this.#options;
    // The overdue heartbeat must not report the same block again.
    this.#dueAt = Math.max(this.#dueAt, now);
    blocked.add();
    if (now - this.#warnedAt < warnEveryMs) return;
    this.#warnedAt = now;
    const [first] = runs;
    const who = runs.length === 1 && first !== undefined ? fieldsOf(first) : { runs: runs.slice(0, 5).map(nameOf), runCount: runs.length };
    warn({ ...who, blockedMs: Math.round(blockedMs) });
  }
}
