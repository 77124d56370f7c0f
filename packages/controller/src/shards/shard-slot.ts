/**
 * One lease of a sharded operator, with the work under it: competes only while started, and after a loss only when started again.
 *
 *     ShardSet → ShardSlot.start, stop → LeaderElector → work, once for each term
 */
import type { Log } from "@drover/machinery";
import { LeaderElector } from "../leader/leader-elector.ts";
import type { LeaderElectorOptions } from "../leader/leader-elector.ts";

export interface ShardSlotOptions {
  readonly elector: Omit<LeaderElectorOptions, "onStartedLeading" | "onStoppedLeading" | "drainMs" | "releaseOnStop">;
  readonly log: Log;
  /**
   * Works for one term until the signal aborts. Resolves with true when everything has ended, with false if some work was abandoned; the
   * lease is left to expire then.
   */
  readonly work: (signal: AbortSignal) => Promise<boolean>;
  /** See `LeaderElectorOptions`; read when the slot stops. */
  readonly drainMs: () => number;
  readonly mayRelease: () => boolean;
  /** Called when the lease is acquired or lost, and when the slot has stopped. */
  readonly onChange: () => void;
}

/** Guarantees: every term is followed by a stop. The next term starts only after a call of `start`, when the work of the last has ended. */
export class ShardSlot {
  readonly elector: LeaderElector;
  readonly #options: ShardSlotOptions;
  #run: { readonly stop: AbortController; readonly over: Promise<void> } | undefined;
  #isClean = true;

  constructor(options: ShardSlotOptions) {
    this.#options = options;
    const { elector, drainMs, mayRelease, onChange } = options;
    const isClean = (): boolean => this.#isClean;
    this.elector = new LeaderElector({
      ...elector,
      onStartedLeading: (signal) => this.#work(signal),
      onStoppedLeading: () => {
        void this.stop(undefined);
        onChange();
      },
      // The elector reads these when it stops.
      get drainMs() {
        return drainMs();
      },
      get releaseOnStop() {
        return isClean() && mayRelease();
      },
    });
  }

  /** Whether it competes for the lease, holds it, or has not ended yet. */
  get isRunning(): boolean {
    return this.#run !== undefined;
  }

  /** Competes for the lease, unless it is running. */
  start(): void {
    if (this.#run !== undefined) return;
    const stop = new AbortController();
    this.#isClean = true;
    const over = this.elector
      .run(stop.signal)
      .catch((error: unknown) => this.#options.log.error("work of a lease failed", { lease: this.elector.fence.lease, error }))
      .then(() => {
        this.#run = undefined;
        this.#options.onChange();
      });
    this.#run = { stop, over };
  }

  /** Ends the work, releases the lease, and resolves when both are done. */
  async stop(reason: unknown): Promise<void> {
    this.#run?.stop.abort(reason);
    await this.#run?.over;
  }

  async #work(signal: AbortSignal): Promise<void> {
    this.#options.onChange();
    this.#isClean = false;
    this.#isClean = await this.#options.work(signal);
  }
}
