/**
 * The cache of one resource over a client; Lasso's cache is a shared index informer.
 *
 *     Client → newDeferredListerWatcher → newSharedIndexInformer → deferredCache
 *
 * It has its own list and watch. Caches of a `SharedCacheFactory` share those of the cluster.
 */
import { newSharedIndexInformer } from "@drover/client-go";
import type { SharedIndexInformer } from "@drover/client-go";
import type { Client } from "./client/new-client.ts";
import { definedOnly } from "@drover/machinery";
import type { KubeObject, Runtime, TypeMeta } from "@drover/machinery";
import { deferredCache } from "./deferred-cache.ts";
import { newDeferredListerWatcher } from "./deferred-lister-watcher.ts";
import type { ListerWatcherOptions } from "./deferred-lister-watcher.ts";
import { kindOfResource } from "./kind-of-resource.ts";

/** Which objects a cache holds, and its resync period. */
export interface CacheSettings extends ListerWatcherOptions {
  /** Resync period in milliseconds: handlers get every object again; 0 disables it. @default 10 h */
  readonly resyncMs?: number;
}

/** Options of `newCache`. */
export interface NewCacheOptions extends CacheSettings {
  readonly runtime: Pick<Runtime, "clock" | "random" | "log" | "metrics">;
}

/** Ten hours, as in Lasso. */
export const defaultResyncMs: number = 10 * 60 * 60 * 1000;

/**
 * Returns a cache; it sends nothing until it runs. `object` and `list` are examples that carry the kinds, as created by
 * `SharedClientFactory.newObjects`. Throws a TypeError if they have no kind or do not match.
 */
export function newCache<T extends KubeObject>(
  object: Readonly<TypeMeta>,
  list: Readonly<TypeMeta>,
  client: Client<T>,
  { runtime, resyncMs = defaultResyncMs, ...source }: NewCacheOptions,
): SharedIndexInformer<T> {
  const { apiVersion = "", kind = "" } = object;
  if (apiVersion === "" || kind === "")
    throw new TypeError("newCache: the example object has no apiVersion or no kind; create it with SharedClientFactory.newObjects");
  if (list.kind !== `${kind}List` || list.apiVersion !== apiVersion)
    throw new TypeError(`newCache: the list is ${list.apiVersion ?? ""} ${list.kind ?? ""}, expected ${apiVersion} ${kind}List`);
  // Throws here, where the mistake is, instead of at the first use.
  const listerWatcher = newDeferredListerWatcher(client, source);
  const { namespace = "", tweakList } = source;
  return deferredCache(() =>
    newSharedIndexInformer<T>(listerWatcher, {
      runtime,
      resyncPeriodMs: resyncMs,
      objectType: { apiVersion, kind },
      kind: kindOfResource<T>(client.gvr, kind, client.namespaced),
      request: { ...(namespace === "" ? {} : { namespace }), ...definedOnly({ tweakListOptions: tweakList }) },
    }),
  );
}
