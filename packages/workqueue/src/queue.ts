/**
 * Work queue: accepts a key many times, hands it out once, and never to two workers at the same time.
 *
 *     handlers → add … → Queue → get → worker → done, addRateLimited, forget
 *
 * This file does the waiting; queue-state.ts defines what each operation does.
 */
import type { Clock, Metrics } from "@drover/machinery";
import { Alarm } from "./alarm.ts";
import { waitForDrain } from "./drain.ts";
import type { DrainOptions } from "./drain.ts";
import { QueueMetrics } from "./metrics.ts";
import { QueueState } from "./queue-state.ts";
import { itemExponentialFailureRateLimiter } from "./rate-limiter.ts";
import type { RateLimiter } from "./rate-limiter.ts";
import { Waiters } from "./waiters.ts";
import type { AddOptions, Debounce, GetOptions, KeyReport, Work } from "./work.ts";

/** Options of `createQueue`. */
export interface QueueOptions<K> {
  readonly clock: Clock;
  /** Records the queue's metrics; requires `name`. @default no metrics */
  readonly metrics?: Metrics;
  /** Name of the queue in metrics and errors. @default unnamed, without metrics */
  readonly name?: string;
  /** Delay of retries. Do not share a limiter between queues. @default 5 ms per key, doubling to 1,000 s; no limit across keys */
  readonly rateLimiter?: RateLimiter<K>;
  /**
   * Waiting time, in milliseconds, that counts as one point of priority. A key that became ready this much earlier per point of
   * difference runs before a key of higher priority, so no key starves. Infinity makes priorities absolute. @default 1000
   */
  readonly ageingMs?: number;
  /**
   * Returns the tenant of a key. Tenants with ready keys take turns; priorities count within a tenant. Called once when the
   * queue starts to track a key. @default one tenant for all keys
   */
  readonly tenantOf?: (key: K) => string;
  /** Delays a key that keeps being added until the adds stop. Does not affect retries and delayed adds. @default no debouncing */
  readonly debounce?: Debounce;
  /** Retries of a key before the queue parks it. @default Infinity */
  readonly maxAttempts?: number;
}

/**
 * A queue of keys for workers. A key is a string, or any value that a `Map` can distinguish.
 *
 * Guarantees:
 * - From `get` to `done` exactly one worker has the key.
 * - Several adds of a pending key lead to one run. An add while the key runs leads to exactly one more run after `done`.
 * - Ready keys are handed out by priority and age; with equal priorities, in the order in which they became ready.
 * - The worker that has waited longest in `get` is served first. No key stays ready while a worker waits.
 * - A key that is done and was not retried leaves no state behind; a retried key is remembered until `forget`.
 */
