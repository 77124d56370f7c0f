/** client-go's `Indexer`: a store with indexes. */
import type { Indexers } from "@drover/cache";
import { keyed } from "./key-func.ts";
import type { KeyFunc } from "./key-func.ts";
import type { Store } from "./store.ts";
import { ThreadSafeStore } from "./thread-safe-store.ts";

/** A store with indexes: client-go's `cache.Indexer`. */
export interface Indexer<T> extends Store<T> {
  /** Returns the objects that share a value of this index with the given object, without duplicates. Throws if the index does not exist. */
  index(indexName: string, object: T): T[];
  /** Returns the sorted keys of the objects with this index value. */
  indexKeys(indexName: string, indexedValue: string): string[];
  /** Returns all values of an index that have objects. */
  listIndexFuncValues(indexName: string): string[];
  /** Returns the objects with this index value. */
  byIndex(indexName: string, indexedValue: string): T[];
  getIndexers(): Indexers<T>;
  /** Adds indexes and indexes existing objects at once. Throws, and adds none, if a name is taken. */
  addIndexers(indexers: Indexers<T>): void;
}

/** Returns an indexer over a `ThreadSafeStore`. */
export function newIndexer<T>(keyFunc: KeyFunc<T>, indexers: Indexers<T>): Indexer<T> {
  const store = new ThreadSafeStore<T>(indexers);
  const put = (object: T): void => store.add(keyed(keyFunc, object), object);
  return {
    add: put,
    update: put,
    delete: (object) => store.delete(keyed(keyFunc, object)),
    list: () => store.list(),
    listKeys: () => store.listKeys(),
    get: (object) => store.get(keyed(keyFunc, object)),
    getByKey: (key) => store.get(key),
    replace: (list, resourceVersion) => store.replace(new Map(list.map((object) => [keyed(keyFunc, object), object])), resourceVersion),
    resync: () => undefined,
    index: (indexName, object) => store.index(indexName, object),
    indexKeys: (indexName, indexedValue) => store.indexKeys(indexName, indexedValue),
    listIndexFuncValues: (indexName) => store.listIndexFuncValues(indexName),
    byIndex: (indexName, indexedValue) => store.byIndex(indexName, indexedValue),
    getIndexers: () => store.getIndexers(),
    addIndexers: (added) => store.addIndexers(added),
  };
}

/** Returns a store without indexes. */
export function newStore<T>(keyFunc: KeyFunc<T>): Store<T> {
  return newIndexer(keyFunc, {});
}

/** Index function for namespaces; listers expect it under the name `namespaceIndex`. */
export function metaNamespaceIndexFunc(object: { readonly metadata?: { readonly namespace?: string } }): string[] {
  return [object.metadata?.namespace ?? ""];
}

/** Returns an index function as a key function, which throws unless the index returns exactly one value. */
export function indexFuncToKeyFuncAdapter<T>(indexFunc: (object: T) => readonly string[]): KeyFunc<T> {
  return (object) => {
    const values = indexFunc(object);
    const [only] = values;
    if (only === undefined || values.length > 1)
      throw new Error(values.length > 1 ? `too many keys: ${values.join(", ")}` : "unexpected empty indexKeys");
    return only;
  };
}
