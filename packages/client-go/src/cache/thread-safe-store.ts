/**
 * client-go's `ThreadSafeStore`: objects by key, with indexes; `Store` and `Indexer` build on it. JavaScript is single-threaded, so
 * the name only means that readers never see a partial change.
 */
import { errorText } from "@drover/machinery";
import { IndexedStore } from "@drover/cache";
import type { Indexers, IndexFailure } from "@drover/cache";

/** Guarantees: indexes match the objects; if an index function throws, the store is unchanged and the error is passed on. */
export class ThreadSafeStore<T> {
  readonly #store: IndexedStore<T>;
  #failure: IndexFailure | undefined;

  constructor(indexers: Indexers<T> = {}) {
    this.#store = new IndexedStore({ indexers, onIndexError: (failure) => (this.#failure ??= failure) });
  }

  add(key: string, object: T): void {
    const had = this.#store.has(key);
    const before = this.#store.set(key, object);
    this.#check(() => (had ? void this.#store.set(key, before as T) : void this.#store.delete(key)));
  }

  update(key: string, object: T): void {
    this.add(key, object);
  }

  delete(key: string): void {
    this.#store.delete(key);
  }

  get(key: string): T | undefined {
    return this.#store.get(key);
  }

  list(): T[] {
    return [...this.#store.values()];
  }

  listKeys(): string[] {
    return [...this.#store.keys()];
  }

  /** Replaces the whole content and rebuilds the indexes. */
  replace(objects: ReadonlyMap<string, T>, _resourceVersion?: string): void {
    const next = this.#store.beginReplace();
    for (const [key, object] of objects) next.set(key, object);
    this.#check(() => next.discard());
    next.commit();
  }

  index(indexName: string, object: T): T[] {
    const indexFunc = this.#store.indexers[indexName];
    const found = new Set<T>();
    for (const value of indexFunc === undefined ? [""] : indexFunc(object))
      for (const other of this.#store.byIndex(indexName, value)) found.add(other);
    return [...found];
  }

  indexKeys(indexName: string, indexedValue: string): string[] {
    return this.#store.indexKeys(indexName, indexedValue);
  }

  listIndexFuncValues(indexName: string): string[] {
    return this.#store.listIndexValues(indexName);
  }

  byIndex(indexName: string, indexedValue: string): T[] {
    return this.#store.byIndex(indexName, indexedValue);
  }

  getIndexers(): Indexers<T> {
    return this.#store.indexers;
  }

  addIndexers(indexers: Indexers<T>): void {
    this.#store.addIndexers(indexers);
    this.#check(() => undefined);
  }

  resync(): void {
    // Only queues have something to resync.
  }

  #check(undo: () => void): void {
    const failure = this.#failure;
    if (failure === undefined) return;
    undo();
    this.#failure = undefined;
    const { index, key, error } = failure;
    throw new Error(
      `unable to calculate an index entry for key ${JSON.stringify(key)} on index ${JSON.stringify(index)}: ${errorText(error)}`,
      { cause: error },
    );
  }
}

/** Returns a store whose callers pass the keys. */
export function newThreadSafeStore<T>(indexers: Indexers<T> = {}): ThreadSafeStore<T> {
  return new ThreadSafeStore(indexers);
}
