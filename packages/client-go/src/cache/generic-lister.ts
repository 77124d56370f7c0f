/** Objects of an indexer by name and label, in the form of the documents. */
import { getOwn } from "@drover/machinery";
import type { DeepReadonly, GroupResource, KubeObject, ObjectKey } from "@drover/machinery";
import { createLister, filterNamespace, filterSelector, namespaceIndex } from "@drover/cache";
import type { Lister } from "@drover/cache";
import type { ReadonlyIndexer } from "./shared-informer.ts";

/**
 * A lister on an indexer. Namespaces are looked up in the "namespace" index when there is one, else everything is looked through.
 * @param resource - how the error names what was not found
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
