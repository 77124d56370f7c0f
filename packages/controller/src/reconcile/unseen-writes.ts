/**
 * Writes of the runs of a key that the caches do not show yet.
 *
 *     a confirmed write → note → (the caches show it, or the wait times out) → onSeen → cache gate
 */
import { printGroupResource } from "@drover/machinery";
import type { ObjectKey } from "@drover/machinery";
import type { WatchedKinds, WrittenObject } from "@drover/cache";

export interface UnseenWritesOptions {
  readonly watchedKinds: WatchedKinds;
  /** Called when the caches show all writes of the runs of this key. */
  readonly onSeen: (key: ObjectKey) => void;
}

/** Guarantees: forgets writes that the caches show, or whose wait has timed out. */
export class UnseenWrites {
  readonly #options: UnseenWritesOptions;
  readonly #byKey = new Map<ObjectKey, Map<string, WrittenObject>>();

  constructor(options: UnseenWritesOptions) {
    this.#options = options;
  }

  /** Number of keys with writes that the caches do not show yet. */
  get size(): number {
    return this.#byKey.size;
  }

  /** Records that a run of this key wrote an object. */
  note(key: ObjectKey, written: WrittenObject): void {
    const { watchedKinds } = this.#options;
    if (watchedKinds.isCaughtUp(written)) return;
    const name = `${printGroupResource(written)}/${written.key}`;
    const unseen = this.#byKey.get(key) ?? new Map<string, WrittenObject>();
    // Waiting for one write to an object means waiting for the last.
    if (unseen.has(name)) return;
    this.#byKey.set(key, unseen.set(name, written));
    const seen = (): void => this.#seen(key, unseen, name);
    // No signal: every wait has its own timeout.
    watchedKinds.caughtUp(written).then(seen, seen);
  }

  /** Reports whether the caches show all writes of the runs of this key. */
  isClear(key: ObjectKey): boolean {
    const unseen = this.#byKey.get(key);
    if (unseen === undefined) return true;
    for (const written of unseen.values()) if (!this.#options.watchedKinds.isCaughtUp(written)) return false;
    return true;
  }

  #seen(key: ObjectKey, unseen: Map<string, WrittenObject>, name: string): void {
    unseen.delete(name);
    if (unseen.size > 0) return;
    this.#byKey.delete(key);
    this.#options.onSeen(key);
  }
}
