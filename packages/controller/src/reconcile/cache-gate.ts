/**
 * Delays a key until the caches show what its earlier runs wrote: a reconcile on a cache older than its own last write repeats that work.
 *
 *     queue → admit(work) → run          or, while the cache lacks a write, back into the queue until it has it or the wait times out
 */
import type { BoundCounter, GroupResource, ObjectKey } from "@drover/machinery";
import type { Work } from "@drover/workqueue";
import type { Queue } from "@drover/workqueue";
import type { WatchedKinds, WrittenObject } from "@drover/cache";
import { UnseenWrites } from "./unseen-writes.ts";

export interface CacheGateOptions<C> {
  readonly queue: Pick<Queue<ObjectKey, C>, "addWith" | "addAfter" | "done">;
  readonly watchedKinds: WatchedKinds;
  /** Maximum wait for the caches to show a write, in milliseconds. */
  readonly waitMaxMs: number;
  /** Counts delayed runs. */
  readonly waits: BoundCounter;
  /** Resource of the keys: writes to the object of a key count, from any client in this program. */
  readonly resource?: GroupResource | undefined;
}

/** What is kept of a delayed run. Added to the queue again, its causes would count as new ones. */
type PutOff<C> = Pick<Work<ObjectKey, C>, "priority" | "causes" | "causeCount">;

/** The queue keeps as many causes. */
const causesMax = 8;

/**
 * Guarantees: a delayed key occupies no worker, keeps all its causes, and runs at the latest when the wait for its last write times out.
 */
export class CacheGate<C> {
  readonly #options: CacheGateOptions<C>;
  readonly #unseen: UnseenWrites;
  readonly #putOff = new Map<ObjectKey, PutOff<C>>();

  constructor(options: CacheGateOptions<C>) {
    this.#options = options;
    this.#unseen = new UnseenWrites({ watchedKinds: options.watchedKinds, onSeen: (key) => this.#seen(key) });
  }

  /** Records that a run of this key wrote an object. */
  note(key: ObjectKey, written: WrittenObject): void {
    this.#unseen.note(key, written);
  }

  /** Returns the work with the causes of earlier delayed runs; undefined if it delayed the work and marked its key done. */
  admit(work: Work<ObjectKey, C>): Work<ObjectKey, C> | undefined {
    const { resource } = this.#options;
    if (resource !== undefined) this.#unseen.note(work.key, { group: resource.group, resource: resource.resource, key: work.key });
    if (this.#unseen.size > 0 && !this.#unseen.isClear(work.key)) return this.#putOffUntilSeen(work);
    if (this.#putOff.size === 0) return work;
    const merged = this.#merged(work);
    this.#putOff.delete(work.key);
    return merged;
  }

  /** Delays admitted work by `waitMs`, or until something else enqueues its key; keeps its causes. */
  putOff({ key, priority, causes, causeCount }: Work<ObjectKey, C>, waitMs: number): undefined {
    const { queue } = this.#options;
    this.#putOff.set(key, { priority, causes, causeCount });
    queue.addAfter(key, waitMs, { priority });
    queue.done(key);
  }

  /** Makes a delayed key ready at once. */
  resume(key: ObjectKey): void {
    this.#seen(key);
  }

  #putOffUntilSeen(work: Work<ObjectKey, C>): undefined {
    const { waits, waitMaxMs } = this.#options;
    if (!this.#putOff.has(work.key)) waits.add();
    return this.putOff(this.#merged(work), waitMaxMs);
  }

  #merged(work: Work<ObjectKey, C>): Work<ObjectKey, C> {
    const before = this.#putOff.get(work.key);
    if (before === undefined) return work;
    return {
      ...work,
      priority: Math.max(before.priority, work.priority),
      causes: [...before.causes, ...work.causes].slice(0, causesMax),
      causeCount: before.causeCount + work.causeCount,
    };
  }

  #seen(key: ObjectKey): void {
    const waiting = this.#putOff.get(key);
    if (waiting !== undefined) this.#options.queue.addWith(key, { priority: waiting.priority });
  }
}
