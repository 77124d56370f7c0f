/**
 * client-go's delaying queue: adds keys after a delay.
 *
 *     addAfter → DelayingInterface → (when due) add → Interface
 *
 * As in client-go, `add` does not cancel a delayed add, so the key is added again when it is due; `createQueue` drops the delay.
 */
import type { BoundCounter, Clock } from "@drover/machinery";
import { Alarm, checkAddDelay, Heap, retriesTotal } from "@drover/workqueue";
import { newQueue } from "./classic-queue.ts";
import type { ClassicQueueOptions, Interface } from "./classic-queue.ts";
import type { DrainOptions, GetOptions, Placed } from "@drover/workqueue";

/** client-go's `DelayingInterface`, and `cancel`. */
export interface DelayingInterface<K> extends Interface<K> {
  /**
   * Adds the key after `afterMs` milliseconds; of several delays of one key the earliest counts. Zero or less means now. Throws a
   * RangeError for NaN and Infinity.
   */
  addAfter(key: K, afterMs: number): void;
  /** Cancels a delayed add. Returns false if there is none. */
  cancel(key: K): boolean;
  /** Returns the number of keys that are not due yet. `len` does not include them, and a shutdown drops them. */
  waitingLen(): number;
}

/** Options of `newDelayingQueue`. */
export interface DelayingQueueOptions<K> extends ClassicQueueOptions<K> {
  /** Queue to which due keys are added. @default a new queue with the same options */
  readonly queue?: Interface<K>;
}

interface Delayed<K> extends Placed {
  readonly key: K;
  readyAt: number;
  sequence: number;
}

/** client-go's NewDelayingQueue, NewNamedDelayingQueue and NewDelayingQueueWithConfig. */
export function newDelayingQueue<K = string>(options: DelayingQueueOptions<K>): DelayingInterface<K> {
  return new DelayingQueue(options);
}

class DelayingQueue<K> implements DelayingInterface<K> {
  readonly #clock: Clock;
  readonly #queue: Interface<K>;
  readonly #retries: BoundCounter | undefined;
  readonly #waits = new Heap<Delayed<K>>((a, b) => a.readyAt < b.readyAt || (a.readyAt === b.readyAt && a.sequence < b.sequence));
  readonly #byKey = new Map<K, Delayed<K>>();
  readonly #alarm: Alarm;
  #sequence = 0;

  constructor({ queue, ...options }: DelayingQueueOptions<K>) {
    this.#clock = options.clock;
    this.#queue = queue ?? newQueue(options);
    const { metrics, name = "" } = options;
    this.#retries = metrics === undefined || name === "" ? undefined : retriesTotal(metrics, name);
    this.#alarm = new Alarm(options.clock, () => this.#wake());
  }

  addAfter(key: K, afterMs: number): void {
    checkAddDelay(afterMs);
    if (this.shuttingDown()) return;
    this.#retries?.add();
    if (!(afterMs > 0)) return this.#queue.add(key);
    const readyAt = this.#clock.monotonic() + afterMs;
    const known = this.#byKey.get(key);
    if (known === undefined) {
      const delayed: Delayed<K> = { key, readyAt, sequence: ++this.#sequence, place: 0 };
      this.#byKey.set(key, delayed);
      this.#waits.push(delayed);
    } else if (readyAt < known.readyAt) {
      known.readyAt = readyAt;
      known.sequence = ++this.#sequence;
      this.#waits.update(known);
    }
    this.#alarm.setBy(readyAt);
  }

  cancel(key: K): boolean {
    const delayed = this.#byKey.get(key);
    if (delayed === undefined) return false;
    this.#byKey.delete(key);
    this.#waits.remove(delayed);
    return true;
  }

  waitingLen(): number {
    return this.#byKey.size;
  }

  add(key: K): void {
    this.#queue.add(key);
  }

  len(): number {
    return this.#queue.len();
  }

  get(options?: GetOptions): Promise<K | undefined> {
    return this.#queue.get(options);
  }

  tryGet(): K | undefined {
    return this.#queue.tryGet();
  }

  done(key: K): void {
    this.#queue.done(key);
  }

  shutDown(): void {
    this.#drop();
    this.#queue.shutDown();
  }

  shutDownWithDrain(options?: DrainOptions): Promise<void> {
    this.#drop();
    return this.#queue.shutDownWithDrain(options);
  }

  shuttingDown(): boolean {
    return this.#queue.shuttingDown();
  }

  #drop(): void {
    this.#waits.clear();
    this.#byKey.clear();
    this.#alarm.clear();
  }

  #wake(): void {
    const now = this.#clock.monotonic();
    for (let first = this.#waits.first(); first !== undefined && first.readyAt <= now; first = this.#waits.first()) {
      this.#waits.remove(first);
      this.#byKey.delete(first.key);
      this.#queue.add(first.key);
    }
    const next = this.#waits.first();
    if (next !== undefined) this.#alarm.setBy(next.readyAt);
  }
}
