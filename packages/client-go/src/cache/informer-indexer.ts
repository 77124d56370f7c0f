/** The cache of an informer as a read-only `Indexer`: only the informer writes to it. */
import type { IndexFunction, Indexers, InformerView, ObjectVersion } from "@drover/cache";
import { getOwn, splitObjectKey } from "@drover/machinery";
import type { DeepReadonly, KubeObject, ObjectKey } from "@drover/machinery";
import { metaNamespaceIndexFunc } from "./indexer.ts";
import type { Indexer } from "./indexer.ts";
import { deletionHandlingMetaNamespaceKeyFunc, keyed } from "./key-func.ts";

/**
 * Returns a view of the informer's cache. `indexers` are the informer's index functions by name.
 *
 * Throws a TypeError at `add`, `update`, `delete`, `replace` and `addIndexers`.
 */
export function informerIndexer<T extends KubeObject>(informer: InformerView<T>, indexers: () => Indexers<T>): Indexer<DeepReadonly<T>> {
  const refuse = (method: string) => (): never => {
    throw new TypeError(
      `${method}: the store of the informer of ${informer.name} is read-only; write through a client, or fill a store of your own (newStore)`,
    );
  };
  return {
    add: refuse("add"),
    update: refuse("update"),
    delete: refuse("delete"),
    replace: refuse("replace"),
    addIndexers: refuse("addIndexers"),
    resync: () => undefined,
    list: () => informer.list(),
    listKeys: () => informer.keys(),
    get: (object) => informer.get(keyed(deletionHandlingMetaNamespaceKeyFunc, object) as ObjectKey),
    getByKey: (key) => informer.get(key as ObjectKey),
    index: (indexName, object) => {
      // Callers only read, so a frozen T serves as a T.
      const values = getOwn(indexers(), indexName)?.(object as T) ?? [""];
      return [...new Set(values.flatMap((value) => informer.byIndex(indexName, value)))];
    },
    indexKeys: (indexName, indexedValue) => informer.indexKeys(indexName, indexedValue),
    listIndexFuncValues: (indexName) => informer.listIndexValues(indexName),
    byIndex: (indexName, indexedValue) => informer.byIndex(indexName, indexedValue),
    getIndexers: () => indexers() as Indexers<DeepReadonly<T>>,
  };
}

/** Converts an index function on objects into one on versions. Namespaces are indexed without decoding the object. */
export function versionIndexFunc<T extends KubeObject>(indexFunc: IndexFunction<T>): IndexFunction<ObjectVersion<T>> {
  if (indexFunc === (metaNamespaceIndexFunc as IndexFunction<KubeObject>)) return ({ key }) => [splitObjectKey(key).namespace];
  return ({ object }) => indexFunc(object as T);
}
