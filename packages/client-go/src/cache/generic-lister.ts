/** client-go's `GenericLister`: reads objects of an indexer by name and label. */
import { getOwn } from "@drover/machinery";
import type { DeepReadonly, GroupResource, KubeObject, ObjectKey } from "@drover/machinery";
import { createLister, filterNamespace, filterSelector, namespaceIndex } from "@drover/cache";
import type { Lister } from "@drover/cache";
import type { ReadonlyIndexer } from "./shared-informer.ts";

/**
 * Returns a lister over an indexer. It uses the "namespace" index if there is one, and otherwise scans all objects.
 * @param resource - name of the resource in not-found errors
 */
export function newGenericLister<T extends KubeObject>(indexer: ReadonlyIndexer<DeepReadonly<T>>, resource: GroupResource): Lister<T> {
  return createLister<T>(
    {
      get: (key: ObjectKey) => indexer.getByKey(key),
      list: (filter = {}) => {
        const namespace = filterNamespace(filter);
        const selector = filterSelector(filter);
        const objects = namespace === undefined ? indexer.list() : objectsIn(indexer, namespace);
        return selector === undefined ? objects : objects.filter(({ metadata }) => selector.matches(metadata.labels ?? {}));
      },
    },
    resource,
  );
}

function objectsIn<T extends KubeObject>(indexer: ReadonlyIndexer<DeepReadonly<T>>, namespace: string): DeepReadonly<T>[] {
  if (getOwn(indexer.getIndexers(), namespaceIndex) !== undefined) return indexer.byIndex(namespaceIndex, namespace);
  return indexer.list().filter(({ metadata }) => (metadata.namespace ?? "") === namespace);
}
