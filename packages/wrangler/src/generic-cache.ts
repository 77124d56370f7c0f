/**
 * Cached objects of one kind, with the names of Wrangler's generic package.
 *
 *     SharedIndexInformer → newGenericCache → get, list, addIndexer, getByIndex
 */
import type { IndexFunction } from "@drover/cache";
import type { SharedIndexInformer } from "@drover/client-go";
import { ApiError, newNotFound, objectKey, parseSelector } from "@drover/machinery";
import type { DeepReadonly, Kind, KubeObject, Scope, Selector } from "@drover/machinery";
import type { NameArguments, NamespaceArguments } from "./scope-arguments.ts";
import { takeName, takeNamespace } from "./scope-arguments.ts";

/** Guarantees: objects are shared and frozen. Sends no requests. */
export interface CacheInterface<T extends KubeObject, S extends Scope = Scope> {
  /** Throws an `ApiError` with `isNotFound` if the object does not exist. */
  get(...name: NameArguments<S>): DeepReadonly<T>;
  /** Lists objects of a namespace ("" for all) whose labels match. */
  list(...given: [...NamespaceArguments<S>, selector?: Selector | string]): readonly DeepReadonly<T>[];
  /** Adds an index, before or after the start. Throws if the name is taken. */
  addIndexer(name: string, valuesOf: IndexFunction<DeepReadonly<T>>): void;
  /** Throws if the index does not exist. */
  getByIndex(name: string, value: string): readonly DeepReadonly<T>[];
}

/** Creates a cache on an informer of the kind. */
export function newGenericCache<T extends KubeObject, S extends Scope>(
  kind: Kind<T, S>,
  informer: SharedIndexInformer<T>,
): CacheInterface<T, S> {
  const { group, plural, scope } = kind;
  const indexer = informer.getIndexer();
  return {
    get: (...given) => {
      const { namespace, name } = takeName(scope, given);
      const found = indexer.getByKey(objectKey(name, namespace));
      if (found === undefined) throw new ApiError(newNotFound({ group, resource: plural }, name));
      return found;
    },
    list: (...given) => {
      const {
        namespace,
        rest: [selection = ""],
      } = takeNamespace(scope, given);
      const selector = typeof selection === "string" ? parseSelector(selection) : (selection as Selector);
      const there = namespace === "" ? indexer.list() : indexer.byIndex("namespace", namespace);
      return there.filter(({ metadata: { labels } }) => selector.matches(labels ?? {}));
    },
    addIndexer: (name, valuesOf) => informer.addIndexers({ [name]: valuesOf as IndexFunction<T> }),
    getByIndex: (name, value) => indexer.byIndex(name, value),
  };
}
