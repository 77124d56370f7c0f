/**
 * Names the reconcile that leaves timers and other handles open: each run a few more, until the process is slow and then out of memory.
 *
 *     run begins → began;  run ends → ended: counted now and then, and around single runs once the number has grown
 */
import type { BoundCounter, Log } from "@drover/machinery";
import type { NamedRun } from "./loop-watchdog.ts";

export interface HandleWatchOptions {
  /** How many timers and other handles the process has open; undefined when nobody knows. */
  readonly openHandles: (() => number) | undefined;
  readonly log: Log;
  /** Counts the runs that were found to leave many open. */
  readonly leaks: BoundCounter;
}

/** How many more than before are worth a closer look, and how many of one run are worth a warning. */
const growthMin = 1000;
const leftMin = 100;
/** Counting takes time when there are many. */
const countEveryMs = 1000;
/** How many runs are looked at one by one before it is let be. */
const closeLooks = 20;
const warnEveryMs = 60_000;

/** Guarantees: counts at most once a second, unless the number has grown by a thousand; only a run that was alone is blamed. */
export class HandleWatch {
  readonly #options: HandleWatchOptions;
  /** The least there were since the last warning. */
  #least = Infinity;
  #countedAt = -Infinity;
  #looksLeft = 0;
  /** The run that is looked at, if it has been alone so far. */
  #alone: { readonly run: NamedRun; readonly open: number } | undefined;
  #warnedAt = -Infinity;

  constructor(options: HandleWatchOptions) {
    this.#options = options;
  }

  /** A run begins, and so many are under way with it. */
  began(run: NamedRun, active: number): void {
    const { openHandles } = this.#options;
    if (openHandles === undefined || this.#looksLeft === 0) return;
    this.#alone = active === 1 ? { run, open: openHandles() } : undefined;
  }

  /** A run is over. */
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
    log.warn("a reconcile leaves timers or other handles open: clear them before it returns, or let them end with its signal", {
      key,
      run,
      left,
    });
  }
}
