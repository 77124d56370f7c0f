/**
 * client-go's queue without the waiting: which keys are dirty, which are being processed, and in which order the dirty ones go out.
 *
 *     classic-queue.ts (the loop that waits) → ClassicQueueState → Fifo
 */
import { Fifo } from "@drover/workqueue";
import type { Placed, QueueObserver } from "@drover/workqueue";

/** An order of one's own for the keys that are queued; client-go calls it Queue. */
export interface QueueOrder<K> {
  /** A key that is queued was added again. */
  touch(key: K): void;
  push(key: K): void;
  /** Takes out the next key. Is asked only when there is one. */
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
  /** When it became dirty; kept only for an observer. */
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

  /** Nothing is queued and nothing is being processed, so nothing is dirty either. */
  get isDrained(): boolean {
    return this.#queuedCount === 0 && this.#processingCount === 0;
  }

  get processing(): readonly K[] {
    return [...this.#entries.values()].filter(({ processing }) => processing).map(({ key }) => key);
  }

  /** True when a key came into the line. */
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

  /** The next key; undefined when none is queued. */
  take(now: number): K | undefined {
    if (this.#queuedCount === 0) return undefined;
    const entry = this.#order === undefined ? this.#line.shift() : this.#entries.get(this.#order.pop());
    if (entry === undefined) throw new Error("the queue's order gave a key that was never pushed, or gave one twice");
    this.#queuedCount--;
    this.#processingCount++;
    entry.processing = true;
    entry.dirty = false;
    this.#observer?.taken(entry.key, { priority: 0, waitedMs: now - entry.since, takenAt: now });
    return entry.key;
  }

  /** True when the key was being processed. */
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
