/**
 * client-go's listers: reads of a cache by name. A missing object is an error, the same as the server would send.
 *
 *     informer.lister.namespace("shop").get("web-0")        ApiError: pod "web-0" not found
 */
import { ApiError, newNotFound, objectKey } from "@drover/machinery";
import type { DeepReadonly, GroupResource, KubeObject, ObjectKey } from "@drover/machinery";
import type { ListFilter } from "./list-filter.ts";

/** The cache behind a lister. */
export interface ListedCache<T extends KubeObject> {
  get(key: ObjectKey): DeepReadonly<T> | undefined;
  list(filter?: ListFilter): DeepReadonly<T>[];
}

/** Objects of one namespace. Returns the cached objects: frozen, not copied. */
export interface NamespaceLister<T extends KubeObject> {
  /** Returns an object. Throws an `ApiError` (`isNotFound`) if there is none. */
  get(name: string): DeepReadonly<T>;
  list(filter?: Omit<ListFilter, "namespace">): DeepReadonly<T>[];
}

/** Objects of all namespaces, or of a cluster-scoped kind. */
export interface Lister<T extends KubeObject> {
  /** Returns an object of a cluster-scoped kind. Throws an `ApiError` (`isNotFound`) if there is none. */
  get(name: string): DeepReadonly<T>;
  list(filter?: Omit<ListFilter, "namespace">): DeepReadonly<T>[];
  namespace(namespace: string): NamespaceLister<T>;
}

/**
 * Returns a lister over a cache.
 * @param resource - name of the resource in errors; client-go's typed listers use the singular, "pod", its dynamic ones "pods"
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
