/**
 * Lets a key run only when the caches show what its runs before wrote: a reconcile that looks into a cache older than its own last write
 * does everything twice.
 *
 *     queue → admit(work) → run          or, while a write is unseen, back into the queue until it is seen or the time for that is up
 */
import type { BoundCounter, GroupResource, ObjectKey } from "@drover/machinery";
import type { Work } from "@drover/workqueue";
import type { Queue } from "@drover/workqueue";
import type { WatchedKinds, WrittenObject } from "@drover/cache";
import { UnseenWrites } from "./unseen-writes.ts";

export interface CacheGateOptions<C> {
  readonly queue: Pick<Queue<ObjectKey, C>, "addWith" | "addAfter" | "done">;
  readonly watchedKinds: WatchedKinds;
  /** How long the caches may take to show a write. */
  readonly waitMaxMs: number;
  /** Counts the runs that were put off. */
  readonly waits: BoundCounter;
  /** The resource whose keys these are: writes to the object of a key count, whoever in this program made them. */
  readonly resource?: GroupResource | undefined;
}

/** What is kept of a run that was put off: the queue would take its causes for new ones, and count them again. */
type PutOff<C> = Pick<Work<ObjectKey, C>, "priority" | "causes" | "causeCount">;

/** As many as a queue keeps. */
const causesMax = 8;

/**
 * Guarantees: a key that is put off takes no worker, loses none of its causes, and runs at the latest when the time of
 * its last write is up.
 */
export class CacheGate<C> {
  readonly #options: CacheGateOptions<C>;
  readonly #unseen: UnseenWrites;
  readonly #putOff = new Map<ObjectKey, PutOff<C>>();

  constructor(options: CacheGateOptions<C>) {
    this.#options = options;
    this.#unseen = new UnseenWrites({ watchedKinds: options.watchedKinds, onSeen: (key) => this.#seen(key) });
  }

  /** A run of this key wrote an object. */
  note(key: ObjectKey, written: WrittenObject): void {
    this.#unseen.note(key, written);
  }

  /** The work, with the causes of all that was put off before it; undefined when it has been put off, and its key is done for now. */
  admit(work: Work<ObjectKey, C>): Work<ObjectKey, C> | undefined {
    const { resource } = this.#options;
    if (resource !== undefined) this.#unseen.note(work.key, { group: resource.group, resource: resource.resource, key: work.key });
    if (this.#unseen.size > 0 && !this.#unseen.isClear(work.key)) return this.#putOffUntilSeen(work);
    if (this.#putOff.size === 0) return work;
    const merged = this.#merged(work);
    this.#putOff.delete(work.key);
    return merged;
  }

  /** Puts work off that was admitted, for so many milliseconds or until something else asks for its key; its causes are kept. */
  putOff({ key, priority, causes, causeCount }: Work<ObjectKey, C>, waitMs: number): undefined {
    const { queue } = this.#options;
    this.#putOff.set(key, { priority, causes, causeCount });
    queue.addAfter(key, waitMs, { priority });
    queue.done(key);
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
