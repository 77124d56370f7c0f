/**
 * State of client-go's queue: which keys are dirty, which are being processed, and the order of the dirty ones.
 *
 *     classic-queue.ts (waits) → ClassicQueueState → Fifo
 */
import { Fifo } from "@drover/workqueue";
import type { Placed, QueueObserver } from "@drover/workqueue";

/** Custom order of queued keys; client-go calls it Queue. */
export interface QueueOrder<K> {
  /** Called when a queued key is added again. */
  touch(key: K): void;
  push(key: K): void;
  /** Removes and returns the next key. Called only when there is one. */
  pop(): K;
}

export interface ClassicQueueStateOptions<K> {
  readonly order?: QueueOrder<K> | undefined;
  readonly observer?: QueueObserver<K> | undefined;
}

/** A key is queued when it is dirty and not being processed. */
interface Entry<K> extends Placed {
  readonly key: K;
  dirty: boolean;
  processing: boolean;
  /** When it became dirty; only observers use it. */
  since: number;
}

export class ClassicQueueState<K> {
  readonly #entries = new Map<K, Entry<K>>();
  readonly #line = new Fifo<Entry<K>>();
  readonly #order: QueueOrder<K> | undefined;
  readonly #observer: QueueObserver<K> | undefined;
  #queuedCount = 0;
  #processingCount = 0;
  #shuttingDown = false;

  constructor({ order, observer }: ClassicQueueStateOptions<K> = {}) {
    this.#order = order;
    this.#observer = observer;
  }

  get queuedCount(): number {
    return this.#queuedCount;
  }

  get shuttingDown(): boolean {
    return this.#shuttingDown;
  }

  /** Whether no key is queued or being processed; then no key is dirty either. */
  get isDrained(): boolean {
    return this.#queuedCount === 0 && this.#processingCount === 0;
  }

  get processing(): readonly K[] {
    return [...this.#entries.values()].filter(({ processing }) => processing).map(({ key }) => key);
  }

  /** Marks a key as dirty. Returns true if that queued it. */
  add(now: number, key: K): boolean {
    if (this.#shuttingDown) return false;
    const known = this.#entries.get(key);
    if (known?.dirty === true) {
      if (!known.processing) this.#order?.touch(key);
      return false;
    }
    this.#observer?.added(0);
    if (known !== undefined) {
      known.dirty = true;
      known.since = now;
      return false;
    }
    const entry: Entry<K> = { key, dirty: true, processing: false, since: now, place: 0 };
    this.#entries.set(key, entry);
    this.#push(entry);
    return true;
  }

  /** Takes the next key; undefined if none is queued. */
  take(now: number): K | undefined {
    if (this.#queuedCount === 0) return undefined;
    const entry = this.#order === undefined ? this.#line.shift() : this.#entries.get(this.#order.pop());
    if (entry === undefined) throw new Error("QueueOrder.pop() returned a key that was not pushed, or returned it twice");
    this.#queuedCount--;
    this.#processingCount++;
    entry.processing = true;
    entry.dirty = false;
    this.#observer?.taken(entry.key, { priority: 0, waitedMs: now - entry.since, takenAt: now });
    return entry.key;
  }

  /** Ends the processing of a key. Returns false if it was not being processed. */
  done(now: number, key: K): boolean {
    const entry = this.#entries.get(key);
    if (entry?.processing !== true) return false;
    this.#observer?.done(key, now);
    entry.processing = false;
    this.#processingCount--;
    if (entry.dirty) this.#push(entry);
    else this.#entries.delete(key);
    return true;
  }

  shutDown(): void {
    this.#shuttingDown = true;
  }

  #push(entry: Entry<K>): void {
    this.#queuedCount++;
    if (this.#order === undefined) this.#line.push(entry);
    else this.#order.push(entry.key);
  }
}
