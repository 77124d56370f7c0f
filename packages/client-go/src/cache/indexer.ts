/** A store whose objects can also be found by what an index says about them. */
import type { Indexers } from "@drover/cache";
import { keyed } from "./key-func.ts";
import type { KeyFunc } from "./key-func.ts";
import type { Store } from "./store.ts";
import { ThreadSafeStore } from "./thread-safe-store.ts";

export interface Indexer<T> extends Store<T> {
  /** The objects that share a value of this index with the given one, none twice. Throws when there is no such index. */
  index(indexName: string, object: T): T[];
  /** The keys under one value of an index, sorted. */
  indexKeys(indexName: string, indexedValue: string): string[];
  /** Every value an index has something under. */
  listIndexFuncValues(indexName: string): string[];
  /** The objects under one value of an index. */
  byIndex(indexName: string, indexedValue: string): T[];
  getIndexers(): Indexers<T>;
  /** At any time, also when there are objects: they are indexed at once. Throws, and adds none, when a name is taken. */
  addIndexers(indexers: Indexers<T>): void;
}

/** An indexer on a `ThreadSafeStore`. */
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

/** A store for those who need no indexes. */
export function newStore<T>(keyFunc: KeyFunc<T>): Store<T> {
  return newIndexer(keyFunc, {});
}

/** Finds objects by their namespace; listers look for it under the name `namespaceIndex`. */
export function metaNamespaceIndexFunc(object: { readonly metadata?: { readonly namespace?: string } }): string[] {
  return [object.metadata?.namespace ?? ""];
}

/** An index as a key function. What it makes throws for an object that the index gives not exactly one value. */
export function indexFuncToKeyFuncAdapter<T>(indexFunc: (object: T) => readonly string[]): KeyFunc<T> {
  return (object) => {
    const values = indexFunc(object);
    const [only] = values;
    if (only === undefined || values.length > 1)
      throw new Error(values.length > 1 ? `too many keys: ${values.join(", ")}` : "unexpected empty indexKeys");
    return only;
  };
}
