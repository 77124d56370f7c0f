/**
 * What an informer knows, and what each delta means for it: the change is told from what was stored, never from the word on the wire.
 *
 *     Delta → InformerStore → written → StoreChange, one or two
 *
 * Synchronous and without a clock: the informer decides when.
 */
import { compareResourceVersions } from "@drover/machinery";
import type { KubeObject } from "@drover/machinery";
import { IndexedStore } from "./indexed-store.ts";
import type { IndexedStoreOptions, Replacement } from "./indexed-store.ts";
import { AddedChange, DeletedChange, UpdatedChange } from "./change.ts";
import type { StoreChange } from "./change.ts";
import type { ObjectVersion } from "../source/object-version.ts";

/** The name of the index that lists by namespace go by. */
export const namespaceIndex = "namespace";

/** The namespace of an object, none for one that has none; read from the key alone. */
export function namespaceIndexFunction({ key }: ObjectVersion): readonly string[] {
  const slash = key.indexOf("/");
  return slash === -1 ? [] : [key.slice(0, slash)];
}

export interface InformerStoreOptions<T extends KubeObject> extends Pick<IndexedStoreOptions<ObjectVersion<T>>, "onIndexError"> {
  /** Is told of events that changed nothing: the same version again, or one older than what is stored. */
  readonly onIgnored: (why: "unchanged" | "stale") => void;
}

/**
 * How many deletions are remembered at least, and twice as many at most, so that an older event that comes late does
 * not bring back the dead.
 */
const tombstonesMax = 1024;

/**
 * Guarantees: within one epoch (between two replaces) no object goes back to an older version; the store is written
 * before a change is emitted.
 */
export class InformerStore<T extends KubeObject> {
  readonly versions: IndexedStore<ObjectVersion<T>>;
  readonly #onIgnored: (why: "unchanged" | "stale") => void;
  /** The versions of the last deletions by uid, and those of a while before. */
  #tombstones = new Map<string, string>();
  #olderTombstones: ReadonlyMap<string, string> = new Map();

  constructor({ onIndexError, onIgnored }: InformerStoreOptions<T>) {
    this.versions = new IndexedStore<ObjectVersion<T>>({ indexers: { [namespaceIndex]: namespaceIndexFunction }, onIndexError });
    this.#onIgnored = onIgnored;
  }

  /** Added or changed, as the store finds. Another uid under the same key is the end of one object and the beginning of another. */
  upsert(version: ObjectVersion<T>): readonly StoreChange<T>[] {
    const old = this.versions.get(version.key);
    if (old === undefined) {
      if (this.#isOlder(version.resourceVersion, this.#tombstones.get(version.uid) ?? this.#olderTombstones.get(version.uid)))
        return this.#ignored("stale");
      this.versions.set(version.key, version);
      return [new AddedChange({ version, isInInitialList: false })];
    }
    if (isSameVersion(old, version)) return this.#ignored("unchanged");
    if (this.#isOlder(version.resourceVersion, old.resourceVersion)) return this.#ignored("stale");
    // Under the very text that is there already: one that is merely equal is compared letter by letter in every map.
    this.versions.set(old.key, version);
    if (old.uid === version.uid) return [new UpdatedChange({ version, before: old, isResync: false })];
    this.#bury(old);
    return [new DeletedChange({ version: old, isFinalStateUnknown: true }), new AddedChange({ version, isInInitialList: false })];
  }

  /** Gone, with its last state. What the store does not know, nobody was told of: nothing happens. */
  remove(version: ObjectVersion<T>): readonly StoreChange<T>[] {
    const old = this.versions.get(version.key);
    if (old === undefined) {
      this.#bury(version);
      return this.#ignored("unchanged");
    }
    if (this.#isOlder(version.resourceVersion, old.resourceVersion)) return this.#ignored("stale");
    this.versions.delete(version.key);
    this.#bury(version);
    // Another uid: its beginning was missed, and so was the end of the one we knew.
    if (old.uid === version.uid) return [new DeletedChange({ version, isFinalStateUnknown: false })];
    this.#bury(old);
    return [new DeletedChange({ version: old, isFinalStateUnknown: true })];
  }

  /** It is not on the server, though nobody saw it go. Nothing happens when it has changed since `seen`. */
  vanish(seen: ObjectVersion<T>): readonly StoreChange<T>[] {
    if (this.versions.get(seen.key) !== seen) return [];
    this.versions.delete(seen.key);
    return [new DeletedChange({ version: seen, isFinalStateUnknown: true })];
  }

  /**
   * The whole state at once, in steps: whoever drives it may pause at each `yield`, and readers see the old state until it returns.
   * What is unchanged keeps its old version, parsed or not. Versions may go back: the server's history may have begun anew.
   * Nothing else may be written meanwhile.
   * @param keep - keys that stay as they are although `versions` lacks them
   */
  *replace(
    versions: readonly ObjectVersion<T>[],
    { isInInitialList, keep }: { readonly isInInitialList: boolean; readonly keep: ReadonlySet<string> },
  ): Generator<void, StoreChange<T>[], void> {
    const next = this.versions.beginReplace();
    const changes: StoreChange<T>[] = [];
    try {
      for (const version of versions) {
        this.#place(next, version, isInInitialList, changes);
        yield;
      }
      const gone: StoreChange<T>[] = [];
      for (const [key, old] of this.versions.entries()) {
        if (keep.has(key) && !next.has(key)) next.set(key, old);
        else if (next.get(key)?.uid !== old.uid) gone.push(new DeletedChange({ version: old, isFinalStateUnknown: true }));
        yield;
      }
      next.commit();
      this.#tombstones = new Map();
      this.#olderTombstones = new Map();
      return gone.concat(changes);
    } finally {
      next.discard();
    }
  }

  #place(next: Replacement<ObjectVersion<T>>, version: ObjectVersion<T>, isInInitialList: boolean, changes: StoreChange<T>[]): void {
    const { key } = version;
    // Where a list names a key twice, the first stands.
    if (next.has(key)) return;
    const old = this.versions.get(key);
    if (old !== undefined && isSameVersion(old, version)) {
      next.set(key, old);
      return;
    }
    next.set(key, version);
    if (old?.uid === version.uid) changes.push(new UpdatedChange({ version, before: old, isResync: false }));
    else changes.push(new AddedChange({ version, isInInitialList }));
  }

  #isOlder(version: string, than: string | undefined): boolean {
    return than !== undefined && compareResourceVersions(version, than) === -1;
  }

  #bury({ uid, resourceVersion }: ObjectVersion<T>): void {
    if (uid === "") return;
    this.#tombstones.set(uid, resourceVersion);
    if (this.#tombstones.size < tombstonesMax) return;
    this.#olderTombstones = this.#tombstones;
    this.#tombstones = new Map();
  }

  #ignored(why: "unchanged" | "stale"): readonly StoreChange<T>[] {
    this.#onIgnored(why);
    return [];
  }
}

function isSameVersion(a: ObjectVersion, b: ObjectVersion): boolean {
  return a.resourceVersion === b.resourceVersion && a.uid === b.uid && a.resourceVersion !== "";
}
