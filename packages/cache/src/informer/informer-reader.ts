/**
 * Reads of a cache. They return the cached objects: frozen, never copied.
 *
 *     IndexedStore<ObjectVersion<T>> → StoreReader → objects, decoded on first access
 */
import type { DeepReadonly, KubeObject, ObjectKey } from "@drover/machinery";
import type { IndexedStore } from "../store/indexed-store.ts";
import { namespaceIndex } from "../store/informer-store.ts";
import { filterNamespace, filterSelector } from "./list-filter.ts";
import type { ListFilter } from "./list-filter.ts";
import type { ObjectVersion } from "../source/object-version.ts";

/** Reads of a cache. */
export interface InformerReader<T extends KubeObject> {
  readonly size: number;
  /** Returns the object; undefined if there is none. Throws a `PoisonObjectError` if it cannot be decoded. */
  get(key: ObjectKey): DeepReadonly<T> | undefined;
  /** Returns the version without decoding the object. */
  getVersion(key: ObjectKey): ObjectVersion<T> | undefined;
  /** Returns objects in no particular order. Objects that cannot be decoded are left out and logged. */
  list(filter?: ListFilter): DeepReadonly<T>[];
  keys(): ObjectKey[];
  /** Returns the objects with this index value. Throws if the index does not exist. */
  byIndex(index: string, value: string): DeepReadonly<T>[];
  /** Returns the sorted keys with this index value. Throws if the index does not exist. */
  indexKeys(index: string, value: string): ObjectKey[];
  /** Returns all values of an index that have keys. Throws if the index does not exist. */
  listIndexValues(index: string): string[];
  readonly indexNames: readonly string[];
}

export class StoreReader<T extends KubeObject> implements InformerReader<T> {
  readonly #store: IndexedStore<ObjectVersion<T>>;
  readonly #onUnreadable: (key: ObjectKey, error: unknown) => void;

  constructor(store: IndexedStore<ObjectVersion<T>>, onUnreadable: (key: ObjectKey, error: unknown) => void) {
    this.#store = store;
    this.#onUnreadable = onUnreadable;
  }

  get size(): number {
    return this.#store.size;
  }

  get(key: ObjectKey): DeepReadonly<T> | undefined {
    return this.#store.get(key)?.object;
  }

  getVersion(key: ObjectKey): ObjectVersion<T> | undefined {
    return this.#store.get(key);
  }

  list(filter: ListFilter = {}): DeepReadonly<T>[] {
    const namespace = filterNamespace(filter);
    const selector = filterSelector(filter);
    const found: DeepReadonly<T>[] = [];
    for (const version of namespace === undefined ? this.#store.values() : this.#store.byIndex(namespaceIndex, namespace)) {
      if (selector === undefined || selector.matches(version.labels)) this.#read(version, found);
    }
    return found;
  }

  keys(): ObjectKey[] {
    return [...this.#store.keys()] as ObjectKey[];
  }

  byIndex(index: string, value: string): DeepReadonly<T>[] {
    const found: DeepReadonly<T>[] = [];
    for (const version of this.#store.byIndex(index, value)) this.#read(version, found);
    return found;
  }

  indexKeys(index: string, value: string): ObjectKey[] {
    return this.#store.indexKeys(index, value) as ObjectKey[];
  }

  listIndexValues(index: string): string[] {
    return this.#store.listIndexValues(index);
  }

  get indexNames(): readonly string[] {
    return this.#store.indexNames;
  }

  #read(version: ObjectVersion<T>, into: DeepReadonly<T>[]): void {
    try {
      into.push(version.object);
    } catch (error) {
      this.#onUnreadable(version.key, error);
    }
  }
}
