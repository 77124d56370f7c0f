/**
 * Objects of a cache by name, as client-go's listers give them: an object that is not there is an error, the one the
 * server would answer with.
 *
 *     informer.lister.namespace("shop").get("web-0")        ApiError: pod "web-0" not found
 */
import { ApiError, newNotFound, objectKey } from "@drover/machinery";
import type { DeepReadonly, GroupResource, KubeObject, ObjectKey } from "@drover/machinery";
import type { ListFilter } from "./list-filter.ts";

/** Where a lister looks. */
export interface ListedCache<T extends KubeObject> {
  get(key: ObjectKey): DeepReadonly<T> | undefined;
  list(filter?: ListFilter): DeepReadonly<T>[];
}

/** Objects of one namespace. Nothing is copied: what comes back is the cache's own, frozen. */
export interface NamespaceLister<T extends KubeObject> {
  /** Throws an `ApiError` (`isNotFound`) when it is not there. */
  get(name: string): DeepReadonly<T>;
  list(filter?: Omit<ListFilter, "namespace">): DeepReadonly<T>[];
}

/** Objects of all namespaces, or of a kind that knows none. */
export interface Lister<T extends KubeObject> {
  /** By name, for cluster-scoped kinds. Throws an `ApiError` (`isNotFound`) when it is not there. */
  get(name: string): DeepReadonly<T>;
  list(filter?: Omit<ListFilter, "namespace">): DeepReadonly<T>[];
  namespace(namespace: string): NamespaceLister<T>;
}

/**
 * A lister on a cache.
 * @param resource - how the error names what was looked for; client-go's typed listers say the singular, "pod", its dynamic ones "pods"
 */
export function createLister<T extends KubeObject>(cache: ListedCache<T>, resource: GroupResource): Lister<T> {
  const get = (name: string, namespace?: string): DeepReadonly<T> => {
    const object = cache.get(objectKey(name, namespace));
    if (object === undefined) throw new ApiError(newNotFound(resource, name));
    return object;
  };
  return {
    get: (name) => get(name),
    list: (filter = {}) => cache.list(filter),
    namespace: (namespace) => ({
      get: (name) => get(name, namespace),
      list: (filter = {}) => cache.list({ ...filter, namespace }),
    }),
  };
}
