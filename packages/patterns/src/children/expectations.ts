/**
 * Remembers creations and deletions that a controller has requested and the cache does not show yet, so that it does
 * not repeat them.
 *
 *     expectCreations(key, 3) → create … → creationObserved(key), by the handler or after a failed create → satisfied(key)
 *
 * Read-your-writes waits for writes that the server has confirmed. Expectations are for controllers that count, as
 * kube-controller-manager does, and for writes whose outcome is unknown.
 */
import type { Clock, ObjectKey } from "@drover/machinery";

/** Options of `Expectations`. */
export interface ExpectationsOptions {
  readonly clock: Clock;
  /** Milliseconds after which an expectation expires, because the event was missed or will never come. @default 300000 (5 minutes) */
  readonly expireMs?: number;
}

interface Expected {
  creations: number;
  /** Identities of the expected deletions, so that a deletion timestamp and the deletion itself count once. */
  readonly deletions: Set<string>;
  /** Objects whose deletion may or may not have happened. */
  readonly doubted: Set<string>;
  readonly setAt: number;
}

/**
 * Expectations per owner key.
 *
 * Guarantees: ignores what was not expected or was already observed. Assumes that expectations are set before the
 * writes start, and that the caller reports failed writes as observed.
 */
export class Expectations {
  readonly #clock: Clock;
  readonly #expireMs: number;
  readonly #expected = new Map<ObjectKey, Expected>();

  constructor({ clock, expireMs = 5 * 60_000 }: ExpectationsOptions) {
    this.#clock = clock;
    this.#expireMs = expireMs;
  }

  /** Expects this many creations. Replaces earlier expectations. */
  expectCreations(owner: ObjectKey, count: number): void {
    this.#set(owner, count, []);
  }

  /** Expects the deletion of these objects, by key or uid. Replaces earlier expectations. */
  expectDeletions(owner: ObjectKey, objects: Iterable<string>): void {
    this.#set(owner, 0, objects);
  }

  /** Expects creations and deletions. Replaces earlier expectations. */
  expectBoth(owner: ObjectKey, creations: number, deletions: Iterable<string>): void {
    this.#set(owner, creations, deletions);
  }

  /** Records a creation that was observed or failed. */
  creationObserved(owner: ObjectKey): void {
    const expected = this.#expected.get(owner);
    if (expected !== undefined) expected.creations--;
  }

  /** Records a deletion that was observed or failed. */
  deletionObserved(owner: ObjectKey, object: string): void {
    const expected = this.#expected.get(owner);
    expected?.deletions.delete(object);
    expected?.doubted.delete(object);
  }

  /**
   * Records a deletion whose outcome is unknown. `satisfied` does not wait for it, because it may never come. Until it is observed, a
   * controller that chooses objects to delete must choose this one first: it then repeats the deletion instead of adding another.
   */
  deletionDoubted(owner: ObjectKey, object: string): void {
    const expected = this.#expected.get(owner);
    if (expected?.deletions.delete(object) === true) expected.doubted.add(object);
  }

  /** Reports whether the deletion of this object was requested with an unknown outcome, and has not been observed since. */
  isDeletionDoubted(owner: ObjectKey, object: string): boolean {
    return this.#expected.get(owner)?.doubted.has(object) ?? false;
  }

  /** Reports whether nothing is outstanding, so that the cached objects can be counted. Call it before listing, not after. */
  satisfied(owner: ObjectKey): boolean {
    const expected = this.#expected.get(owner);
    if (expected === undefined || (expected.creations <= 0 && expected.deletions.size === 0)) return true;
    return this.#clock.monotonic() - expected.setAt > this.#expireMs;
  }

  /** Forgets an owner that was deleted. */
  forget(owner: ObjectKey): void {
    this.#expected.delete(owner);
  }

  #set(owner: ObjectKey, creations: number, deletions: Iterable<string>): void {
    const doubted = this.#expected.get(owner)?.doubted ?? new Set<string>();
    this.#expected.set(owner, { creations, deletions: new Set(deletions), doubted, setAt: this.#clock.monotonic() });
  }
}
