/** A cache that is created on first use: Lasso's `deferredCache`. */
import type { SharedIndexInformer } from "@drover/client-go";
import type { KubeObject } from "@drover/machinery";

/** Returns an informer that calls `make` once, at the first call of any method. */
export function deferredCache<T extends KubeObject>(make: () => SharedIndexInformer<T>): SharedIndexInformer<T> {
  let made: SharedIndexInformer<T> | undefined;
  const cache = (): SharedIndexInformer<T> => (made ??= make());
  return {
    addEventHandler: (handler) => cache().addEventHandler(handler),
    addEventHandlerWithResyncPeriod: (handler, resyncPeriodMs) => cache().addEventHandlerWithResyncPeriod(handler, resyncPeriodMs),
    removeEventHandler: (registration) => cache().removeEventHandler(registration),
    addIndexers: (indexers) => cache().addIndexers(indexers),
    getStore: () => cache().getStore(),
    getIndexer: () => cache().getIndexer(),
    getController: () => cache().getController(),
    run: (signal) => cache().run(signal),
    hasSynced: () => made?.hasSynced() ?? false,
    isStopped: () => made?.isStopped() ?? false,
    lastSyncResourceVersion: () => made?.lastSyncResourceVersion() ?? "",
    states: () => made?.states() ?? [],
    setWatchErrorHandler: (handler) => cache().setWatchErrorHandler(handler),
    setTransform: (transform) => cache().setTransform(transform),
    get view() {
      return cache().view;
    },
    get kind() {
      return cache().kind;
    },
    get request() {
      return cache().request;
    },
    get resyncPeriodMs() {
      return cache().resyncPeriodMs;
    },
  };
}
