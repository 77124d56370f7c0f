/**
 * The content of an informer, and what each delta changes: a change is derived from the stored state, never from the type of the event.
 *
 *     Delta → InformerStore → stored → StoreChange, one or two
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
import { sameContent } from "../source/same-content.ts";

/** Name of the index of namespaces. */
export const namespaceIndex = "namespace";

/** Returns the namespace of an object, read from its key; none for cluster-scoped objects. */
export function namespaceIndexFunction({ key }: ObjectVersion): readonly string[] {
  const slash = key.indexOf("/");
  return slash === -1 ? [] : [key.slice(0, slash)];
}

/** The same from a key. */
function namespaceOfKey(key: string, recent: string): string | undefined {
  const slash = key.indexOf("/");
  if (slash === -1) return undefined;
  return slash === recent.length && key.startsWith(recent) ? recent : key.slice(0, slash);
}

export interface InformerStoreOptions<T extends KubeObject> extends Pick<IndexedStoreOptions<ObjectVersion<T>>, "onIndexError"> {
  /** Called for events without effect: the stored version again, or an older one. */
  readonly onIgnored: (why: "unchanged" | "stale") => void;
}

/** Options of `InformerStore.replace`. */
export interface ReplaceOptions {
  readonly isInInitialList: boolean;
  /** Keys to keep unchanged although the list lacks them. */
  readonly keep: ReadonlySet<string>;
  /** Whether the history of the server may have started again since the last replace. */
  readonly isNewEpoch: boolean;
}

/** Options of `InformerStore.upsert`. */
export interface UpsertOptions {
  readonly isInInitialList: boolean;
}

const later: UpsertOptions = { isInInitialList: false };

/** Objects between two steps of a replace. */
const objectsPerStep = 32;

/**
 * Minimum number of remembered deletions (the maximum is twice as many), so that a late event of an older version does
 * not resurrect a deleted object.
 */
const tombstonesMax = 1024;

/**
 * Guarantees: within one epoch (between two replaces) no object goes back to an older version; the store is updated
 * before a change is emitted.
 */
export class InformerStore<T extends KubeObject> {
  readonly versions: IndexedStore<ObjectVersion<T>>;
  readonly #onIgnored: (why: "unchanged" | "stale") => void;
  /** Versions of the last deletions by uid, in two generations. */
  #tombstones = new Map<string, string>();
  #olderTombstones: ReadonlyMap<string, string> = new Map();

  constructor({ onIndexError, onIgnored }: InformerStoreOptions<T>) {
    this.versions = new IndexedStore<ObjectVersion<T>>({
      indexers: { [namespaceIndex]: namespaceIndexFunction },
      keyIndexers: { [namespaceIndex]: namespaceOfKey },
      onIndexError,
    });
    this.#onIgnored = onIgnored;
  }

