/**
 * Lasso's `deferredListerWatcher`: lists and watches through a client. It sends nothing before the cache runs.
 *
 *     Client → newDeferredListerWatcher → newCache
 */
import type { ListerWatcher } from "@drover/cache";
import type { KubeObject, ListOptions } from "@drover/machinery";
import type { Client } from "./client/new-client.ts";

/** Options of `newDeferredListerWatcher`. */
export interface ListerWatcherOptions {
  /** Namespace to list and watch; not for cluster-scoped resources. @default all namespaces */
  readonly namespace?: string;
  /** Changes the options of every list and watch. @default unchanged */
  readonly tweakList?: (options: ListOptions) => ListOptions;
  /** Whether the initial list may be a stream (`sendInitialEvents`), which some aggregated servers do not support. @default true */
  readonly watchList?: boolean;
}

/** Throws a TypeError for a namespace with a cluster-scoped resource. */
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

/** Throws a TypeError for a namespace with a cluster-scoped resource. */
export function requireScope(resource: string, namespaced: boolean, namespace: string): void {
  if (namespaced || namespace === "") return;
  throw new TypeError(`cannot limit the cache of ${resource} to namespace ${namespace}: the resource is cluster-scoped; remove the option`);
}
