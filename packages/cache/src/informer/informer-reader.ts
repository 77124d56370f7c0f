/**
 * What can be read of a cache. What comes back is the cache's own: frozen, never copied.
 *
 *     IndexedStore<ObjectVersion<T>> → StoreReader → objects, read when they are asked for
 */
import type { DeepReadonly, KubeObject, ObjectKey } from "@drover/machinery";
import type { IndexedStore } from "../store/indexed-store.ts";
import { namespaceIndex } from "../store/informer-store.ts";
import { filterNamespace, filterSelector } from "./list-filter.ts";
import type { ListFilter } from "./list-filter.ts";
import type { ObjectVersion } from "../source/object-version.ts";

export interface InformerReader<T extends KubeObject> {
  readonly size: number;
  /** The object; undefined when it is not there. Throws a `PoisonObjectError` when it is there and cannot be read. */
  get(key: ObjectKey): DeepReadonly<T> | undefined;
  /** The same without reading the object. */
  getVersion(key: ObjectKey): ObjectVersion<T> | undefined;
  /** Objects in no order that means anything. One that cannot be read is left out, and told in the log. */
  list(filter?: ListFilter): DeepReadonly<T>[];
  keys(): ObjectKey[];
  /** Throws when there is no such index. */
  byIndex(index: string, value: string): DeepReadonly<T>[];
  /** Sorted. Throws when there is no such index. */
  indexKeys(index: string, value: string): ObjectKey[];
  /** Every value of an index that has keys. Throws when there is no such index. */
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
