/**
 * What runs of a key wrote and the caches do not show yet.
 *
 *     a confirmed write → note → (the caches show it, or its time is up) → onSeen → cache gate
 */
import { printGroupResource } from "@drover/machinery";
import type { ObjectKey } from "@drover/machinery";
import type { WatchedKinds, WrittenObject } from "@drover/cache";

export interface UnseenWritesOptions {
  readonly watchedKinds: WatchedKinds;
  /** All writes of the runs of this key are seen by now. */
  readonly onSeen: (key: ObjectKey) => void;
}

/** Guarantees: nothing is remembered about writes that are seen, or whose time is up. */
export class UnseenWrites {
  readonly #options: UnseenWritesOptions;
  readonly #byKey = new Map<ObjectKey, Map<string, WrittenObject>>();

  constructor(options: UnseenWritesOptions) {
    this.#options = options;
  }

  /** How many keys have writes that are not seen. */
  get size(): number {
    return this.#byKey.size;
  }

  /** A run of this key wrote an object. */
  note(key: ObjectKey, written: WrittenObject): void {
    const { watchedKinds } = this.#options;
    if (watchedKinds.isCaughtUp(written)) return;
    const name = `${printGroupResource(written)}/${written.key}`;
    const unseen = this.#byKey.get(key) ?? new Map<string, WrittenObject>();
    // Who waits for one write to an object waits for the last.
    if (unseen.has(name)) return;
    this.#byKey.set(key, unseen.set(name, written));
    const seen = (): void => this.#seen(key, unseen, name);
    // Without a signal, since every wait has an end of its own.
    watchedKinds.caughtUp(written).then(seen, seen);
  }

  /** Whether the caches show all that runs of this key wrote. */
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
