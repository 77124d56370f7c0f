/**
 * client-go's base queue with the behaviour of `workqueue.Interface`.
 *
 *     add → Interface → get → done          delaying-queue.ts and rate-limiting-queue.ts build on it
 *
 * `createQueue` of @drover/workqueue does more; use it in new code.
 */
import type { Clock, Metrics } from "@drover/machinery";
import { ClassicQueueState } from "./classic-queue-state.ts";
import type { QueueOrder } from "./classic-queue-state.ts";
import { QueueMetrics, Waiters, waitForDrain } from "@drover/workqueue";
import type { DrainOptions, GetOptions } from "@drover/workqueue";

/**
 * client-go's `workqueue.Interface`. A key is any value that a `Map` can distinguish, except undefined.
 *
 * Guarantees: at most one worker has a key; adds of a queued key are merged; an add while the key is being processed queues it exactly
 * once more after `done`; otherwise first in, first out.
 */
export interface Interface<K> {
  /** Marks the key as needing work. Ignored once the queue is shutting down. */
  add(key: K): void;
  /** Returns the number of queued keys, without those being processed, even if `done` will queue them again. */
  len(): number;
  /** Takes the next key, waiting for one if none is queued. Resolves with undefined when the queue is shut down and empty. */
  get(options?: GetOptions): Promise<K | undefined>;
  /** Takes the next key if one is queued now. */
  tryGet(): K | undefined;
  /** Ends the processing of a key. Does nothing if the key is not being processed. */
  done(key: K): void;
  /** Shuts the queue down: it ignores further adds, and workers receive the queued keys and then undefined. */
  shutDown(): void;
  /** Shuts the queue down and resolves when no key is queued or being processed. client-go returns while keys are still queued. */
  shutDownWithDrain(options?: DrainOptions): Promise<void>;
  shuttingDown(): boolean;
}

/** Options of `newQueue`. */
export interface ClassicQueueOptions<K> {
  readonly clock: Clock;
  /** Records the queue's metrics; requires `name`. @default no metrics */
  readonly metrics?: Metrics;
  /** Name of the queue in metrics and errors. @default unnamed, without metrics */
  readonly name?: string;
  /** Custom order of queued keys. @default first in, first out */
  readonly order?: QueueOrder<K>;
}

/** client-go's New, NewNamed and NewWithConfig. */
export function newQueue<K = string>(options: ClassicQueueOptions<K>): Interface<K> {
  return new ClassicQueue(options);
}

class ClassicQueue<K> implements Interface<K> {
  readonly #clock: Clock;
  readonly #name: string;
  readonly #metrics: QueueMetrics<K> | undefined;
  readonly #state: ClassicQueueState<K>;
  readonly #workers = new Waiters<K | undefined>();
  readonly #drains = new Waiters<void>();

  constructor({ clock, metrics, name = "", order }: ClassicQueueOptions<K>) {
    this.#clock = clock;
    this.#name = name;
    this.#metrics = metrics === undefined || name === "" ? undefined : new QueueMetrics({ clock, metrics, name, byPriority: false });
    this.#state = new ClassicQueueState({ order, observer: this.#metrics });
  }

  add(key: K): void {
    if (this.#state.add(this.#now(), key) && this.#workers.size > 0) this.#serve();
  }

  len(): number {
    return this.#state.queuedCount;
  }

  get({ signal }: GetOptions = {}): Promise<K | undefined> {
    if (signal?.aborted === true) return Promise.reject(signal.reason as Error);
    const key = this.tryGet();
    return key !== undefined || this.#state.shuttingDown ? Promise.resolve(key) : this.#workers.wait(signal);
  }

  tryGet(): K | undefined {
    return this.#state.take(this.#now());
  }

  done(key: K): void {
    if (!this.#state.done(this.#now(), key)) return;
    if (this.#workers.size > 0) this.#serve();
    if (this.#drains.size > 0 && this.#state.isDrained) this.#drains.handAll();
  }

  shutDown(): void {
    this.#beginShutDown();
    this.#drains.handAll();
  }

  async shutDownWithDrain(options: DrainOptions = {}): Promise<void> {
    this.#beginShutDown();
    if (this.#state.isDrained) return;
    await waitForDrain(this.#drains, this.#clock, options, () => this.#whatIsLeft());
  }

  shuttingDown(): boolean {
    return this.#state.shuttingDown;
  }

  /** Returns 0 without metrics: only they need the time, and reading the clock costs as much as the rest. */
  #now(): number {
    return this.#metrics === undefined ? 0 : this.#clock.monotonic();
  }

  #serve(): void {
    const key = this.tryGet();
    if (key !== undefined) this.#workers.hand(key);
  }

  #beginShutDown(): void {
    this.#state.shutDown();
    // No worker waits while a key is queued, so nothing is withheld from them here.
    this.#workers.handAll(undefined);
  }

  #whatIsLeft(): string {
    const { processing } = this.#state;
    return `queue ${this.#name === "" ? "without a name" : this.#name} has ${this.len()} queued and ${processing.length} being processed`;
  }
}
