/**
 * Lasso's `deferredListerWatcher`: a client that lists and watches for the cache of its resource. It sends nothing
 * before the cache runs.
 *
 *     Client → newDeferredListerWatcher → newCache
 */
import type { ListerWatcher } from "@drover/cache";
import type { KubeObject, ListOptions } from "@drover/machinery";
import type { Client } from "./client/new-client.ts";

export interface ListerWatcherOptions {
  /** Only objects in this namespace; not for cluster-scoped resources. @default all namespaces */
  readonly namespace?: string;
  /** Has the last word on the options of every list and watch. @default options stay as they are */
  readonly tweakList?: (options: ListOptions) => ListOptions;
  /** Whether the initial list may be a stream; some aggregated servers cannot do that. @default true */
  readonly watchList?: boolean;
}

/** Throws a TypeError at a namespace for a cluster-scoped resource. */
export function newDeferredListerWatcher<T extends KubeObject>(client: Client<T>, options: ListerWatcherOptions = {}): ListerWatcher<T> {
  const { namespace = "", tweakList = (same) => same, watchList = true } = options;
  const { gvr, namespaced } = client;
  requireScope(gvr.resource, namespaced, namespace);
  return {
    description: namespaced ? `${gvr.resource} in ${namespace === "" ? "all namespaces" : namespace}` : gvr.resource,
    supportsWatchList: watchList,
    list: (given, { signal }) => client.list(namespace, { ...tweakList(given), signal }),
    watch: (given, { signal }) => client.watch(namespace, { ...tweakList(given), signal }),
  };
}

/** Throws a TypeError when a cluster-scoped resource is asked for in a namespace. */
export function requireScope(resource: string, namespaced: boolean, namespace: string): void {
  if (namespaced || namespace === "") return;
  throw new TypeError(
    `the cache of ${resource} cannot be limited to namespace ${namespace}: ${resource} are cluster-scoped; remove the option`,
  );
}
