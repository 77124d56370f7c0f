/**
 * Values by key, and keys by whatever a value is asked about: the memory of every cache in this package.
 *
 *     delta → IndexedStore → get, list, byIndex
 *
 * What an index said about a value is remembered beside it, so an index function is called once per value: it need not give the same
 * answer twice, and an old value that is still text need not be read again to be forgotten.
 */
import { compareBytes } from "@drover/machinery";
import type { IndexFunction, Indexers } from "./store-index.ts";
import { StoreIndex } from "./store-index.ts";

/** An index function threw: the value is stored and found by key, and this index does not know it. */
export interface IndexFailure {
  readonly index: string;
  readonly key: string;
  readonly error: unknown;
}

export interface IndexedStoreOptions<V> {
  /** Index functions by name. @default none */
  readonly indexers?: Indexers<V>;
  /** Is told of every index function that throws. Must not throw. */
  readonly onIndexError: (failure: IndexFailure) => void;
}

/** A whole new content, built beside the one that readers see. */
export interface Replacement<V> {
  has(key: string): boolean;
  get(key: string): V | undefined;
  set(key: string, value: V): void;
  /** Readers see the new content from now on, all of it at once. */
  commit(): void;
  /** Forgets the new content; the old one stays. */
  discard(): void;
}

/** What readers see: swapped as one. */
interface Content<V> {
  readonly values: Map<string, V>;
  readonly indexes: Map<string, StoreIndex<V>>;
}

/**
 * Guarantees: every index agrees with the values at every moment somebody can look; a change costs as much as the index values that
 * changed; a set of keys that became empty is freed; reads give the values themselves, never copies, in the order in which their keys came.
 */
export class IndexedStore<V> {
  #content: Content<V>;
  #draft: Content<V> | undefined;
  readonly #onIndexError: (failure: IndexFailure) => void;

  constructor({ indexers = {}, onIndexError }: IndexedStoreOptions<V>) {
    this.#onIndexError = onIndexError;
    this.#content = {
      values: new Map(),
      indexes: new Map(Object.entries(indexers).map(([name, valuesOf]) => [name, new StoreIndex(valuesOf)])),
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

  /** Of the content at the time of the call; changes while somebody iterates are seen as those of a `Map` are. */
  keys(): IterableIterator<string> {
    return this.#content.values.keys();
  }

  values(): IterableIterator<V> {
    return this.#content.values.values();
  }

  entries(): IterableIterator<[string, V]> {
    return this.#content.values.entries();
  }

  /** Stores a value, and gives the one that was there. */
  set(key: string, value: V): V | undefined {
    const before = this.#content.values.get(key);
    this.#put(this.#content, key, value);
    return before;
  }

  /** Removes a key, and gives the value that was there. */
  delete(key: string): V | undefined {
    const { values, indexes } = this.#content;
    const before = values.get(key);
    if (values.delete(key)) for (const index of indexes.values()) index.forget(key);
    return before;
  }

  /**
   * Begins a new content. Readers and writers of the store go on with the old one until it is committed; there is one at a time, and
   * beginning again discards the one before.
   */
  beginReplace(): Replacement<V> {
    const indexes = new Map([...this.#content.indexes].map(([name, { valuesOf }]) => [name, new StoreIndex(valuesOf)]));
    const draft: Content<V> = { values: new Map(), indexes };
    this.#draft = draft;
    return {
      has: (key) => draft.values.has(key),
      get: (key) => draft.values.get(key),
      set: (key, value) => this.#put(draft, key, value),
      commit: () => {
        if (this.#draft !== draft) throw new Error("this replacement is over: it was committed, discarded, or another one was begun");
        this.#content = draft;
        this.#draft = undefined;
      },
      discard: () => {
        if (this.#draft === draft) this.#draft = undefined;
      },
    };
  }

  /** The whole content at once: what is not in it is gone. */
  replace(entries: Iterable<readonly [string, V]>): void {
    const next = this.beginReplace();
    for (const [key, value] of entries) next.set(key, value);
    next.commit();
  }

  /** Adds indexes at any time; what is stored is indexed at once. Throws, and adds none, when a name is taken. */
  addIndexers(indexers: Indexers<V>): void {
    const added = Object.entries(indexers);
    const taken = added.map(([name]) => name).filter((name) => this.#content.indexes.has(name));
    if (taken.length > 0)
      throw new Error(`indexer conflict: ${taken.map((name) => JSON.stringify(name)).join(", ")} is there already; choose another name`);
    for (const content of this.#draft === undefined ? [this.#content] : [this.#content, this.#draft]) {
      for (const [name, valuesOf] of added) {
        const index = new StoreIndex(valuesOf);
        for (const [key, value] of content.values) this.#record(name, index, key, value);
        content.indexes.set(name, index);
      }
    }
  }

  /** Removes an index; a name that is not there does nothing. */
  removeIndexer(name: string): void {
    this.#content.indexes.delete(name);
    this.#draft?.indexes.delete(name);
  }

  /** The index functions by name; a copy. */
  get indexers(): Indexers<V> {
    return Object.fromEntries([...this.#content.indexes].map(([name, { valuesOf }]): [string, IndexFunction<V>] => [name, valuesOf]));
  }

  get indexNames(): readonly string[] {
    return [...this.#content.indexes.keys()];
  }

  /** The values an index has under one of its values. Throws when there is no such index. */
  byIndex(name: string, indexValue: string): V[] {
    const { values } = this.#content;
    const found: V[] = [];
    for (const key of this.#index(name).keys(indexValue)) found.push(values.get(key) as V);
    return found;
  }

  /** The keys an index has under one of its values, sorted. Throws when there is no such index. */
  indexKeys(name: string, indexValue: string): string[] {
    return [...this.#index(name).keys(indexValue)].toSorted(compareBytes);
  }

  /** Every value an index has keys under. Throws when there is no such index. */
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
    values.set(key, value);
    for (const [name, index] of indexes) this.#record(name, index, key, value);
  }

  #record(name: string, index: StoreIndex<V>, key: string, value: V): void {
    try {
      index.record(key, index.valuesOf(value));
    } catch (error) {
      // What it said about an older value is no longer true, and it says nothing about this one.
      index.forget(key);
      this.#onIndexError({ index: name, key, error });
    }
  }
}