export interface Queue<K, C = unknown> {
  /**
   * Adds a key because of an event: it becomes ready now or, with `debounce`, when the adds stop. Replaces a pending delay or
   * retry of the key.
   */
  add(key: K): void;
  /** Adds a key with a priority, delay, cause or as a retry. */
  addWith(key: K, options: AddOptions<C>): void;
  /**
   * Adds the key after `afterMs` milliseconds; of several delays the earliest counts. Zero or less means now. Throws a RangeError
   * for NaN and Infinity.
   */
  addAfter(key: K, afterMs: number, options?: Omit<AddOptions<C>, "afterMs" | "rateLimited">): void;
  /**
   * Retries a key whose run failed, after the rate limiter's delay; parks it when `maxAttempts` are used up.
   *
   * Only retries count as attempts. If an event makes the key run before its retry is due and that run fails too, the key waits for
   * the same retry again.
   */
  addRateLimited(key: K, options?: Omit<AddOptions<C>, "afterMs" | "rateLimited">): void;
  /** Resets the attempts of a key and drops it if it is parked. Call it after success, in addition to `done`. */
  forget(key: K): void;
  /** Returns the number of retries since the last `forget` of the key. */
  numRequeues(key: K): number;
  /** Cancels a delayed add, debounced add or retry that is not due yet. Returns false if there is none. */
  cancel(key: K): boolean;
  /** Makes a parked key ready and resets its attempts, as every add except a retry does. Returns false if it is not parked. */
  unpark(key: K): boolean;
  /**
   * Takes the next key, waiting for one if none is ready. Resolves with undefined when the queue is shut down and nothing is ready;
   * rejects with the reason of `signal`. Call `done` for every key.
   */
  get(options?: GetOptions): Promise<Work<K, C> | undefined>;
  /** Takes the next key if one is ready now, without a promise. Call `done` for every key. */
  tryGet(): Work<K, C> | undefined;
  /** Ends the run of a key, after success and failure. Does nothing if the key is not running. */
  done(key: K): void;
  /** Returns the number of ready keys, including running keys that are ready to run again; keys that are not due yet do not count. */
  len(): number;
  /** Returns the number of keys that are not due yet. */
  waitingLen(): number;
  /**
   * Shuts the queue down: it ignores further adds, and workers receive the ready keys and then undefined. Drops and returns the keys
   * that are not due yet. A pending `shutDownWithDrain` resolves.
   */
  shutDown(): readonly K[];
  /** Shuts the queue down as `shutDown` does and resolves when all ready and running keys are done. */
  shutDownWithDrain(options?: DrainOptions): Promise<void>;
  shuttingDown(): boolean;
  /** Returns the state of a key; undefined if the queue does not track it. */
  inspect(key: K): KeyReport<K, C> | undefined;
  /** Returns the state of every key: a copy, as large as the queue. */
  inspectAll(): readonly KeyReport<K, C>[];
  /** Updates the gauges of unfinished work, for a scrape that needs exact values; otherwise they are at most 500 ms old. */
  refreshMetrics(): void;
}

/** Creates a queue with delays, retries, priorities with ageing, fairness, debouncing, parking, causes and inspection. */
export function createQueue<K = string, C = unknown>(options: QueueOptions<K>): Queue<K, C> {
  return new WaitingQueue(options);
}

const retry: AddOptions<never> = Object.freeze({ rateLimited: true });

class WaitingQueue<K, C> implements Queue<K, C> {
  readonly #clock: Clock;
  readonly #time: () => number;
  readonly #name: string;
  readonly #metrics: QueueMetrics<K> | undefined;
  readonly #state: QueueState<K, C>;
  readonly #workers = new Waiters<Work<K, C> | undefined>();
  readonly #drains = new Waiters<void>();
  readonly #alarm: Alarm;

  constructor(options: QueueOptions<K>) {
    const {
      clock,
      metrics,
      name = "",
      ageingMs = 1000,
      maxAttempts = Infinity,
      rateLimiter = itemExponentialFailureRateLimiter(5, 1_000_000),
      tenantOf,
      debounce,
    } = options;
    checkOptions(ageingMs, maxAttempts, tenantOf, debounce);
    this.#clock = clock;
    this.#time = () => clock.monotonic();
    this.#name = name;
    this.#metrics = metrics === undefined || name === "" ? undefined : new QueueMetrics({ clock, metrics, name, byPriority: true });
    this.#state = new QueueState({ rateLimiter, ageingMs, maxAttempts, tenantOf, debounce, observer: this.#metrics });
    this.#alarm = new Alarm(clock, () => this.#wake());
  }

  add(key: K): void {
    this.#state.add(this.#time, key);
    this.#follow();
  }

  addWith(key: K, options: AddOptions<C>): void {
    this.#state.add(this.#time, key, options);
    this.#follow();
  }

  addAfter(key: K, afterMs: number, options?: Omit<AddOptions<C>, "afterMs" | "rateLimited">): void {
    this.addWith(key, options === undefined ? { afterMs } : { ...options, afterMs });
  }

  addRateLimited(key: K, options?: Omit<AddOptions<C>, "afterMs" | "rateLimited">): void {
    this.addWith(key, options === undefined ? retry : { ...options, rateLimited: true });
  }

  forget(key: K): void {
    this.#state.forget(key);
  }

  numRequeues(key: K): number {
    return this.#state.attempts(key);
  }

  cancel(key: K): boolean {
    return this.#state.cancel(this.#clock.monotonic(), key);
  }

  unpark(key: K): boolean {
    const released = this.#state.unpark(this.#clock.monotonic(), key);
    this.#follow();
    return released;
  }

