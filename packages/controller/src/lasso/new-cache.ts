/**
 * The cache of one kind: what Lasso calls a cache is a shared index informer.
 *
 *     VerbClient → newCache → SharedIndexInformer → New
 */
import { metaNamespaceIndexFunc, newSharedIndexInformer } from "@drover/cache";
import type { SharedIndexInformer } from "@drover/cache";
import type { VerbClient } from "@drover/client";
import { apiVersionOf } from "@drover/machinery";
import type { GroupVersionKind, KubeObject, Runtime } from "@drover/machinery";
import { newDeferredListerWatcher } from "./deferred-lister-watcher.ts";
import type { ListerWatcherOptions } from "./deferred-lister-watcher.ts";

/** Which objects a cache has, and how often its handlers are told of all of them. */
export interface CacheSettings extends Omit<ListerWatcherOptions, "onOutcome"> {
  /** How often handlers are told of every object although nothing changed, in milliseconds; 0 is never. @default ten hours */
  readonly resyncMs?: number;
}

export interface NewCacheOptions extends CacheSettings, Pick<ListerWatcherOptions, "onOutcome"> {
  readonly runtime: Pick<Runtime, "clock" | "random" | "log" | "metrics">;
}

const defaultResyncMs = 10 * 60 * 60 * 1000;

/** A cache; nothing is asked of the server until it is run. Namespaced kinds have the index "namespace". */
export function newCache(
  kind: GroupVersionKind,
  client: VerbClient,
  { runtime, resyncMs = defaultResyncMs, ...source }: NewCacheOptions,
): SharedIndexInformer<KubeObject> {
  return newSharedIndexInformer(newDeferredListerWatcher(client, source), {
    runtime,
    resyncPeriodMs: resyncMs,
    objectType: { apiVersion: apiVersionOf(kind), kind: kind.kind },
    ...(client.namespaced ? { indexers: { namespace: metaNamespaceIndexFunc } } : {}),
  });
}
