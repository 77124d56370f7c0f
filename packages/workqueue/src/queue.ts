/**
 * Keys in, many times; each key once out, and never two workers on one.
 *
 *     handlers → add … → Queue → get → worker → done, addRateLimited, forget
 *
 * This file waits; what an operation means is in queue-state.ts.
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

export interface QueueOptions<K> {
  readonly clock: Clock;
  /** Where the queue's metrics go; they need a `name`. @default nowhere */
  readonly metrics?: Metrics;
  /** What the queue is called in metrics and errors. @default unnamed, without metrics */
  readonly name?: string;
  /** How long retries wait. One limiter serves one queue. @default 5 ms doubling to 1,000 s for each key, no limit for all together */
  readonly rateLimiter?: RateLimiter<K>;
  /**
   * Milliseconds of waiting that are worth one point of priority. A key never waits behind one of a higher priority that became ready
   * later by more than this for each point between them, so none starves; Infinity makes priorities absolute. @default 1000
   */
  readonly ageingMs?: number;
  /**
   * Whose key it is: tenants with ready keys take turns, and priorities count within each. Asked once for each key that
   * comes in. @default all are one tenant
   */
  readonly tenantOf?: (key: K) => string;
  /** Waits until a key that keeps changing has come to rest; retries and delays are not held up by it. @default not at all */
  readonly debounce?: Debounce;
  /** How many retries a key gets before it is parked. @default Infinity */
  readonly maxAttempts?: number;
}

/**
 * A queue of keys for workers. A key is a string or anything else that a `Map` tells apart.
 *
 * Guarantees:
 * - one worker at a time has a key: from `get` until `done`.
 * - adds of a key that waits are one run; an add while it runs gives exactly one more run after `done`.
 * - ready keys go out by priority and age, and in the order in which they became ready when priorities are the same.
 * - who waits in `get` longest is served first, and no key stays behind while somebody waits.
 * - a key that is done and was not retried leaves nothing behind; one that was is remembered until `forget`.
 */
export interface Queue<K, C = unknown> {
  /**
   * Something happened to this key: it becomes ready, or, after `debounce`, as soon as it has come to rest. A pending
   * delay or retry is over with it.
   */
  add(key: K): void;
  /** `add` with more to say. */
  addWith(key: K, options: AddOptions<C>): void;
  /**
   * Adds the key when `afterMs` have passed; of several the earliest counts. Zero or less means now; NaN and Infinity
   * throw a RangeError.
   */
  addAfter(key: K, afterMs: number, options?: Omit<AddOptions<C>, "afterMs" | "rateLimited">): void;
  /**
   * The run failed: try the key again when the rate limiter says so, or park it when `maxAttempts` are used up.
   *
   * Only retries count as attempts. When something else made the key run before its retry was due and that run fails too, the key goes
   * back to waiting for the same retry.
   */
  addRateLimited(key: K, options?: Omit<AddOptions<C>, "afterMs" | "rateLimited">): void;
  /** The key is no longer retried: its attempts are forgotten. Not instead of `done`. A parked key is dropped. */
  forget(key: K): void;
  /** Retries since the key was last forgotten. */
  numRequeues(key: K): number;
  /** Takes back a delayed add, debounced add or retry whose time has not come; false when there is none. */
  cancel(key: K): boolean;
  /** Makes a parked key ready, with all attempts before it; false when it is not parked. Any add but a rate-limited one does the same. */
  unpark(key: K): boolean;
  /**
   * The next key, at once when there is one, else as soon as there is; undefined when the queue is shut down and nothing is ready.
   * Every key that was handed out needs its `done`. Await it: `const work = await queue.get({ signal })`.
   */
  get(options?: GetOptions): Promise<Work<K, C> | undefined> | Work<K, C> | undefined;
  /** The next key if there is one now. */
  tryGet(): Work<K, C> | undefined;
  /** The worker is done with the key, whatever came of it. Of a key that is not running it does nothing. */
  done(key: K): void;
  /** Ready keys, those included that are running and will run again; not those whose time has not come. */
  len(): number;
  /** Keys whose time has not come. */
  waitingLen(): number;
  /**
   * Takes in nothing more: adds are ignored, workers get what is ready and then undefined. Keys whose time has not come are dropped and
   * returned. Ends the waiting of `shutDownWithDrain`.
   */
  shutDown(): readonly K[];
  /** As `shutDown`, and resolves when all that was ready or running is done. */
  shutDownWithDrain(options?: DrainOptions): Promise<void>;
  shuttingDown(): boolean;
  /** How a key stands; undefined when the queue knows nothing of it. */
  inspect(key: K): KeyReport<K, C> | undefined;
  /** How every key stands: a copy, as large as the queue. */
  inspectAll(): readonly KeyReport<K, C>[];
  /** Brings the gauges of unfinished work up to date, for a scrape that wants them exact; they are never older than 500 ms. */
  refreshMetrics(): void;
}

/** A queue with everything: delays, retries, priorities that age, fairness, debounce, parking, causes, and a view into it. */
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
    checkOptions(ageingMs, maxAttempts, debounce);
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

  get({ signal }: GetOptions = {}): Promise<Work<K, C> | undefined> | Work<K, C> | undefined {
    if (signal?.aborted === true) return abortedPromise(signal);
    const work = this.tryGet();
    return work !== undefined || this.#state.shuttingDown ? work : this.#workers.wait(signal);
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

  /** What follows from a change: who waits for a key gets one, the alarm is set, the drain is over. */
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
    // Had anything been ready, nobody would be waiting.
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

function checkOptions(ageingMs: number, maxAttempts: number, debounce: Debounce | undefined): void {
  if (!(ageingMs > 0)) throw new RangeError(`createQueue: ageingMs must be above 0, not ${ageingMs}; for absolute priorities use Infinity`);
  if (!(maxAttempts >= 0))
    throw new RangeError(`createQueue: maxAttempts must be zero or more, not ${maxAttempts}; for no limit use Infinity`);
  if (debounce === undefined) return;
  if (!(debounce.afterMs > 0) || !(debounce.maxMs >= debounce.afterMs) || debounce.maxMs === Infinity) {
    throw new RangeError(
      `createQueue: debounce needs 0 < afterMs ≤ maxMs < Infinity, not afterMs ${debounce.afterMs} and maxMs ${debounce.maxMs}`,
    );
  }
}