  /** Adds or updates an object. Another uid under the same key is a deletion of the old object and an addition of the new one. */
  upsert(version: ObjectVersion<T>, { isInInitialList }: UpsertOptions = later): readonly StoreChange<T>[] {
    const old = this.versions.get(version.key);
    if (old === undefined) {
      if (this.#isOlder(version.resourceVersion, this.#tombstones.get(version.uid) ?? this.#olderTombstones.get(version.uid)))
        return this.#ignored("stale");
      this.versions.set(version.key, version);
      return [new AddedChange({ version, isInInitialList })];
    }
    if (isSameVersion(old, version)) return this.#ignored("unchanged");
    if (this.#isOlder(version.resourceVersion, old.resourceVersion)) return this.#ignored("stale");
    // Reuse the stored key string: maps compare a different, equal string character by character.
    this.versions.set(old.key, version);
    if (old.uid === version.uid) return [new UpdatedChange({ version, before: old, isResync: false })];
    this.#bury(old);
    return [new DeletedChange({ version: old, isFinalStateUnknown: true }), new AddedChange({ version, isInInitialList })];
  }

  /** Deletes an object, with its last state. Ignores unknown objects: no handler has seen them. */
  remove(version: ObjectVersion<T>): readonly StoreChange<T>[] {
    const old = this.versions.get(version.key);
    if (old === undefined) {
      this.#bury(version);
      return this.#ignored("unchanged");
    }
    if (this.#isOlder(version.resourceVersion, old.resourceVersion)) return this.#ignored("stale");
    this.versions.delete(version.key);
    this.#bury(version);
    // Another uid: the watch missed the addition of this object and the deletion of the stored one.
    if (old.uid === version.uid) return [new DeletedChange({ version, isFinalStateUnknown: false })];
    this.#bury(old);
    return [new DeletedChange({ version: old, isFinalStateUnknown: true })];
  }

  /** Deletes an object whose deletion the watch missed. Does nothing if it has changed since `seen`. */
  vanish(seen: ObjectVersion<T>): readonly StoreChange<T>[] {
    if (this.versions.get(seen.key) !== seen) return [];
    this.versions.delete(seen.key);
    return [new DeletedChange({ version: seen, isFinalStateUnknown: true })];
  }

  /**
   * Replaces the whole state in steps: the caller may pause at each `yield`, and readers see the old state until it returns. Unchanged
   * objects keep their stored version, parsed or not. Versions may go back, because the history of the server may have started again;
   * then equal versions prove nothing, and the content decides which objects are unchanged. Nothing else may write meanwhile. The changes
   * can be read once.
   */
  *replace(versions: readonly ObjectVersion<T>[], options: ReplaceOptions): Generator<void, Iterable<StoreChange<T>>, void> {
    const changes = yield* this.#replaced(versions, options);
    if (changes !== undefined) return changes;
    return (yield* this.#replaced(versions, { ...options, isNewEpoch: true })) ?? [];
  }

  /** Returns undefined, without an effect, if an object is older than the stored one: the history of the server has started again. */
  *#replaced(versions: readonly ObjectVersion<T>[], options: ReplaceOptions): Generator<void, Iterable<StoreChange<T>> | undefined, void> {
    const { keep } = options;
    const next = this.versions.beginReplace();
    const placed: Placed<T>[] = [];
    try {
      let count = 0;
      for (const version of versions) {
        if (!this.#place(next, version, options, placed)) return undefined;
        if (count++ % objectsPerStep === 0) yield;
      }
      const gone: DeletedChange<T>[] = [];
      for (const [key, old] of this.versions.entries()) {
        if (keep.has(key) && !next.has(key)) next.set(key, old);
        else if (next.get(key)?.uid !== old.uid) gone.push(new DeletedChange({ version: old, isFinalStateUnknown: true }));
        if (count++ % objectsPerStep === 0) yield;
      }
      next.commit();
      this.#tombstones = new Map();
      this.#olderTombstones = new Map();
      return changesOf(gone, placed, options);
    } finally {
      next.discard();
    }
  }

  /** False if this version cannot follow the stored one within one history. */
  #place(next: Replacement<ObjectVersion<T>>, version: ObjectVersion<T>, { isNewEpoch }: ReplaceOptions, placed: Placed<T>[]): boolean {
    const { key } = version;
    // If a list contains a key twice, the first one counts.
    if (next.has(key)) return true;
    const old = this.versions.get(key);
    if (old !== undefined && isSameVersion(old, version) && (!isNewEpoch || sameContent(old, version))) {
      next.set(key, old);
      return true;
    }
    if (old === undefined || old.uid !== version.uid) placed.push(version);
    else if (!isNewEpoch && this.#isOlder(version.resourceVersion, old.resourceVersion)) return false;
    else placed.push(new UpdatedChange({ version, before: old, isResync: false, isNewEpoch }));
    next.set(key, version);
    return true;
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

/** An update, or the version of an object that was added. */
type Placed<T extends KubeObject> = UpdatedChange<T> | ObjectVersion<T>;

/** Creates an addition when it is read: all those of a list, created before the first is delivered, are work for the garbage collector. */
function* changesOf<T extends KubeObject>(
  gone: readonly DeletedChange<T>[],
  placed: readonly Placed<T>[],
  { isInInitialList }: ReplaceOptions,
): Generator<StoreChange<T>, void, void> {
  yield* gone;
  for (const each of placed) yield each instanceof UpdatedChange ? each : new AddedChange({ version: each, isInInitialList });
}

function isSameVersion(a: ObjectVersion, b: ObjectVersion): boolean {
  return a.resourceVersion === b.resourceVersion && a.uid === b.uid && a.resourceVersion !== "";
}
