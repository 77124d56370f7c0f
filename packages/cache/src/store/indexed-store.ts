/**
 * Values by key, with indexes: the storage of every cache in this package.
 *
 *     delta → IndexedStore → get, list, byIndex
 *
 * The store remembers the index values of each value, so an index function is called once per value: it need not be deterministic, and
 * removing an old value does not parse it.
 */
import { compareBytes } from "@drover/machinery";
import type { IndexFunction, Indexers, KeyIndexFunction } from "./store-index.ts";
import { StoreIndex } from "./store-index.ts";

/** An index function threw: the value is stored and found by key, but is missing from this index. */
export interface IndexFailure {
  readonly index: string;
  readonly key: string;
  readonly error: unknown;
}

export interface IndexedStoreOptions<V> {
  /** Index functions by name. @default no indexes */
  readonly indexers?: Indexers<V>;
  /** For indexers whose result depends on the key alone: the same as a function of the key, which takes less memory. @default none */
  readonly keyIndexers?: Readonly<Record<string, KeyIndexFunction>>;
  /** Called when an index function throws. Must not throw. */
  readonly onIndexError: (failure: IndexFailure) => void;
}

/** A new content, built while readers see the old one. */
export interface Replacement<V> {
  has(key: string): boolean;
  get(key: string): V | undefined;
  set(key: string, value: V): void;
  /** Makes the new content visible to readers, atomically. */
  commit(): void;
  /** Drops the new content; the old one stays. */
  discard(): void;
}

/** The content that readers see; replaced as a whole. */
interface Content<V> {
  readonly values: Map<string, V>;
  readonly indexes: Map<string, StoreIndex<V>>;
}

/**
 * Guarantees: readers always see indexes that match the values; the cost of a change is proportional to the changed index values; empty key
 * sets are freed; reads return the values, not copies, in the order in which their keys were added.
 */
export class IndexedStore<V> {
  #content: Content<V>;
  #draft: Content<V> | undefined;
  readonly #onIndexError: (failure: IndexFailure) => void;

  constructor({ indexers = {}, keyIndexers = {}, onIndexError }: IndexedStoreOptions<V>) {
    this.#onIndexError = onIndexError;
    this.#content = {
      values: new Map(),
      indexes: new Map(Object.entries(indexers).map(([name, valuesOf]) => [name, new StoreIndex(valuesOf, keyIndexers[name])])),
    };
  }

  get size(): number {
    return this.#content.values.size;
  }

  get(key: string): V | undefined {
    return this.#content.values.get(key);
  }

  has(key: string): boolean {
    return this.#content.values.has(key);
  }

  /** Iterates over the content at the time of the call; changes during the iteration are visible as in a `Map`. */
  keys(): IterableIterator<string> {
    return this.#content.values.keys();
  }

  values(): IterableIterator<V> {
    return this.#content.values.values();
  }

  entries(): IterableIterator<[string, V]> {
    return this.#content.values.entries();
  }

  /** Stores a value and returns the previous one. */
  set(key: string, value: V): V | undefined {
    const before = this.#content.values.get(key);
    this.#put(this.#content, key, value);
    return before;
  }

  /** Removes a key and returns its value. */
  delete(key: string): V | undefined {
    const { values, indexes } = this.#content;
    const before = values.get(key);
    if (values.delete(key)) for (const index of indexes.values()) index.forget(key);
    return before;
  }

  /**
   * Starts a new content. Readers and writers of the store use the old one until the commit. There is one draft at a time; starting another
   * discards it.
   */
  beginReplace(): Replacement<V> {
    const indexes = new Map([...this.#content.indexes].map(([name, index]) => [name, index.empty()]));
    const draft: Content<V> = { values: new Map(), indexes };
    this.#draft = draft;
    return {
      has: (key) => draft.values.has(key),
      get: (key) => draft.values.get(key),
      set: (key, value) => this.#put(draft, key, value),
      commit: () => {
        if (this.#draft !== draft) throw new Error("this replacement was committed or discarded, or another one was started");
        this.#content = draft;
        this.#draft = undefined;
      },
      discard: () => {
        if (this.#draft === draft) this.#draft = undefined;
      },
    };
  }

  /** Replaces the whole content, atomically. */
  replace(entries: Iterable<readonly [string, V]>): void {
    const next = this.beginReplace();
    for (const [key, value] of entries) next.set(key, value);
    next.commit();
  }

  /** Adds indexes and indexes existing values at once. Throws, and adds none, if a name is taken. */
  addIndexers(indexers: Indexers<V>): void {
    const added = Object.entries(indexers);
    const taken = added.map(([name]) => name).filter((name) => this.#content.indexes.has(name));
    if (taken.length > 0)
      throw new Error(`indexer conflict: ${taken.map((name) => JSON.stringify(name)).join(", ")} exists already; choose another name`);
    for (const content of this.#draft === undefined ? [this.#content] : [this.#content, this.#draft]) {
      for (const [name, valuesOf] of added) {
        const index = new StoreIndex(valuesOf);
        for (const [key, value] of content.values) this.#record(name, index, key, value, true);
        content.indexes.set(name, index);
      }
    }
  }

  /** Removes an index; ignores unknown names. */
  removeIndexer(name: string): void {
    this.#content.indexes.delete(name);
    this.#draft?.indexes.delete(name);
  }

  /** Returns a copy of the index functions by name. */
  get indexers(): Indexers<V> {
    return Object.fromEntries([...this.#content.indexes].map(([name, { valuesOf }]): [string, IndexFunction<V>] => [name, valuesOf]));
  }

  get indexNames(): readonly string[] {
    return [...this.#content.indexes.keys()];
  }

  /** Returns the values with this index value. Throws if the index does not exist. */
  byIndex(name: string, indexValue: string): V[] {
    const { values } = this.#content;
    const found: V[] = [];
    for (const key of this.#index(name).keys(indexValue)) found.push(values.get(key) as V);
    return found;
  }

  /** Returns the sorted keys with this index value. Throws if the index does not exist. */
  indexKeys(name: string, indexValue: string): string[] {
    return [...this.#index(name).keys(indexValue)].toSorted(compareBytes);
  }

  /** Returns all values of an index that have keys. Throws if the index does not exist. */
  listIndexValues(name: string): string[] {
    return [...this.#index(name).values()];
  }

  #index(name: string): StoreIndex<V> {
    const index = this.#content.indexes.get(name);
    if (index !== undefined) return index;
    const names = [...this.#content.indexes.keys()].map((known) => JSON.stringify(known));
    throw new Error(`Index with name ${name} does not exist; ${names.length === 0 ? "there are none" : `there are ${names.join(", ")}`}`);
  }

  #put({ values, indexes }: Content<V>, key: string, value: V): void {
    const { size } = values;
    values.set(key, value);
    const isNew = values.size > size;
    for (const [name, index] of indexes) this.#record(name, index, key, value, isNew);
  }

  #record(name: string, index: StoreIndex<V>, key: string, value: V, isNew: boolean): void {
    try {
      index.index(key, value, isNew);
    } catch (error) {
      // The index values of the old value no longer apply, and there are none for this one.
      index.forget(key);
      this.#onIndexError({ index: name, key, error });
    }
  }
}
