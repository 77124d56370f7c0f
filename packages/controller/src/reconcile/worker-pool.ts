/**
 * Limits the number of concurrent runs. A worker is a free slot, not a loop: a run that never ends occupies a slot and nothing else.
 *
 *     queue → WorkerPool: a slot is free → begin(work) → … → ended → the next
 */
import { Latch, TurnKeeper } from "@drover/machinery";
import type { Clock, ObjectKey } from "@drover/machinery";
import type { Work } from "@drover/workqueue";
import type { Queue } from "@drover/workqueue";

export interface WorkerPoolOptions<C, R> {
  readonly queue: Pick<Queue<ObjectKey, C>, "tryGet" | "get" | "done">;
  readonly clock: Clock;
  readonly workers: number;
  /** Prepares a key taken from the queue; returns undefined if it needs no slot. Must not throw. */
  readonly begin: (work: Work<ObjectKey, C>) => R | undefined;
  /** Starts the run. It may end, and call `ended`, before this returns. Must not throw. */
  readonly start: (run: R) => void;
}

/** Guarantees: at most `workers` runs at a time; yields to the event loop every ten milliseconds, however short the runs are. */
export class WorkerPool<C, R> {
  readonly #options: WorkerPoolOptions<C, R>;
  readonly #active = new Set<R>();
  readonly #turns: TurnKeeper;
  readonly #stop = new AbortController();
  readonly #idle = new Latch();
  #workers: number;
  /** Work received after `setWorkers` removed the last free slot. */
  #held: Work<ObjectKey, C> | undefined;
  #state: "before" | "taking" | "stopped" = "before";
  #isBusy = false;
  #isWaiting = false;

  constructor(options: WorkerPoolOptions<C, R>) {
    this.#options = options;
    this.#workers = options.workers;
    this.#turns = new TurnKeeper({ clock: options.clock, stillMax: 1000 });
  }

  get workers(): number {
    return this.#workers;
  }

  get active(): ReadonlySet<R> {
    return this.#active;
  }

  setWorkers(count: number): void {
    this.#workers = count;
    this.#fill();
  }

  /** Starts taking keys. */
  start(): void {
    if (this.#state !== "before") return;
    this.#state = "taking";
    this.#fill();
  }

  /** Takes no more keys; runs in progress continue. Assumes that the queue is shut down next, which ends the pending `get`. */
  stop(): void {
    this.#state = "stopped";
    this.#stop.abort();
    this.#turns.close();
    if (this.#held !== undefined) this.#options.queue.done(this.#held.key);
    this.#held = undefined;
    if (this.#active.size === 0) this.#idle.open();
  }

  /** Resolves when the pool was stopped and no run is in progress. */
  idle(signal: AbortSignal): Promise<void> {
    return this.#idle.wait(signal);
  }

  /** Called when a run has ended and its key is done. */
  ended(run: R): void {
    this.#active.delete(run);
    if (this.#state === "stopped" && this.#active.size === 0) this.#idle.open();
    this.#fill();
  }

  /** Fills free slots. A run that ends before `start` returns calls this again through `ended` and finds it busy. */
  #fill(): void {
    if (this.#isBusy) return;
    this.#isBusy = true;
    while (this.#state === "taking" && this.#active.size < this.#workers) {
      const turn = this.#turns.due(this.#stop.signal);
      if (turn !== undefined) {
        // Stays busy until then; rejects only when the pool was stopped.
        turn.then(
          () => {
            this.#isBusy = false;
            this.#fill();
          },
          () => undefined,
        );
        return;
      }
      const work = this.#held ?? this.#options.queue.tryGet();
      this.#held = undefined;
      if (work === undefined) {
        if (!this.#isWaiting) void this.#wait();
        break;
      }
      this.#begin(work);
    }
    this.#isBusy = false;
  }

  async #wait(): Promise<void> {
    this.#isWaiting = true;
    const work = await this.#options.queue.get();
    this.#isWaiting = false;
    if (work === undefined) return;
    if (this.#state === "stopped") return this.#options.queue.done(work.key);
    this.#held = work;
    this.#fill();
  }

  #begin(work: Work<ObjectKey, C>): void {
    const run = this.#options.begin(work);
    if (run === undefined) return;
    this.#active.add(run);
    this.#options.start(run);
  }
}