  get({ signal }: GetOptions = {}): Promise<Work<K, C> | undefined> {
    if (signal?.aborted === true) return abortedPromise(signal);
    const work = this.tryGet();
    return work !== undefined || this.#state.shuttingDown ? Promise.resolve(work) : this.#workers.wait(signal);
  }

  tryGet(): Work<K, C> | undefined {
    return this.#state.take(this.#clock.monotonic());
  }

  done(key: K): void {
    if (this.#state.done(this.#time, key)) this.#follow();
  }

  len(): number {
    return this.#state.readyCount;
  }

  waitingLen(): number {
    return this.#state.waitingCount;
  }

  shutDown(): readonly K[] {
    const dropped = this.#beginShutDown();
    this.#drains.handAll();
    return dropped;
  }

  async shutDownWithDrain(options: DrainOptions = {}): Promise<void> {
    this.#beginShutDown();
    if (this.#isDrained()) return;
    await waitForDrain(this.#drains, this.#clock, options, () => this.#whatIsLeft());
  }

  shuttingDown(): boolean {
    return this.#state.shuttingDown;
  }

  inspect(key: K): KeyReport<K, C> | undefined {
    return this.#state.report(this.#clock.monotonic(), key);
  }

  inspectAll(): readonly KeyReport<K, C>[] {
    return this.#state.reports(this.#clock.monotonic());
  }

  refreshMetrics(): void {
    this.#metrics?.refresh();
  }

  /** Acts on a change of state: serves waiting workers, sets the alarm, ends the drain. */
  #follow(): void {
    if (this.#workers.size > 0) this.#serve();
    if (this.#state.waitingCount > 0) this.#alarm.setBy(this.#state.wakeAt);
    if (this.#drains.size > 0 && this.#isDrained()) this.#drains.handAll();
  }

  #serve(): void {
    const now = this.#clock.monotonic();
    while (this.#workers.size > 0) {
      const work = this.#state.take(now);
      if (work === undefined) return;
      this.#workers.hand(work);
    }
  }

  #wake(): void {
    this.#state.tick(this.#clock.monotonic());
    this.#follow();
  }

  #beginShutDown(): readonly K[] {
    const dropped = this.#state.shutDown(this.#clock.monotonic());
    this.#alarm.clear();
    // No worker waits while a key is ready, so nothing is withheld from them here.
    this.#workers.handAll(undefined);
    return dropped;
  }

  #isDrained(): boolean {
    return this.#state.readyCount === 0 && this.#state.runningCount === 0;
  }

  #whatIsLeft(): string {
    const running = this.inspectAll()
      .filter(({ state }) => state === "running")
      .map(({ key }) => String(key));
    const some = running.length > 5 ? [...running.slice(0, 5), "…"] : running;
    return `queue ${this.#name === "" ? "without a name" : this.#name} has ${this.len()} ready and ${running.length} running${running.length === 0 ? "" : ` (${some.join(", ")})`}`;
  }
}

function abortedPromise({ reason }: AbortSignal): Promise<never> {
  return Promise.reject(reason as Error);
}

function checkOptions(ageingMs: number, maxAttempts: number, tenantOf: unknown, debounce: Debounce | undefined): void {
  if (!(ageingMs > 0)) throw new RangeError(`createQueue: ageingMs must be above 0, not ${ageingMs}; for absolute priorities use Infinity`);
  if (!(maxAttempts >= 0))
    throw new RangeError(`createQueue: maxAttempts must be zero or more, not ${maxAttempts}; for no limit use Infinity`);
  if (tenantOf !== undefined && typeof tenantOf !== "function")
    throw new TypeError(`createQueue: tenantOf must be a function from key to tenant, not ${typeof tenantOf}`);
  if (debounce === undefined) return;
  if (!(debounce.afterMs > 0) || !(debounce.maxMs >= debounce.afterMs) || debounce.maxMs === Infinity) {
    throw new RangeError(
      `createQueue: debounce needs 0 < afterMs ≤ maxMs < Infinity, not afterMs ${debounce.afterMs} and maxMs ${debounce.maxMs}`,
    );
  }
}
