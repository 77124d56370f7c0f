/**
 * Finds reconciles that leak timers and other handles: a few more per run, until the process runs out of memory.
 *
 *     run starts → began;  run ends → ended: counted about once a second, and around single runs once the number has grown
 */
import type { BoundCounter, Log } from "@drover/machinery";

/** A run as named in the log. */
export interface NamedRun {
  readonly key: string;
  readonly run: string;
}

export interface HandleWatchOptions {
  /** Returns the number of open timers and other handles of the process; undefined if the runtime cannot tell. */
  readonly openHandles: (() => number) | undefined;
  readonly log: Log;
  /** Counts runs that left many handles open. */
  readonly leaks: BoundCounter;
}

/** Growth that triggers a closer look, and the number of handles left by one run that triggers a warning. */
const growthMin = 1000;
const leftMin = 100;
/** Counting is slow when there are many handles. */
const countEveryMs = 1000;
/** Number of single runs to examine before giving up. */
const closeLooks = 20;
const warnEveryMs = 60_000;

/** Guarantees: counts at most once a second, unless the number has grown by a thousand; blames only a run that was alone. */
export class HandleWatch {
  readonly #options: HandleWatchOptions;
  /** Lowest count since the last warning. */
  #least = Infinity;
  #countedAt = -Infinity;
  #looksLeft = 0;
  /** The run under examination, if no other run was active so far. */
  #alone: { readonly run: NamedRun; readonly open: number } | undefined;
  #warnedAt = -Infinity;

  constructor(options: HandleWatchOptions) {
    this.#options = options;
  }

  /** Called when a run starts; `active` includes it. */
  began(run: NamedRun, active: number): void {
    const { openHandles } = this.#options;
    if (openHandles === undefined || this.#looksLeft === 0) return;
    this.#alone = active === 1 ? { run, open: openHandles() } : undefined;
  }

  /** Called when a run has ended. */
  ended(run: NamedRun, now: number): void {
    const { openHandles } = this.#options;
    if (openHandles === undefined) return;
    const alone = this.#alone;
    this.#alone = undefined;
    if (alone?.run === run) return this.#looked(run, openHandles() - alone.open, now);
    if (now - this.#countedAt < countEveryMs) return;
    this.#countedAt = now;
    const open = openHandles();
    this.#least = Math.min(this.#least, open);
    if (this.#looksLeft === 0 && open - this.#least >= growthMin) this.#looksLeft = closeLooks;
  }

  #looked({ key, run }: NamedRun, left: number, now: number): void {
    const { log, leaks } = this.#options;
    this.#looksLeft--;
    if (this.#looksLeft === 0) this.#least = Infinity;
    if (left < leftMin) return;
    leaks.add();
    if (now - this.#warnedAt < warnEveryMs) return;
    this.#warnedAt = now;
    log.warn("reconcile leaves timers or other handles open: clear them before it returns, or end them with its signal", {
      key,
      run,
      left,
      code: "DRV0414",
    });
  }
}
