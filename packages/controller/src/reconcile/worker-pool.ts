/**
 * How many keys are worked on at a time. A worker is a free place, not a loop: a run that never ends takes a place and nothing else.
 *
 *     queue → WorkerPool: a place is free → begin(work) → … → ended → the next
 */
import { Latch, TurnKeeper } from "@drover/machinery";
import type { Clock, ObjectKey } from "@drover/machinery";
import type { Work } from "@drover/workqueue";
import type { Queue } from "@drover/workqueue";

export interface WorkerPoolOptions<C, R> {
  readonly queue: Pick<Queue<ObjectKey, C>, "tryGet" | "get" | "done">;
  readonly clock: Clock;
  readonly workers: number;
  /** Prepares a key that was taken; undefined when it needs no place after all. Must not throw. */
  readonly begin: (work: Work<ObjectKey, C>) => R | undefined;
  /** Sets it going. It may be over, and `ended` called, before this returns. Must not throw. */
  readonly start: (run: R) => void;
}

/** Guarantees: at most `workers` at a time; the loop has a turn every ten milliseconds, however short the runs are. */
export class WorkerPool<C, R> {
  readonly #options: WorkerPoolOptions<C, R>;
  readonly #active = new Set<R>();
  readonly #turns: TurnKeeper;
  readonly #stop = new AbortController();
  readonly #idle = new Latch();
  #workers: number;
  /** What was handed over when the last place had just been taken away. */
  #held: Work<ObjectKey, C> | undefined;
  #state: "before" | "taking" | "stopped" = "before";
  #isBusy = false;
  #isWaiting = false;

  constructor(options: WorkerPoolOptions<C, R>) {
    this.#options = options;
    this.#workers = options.workers;
    this.#turns = new TurnKeeper({ clock: options.clock });
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

  /** From now on keys are taken. */
  start(): void {
    if (this.#state !== "before") return;
    this.#state = "taking";
    this.#fill();
  }

  /** Takes no more keys; what is under way goes on. Assumes: the queue is shut down next, so that nobody waits in it. */
  stop(): void {
    this.#state = "stopped";
    this.#stop.abort();
    this.#turns.close();
    if (this.#held !== undefined) this.#options.queue.done(this.#held.key);
    this.#held = undefined;
    if (this.#active.size === 0) this.#idle.open();
  }

  /** Resolves when it was stopped and nothing is under way. */
  idle(signal: AbortSignal): Promise<void> {
    return this.#idle.wait(signal);
  }

  /** A run is over, and its key is done. */
  ended(run: R): void {
    this.#active.delete(run);
    if (this.#state === "stopped" && this.#active.size === 0) this.#idle.open();
    this.#fill();
  }

  /** Fills free places. A run that ends before `start` returns comes back here through `ended` and finds it busy. */
  #fill(): void {
    if (this.#isBusy) return;
    this.#isBusy = true;
    while (this.#state === "taking" && this.#active.size < this.#workers) {
      const turn = this.#turns.due(this.#stop.signal);
      if (turn !== undefined) {
        // Stays busy until then; a rejection means that it was stopped.
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
