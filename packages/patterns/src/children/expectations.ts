/**
 * What a controller has asked for and the cache does not show yet, so that it does not ask twice.
 *
 *     expectCreations(key, 3) → create … → creationObserved(key) by the handler, or by whoever's create failed → satisfied(key)
 *
 * Read-your-writes waits for what the server has confirmed; this is for those who count, as kube-controller-manager does, and for writes
 * that may have been lost.
 */
import type { Clock, ObjectKey } from "@drover/machinery";

export interface ExpectationsOptions {
  readonly clock: Clock;
  /**
   * After this many milliseconds an expectation is given up: what was to be seen was seen, or never will be. @default
   * 300000, five minutes
   */
  readonly expireMs?: number;
}

interface Expected {
  creations: number;
  /** What each deletion is recognised by, so that the mark of deletion and the deletion itself count once. */
  readonly deletions: Set<string>;
  readonly setAt: number;
}

/**
 * Expectations by the key of the owner.
 *
 * Guarantees: something that was not expected, or was observed before, changes nothing. Assumes that they are set before the writes begin,
 * and that a write that failed is observed by whoever made it.
 */
export class Expectations {
  readonly #clock: Clock;
  readonly #expireMs: number;
  readonly #expected = new Map<ObjectKey, Expected>();

  constructor({ clock, expireMs = 5 * 60_000 }: ExpectationsOptions) {
    this.#clock = clock;
    this.#expireMs = expireMs;
  }

  /** So many objects are about to be created. What was expected before is over. */
  expectCreations(owner: ObjectKey, count: number): void {
    this.#set(owner, count, []);
  }

  /** These objects, by key or uid, are about to be deleted. What was expected before is over. */
  expectDeletions(owner: ObjectKey, objects: Iterable<string>): void {
    this.#set(owner, 0, objects);
  }

  /** So many are about to be created, and these deleted. What was expected before is over. */
  expectBoth(owner: ObjectKey, creations: number, deletions: Iterable<string>): void {
    this.#set(owner, creations, deletions);
  }

  /** One was seen, or will not come because its create failed. */
  creationObserved(owner: ObjectKey): void {
    const expected = this.#expected.get(owner);
    if (expected !== undefined) expected.creations--;
  }

  /** It is gone or going, or will not go because its delete failed. */
  deletionObserved(owner: ObjectKey, object: string): void {
    this.#expected.get(owner)?.deletions.delete(object);
  }

  /** Whether nothing is outstanding, so that what the cache shows can be counted. Ask before listing, not after. */
  satisfied(owner: ObjectKey): boolean {
    const expected = this.#expected.get(owner);
    if (expected === undefined || (expected.creations <= 0 && expected.deletions.size === 0)) return true;
    return this.#clock.monotonic() - expected.setAt > this.#expireMs;
  }

  /** The owner is gone. */
  forget(owner: ObjectKey): void {
    this.#expected.delete(owner);
  }

  #set(owner: ObjectKey, creations: number, deletions: Iterable<string>): void {
    this.#expected.set(owner, { creations, deletions: new Set(deletions), setAt: this.#clock.monotonic() });
  }
}
