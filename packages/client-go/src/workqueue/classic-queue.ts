/**
 * The base queue of client-go, under its names: what people who know `workqueue.Interface` expect, and no more.
 *
 *     add → Interface → get → done          delaying-queue.ts and rate-limiting-queue.ts are built on it
 *
 * New code takes `createQueue`, which can do more.
 */
import type { Clock, Metrics } from "@drover/machinery";
import { ClassicQueueState } from "./classic-queue-state.ts";
import type { QueueOrder } from "./classic-queue-state.ts";
import { QueueMetrics, Waiters, waitForDrain } from "@drover/workqueue";
import type { DrainOptions, GetOptions } from "@drover/workqueue";

/**
 * client-go's `workqueue.Interface`. Keys are anything a `Map` tells apart, except undefined.
 *
 * Guarantees: one worker at a time has a key; adds of a queued key are one; an add while the key is being processed queues it exactly
 * once more after `done`; first in, first out otherwise.
 */
export interface Interface<K> {
  /** Marks the key as needing work. Ignored once the queue is shutting down. */
  add(key: K): void;
  /** Keys that are queued; not those being processed, nor those that will be queued again after `done`. */
  len(): number;
  /** The next key, at once when there is one, else as soon as there is; undefined when the queue is shut down and empty. */
  get(options?: GetOptions): Promise<K | undefined> | K | undefined;
  /** The next key if there is one now. */
  tryGet(): K | undefined;
  /** The worker is done with the key. Of a key that is not being processed it does nothing. */
  done(key: K): void;
  /** Takes in nothing more; workers get what is queued and then undefined. Ends the waiting of `shutDownWithDrain`. */
  shutDown(): void;
  /** As `shutDown`, and resolves when nothing is queued or being processed. client-go returns while keys are still queued. */
  shutDownWithDrain(options?: DrainOptions): Promise<void>;
  shuttingDown(): boolean;
}

export interface ClassicQueueOptions<K> {
  readonly clock: Clock;
  /** Where the queue's metrics go; they need a `name`. @default nowhere */
  readonly metrics?: Metrics;
  /** What the queue is called in metrics and errors. @default unnamed, without metrics */
  readonly name?: string;
  /** An order of one's own for queued keys. @default first in, first out */
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

  get({ signal }: GetOptions = {}): Promise<K | undefined> | K | undefined {
    if (signal?.aborted === true) return Promise.reject(signal.reason as Error);
    const key = this.tryGet();
    return key !== undefined || this.#state.shuttingDown ? key : this.#workers.wait(signal);
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

  /** Only metrics want to know the time, and it costs as much as the rest. */
  #now(): number {
    return this.#metrics === undefined ? 0 : this.#clock.monotonic();
  }

  #serve(): void {
    const key = this.tryGet();
    if (key !== undefined) this.#workers.hand(key);
  }

  #beginShutDown(): void {
    this.#state.shutDown();
    // Had anything been queued, nobody would be waiting.
    this.#workers.handAll(undefined);
  }

  #whatIsLeft(): string {
    const { processing } = this.#state;
    return `queue ${this.#name === "" ? "without a name" : this.#name} has ${this.len()} queued and ${processing.length} being processed`;
  }
}
