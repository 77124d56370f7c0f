/** SharedInformer and SharedIndexInformer of tools/cache: one list and one watch for any number of handlers. */
import type { Indexers, InformerRequest, InformerState, InformerView } from "@drover/cache";
import type { DeepReadonly, Kind, KubeObject } from "@drover/machinery";
import type { Controller } from "./controller.ts";
import type { Indexer } from "./indexer.ts";
import type { ResourceEventHandler } from "./resource-event-handler.ts";
import type { Store } from "./store.ts";
import type { WatchErrorHandler } from "./watch-error-handler.ts";

/** A store that can only be read. */
export type ReadonlyStore<T> = Pick<Store<T>, "get" | "getByKey" | "list" | "listKeys">;

/** An indexer that can only be read. */
export type ReadonlyIndexer<T> = ReadonlyStore<T> &
  Pick<Indexer<T>, "index" | "indexKeys" | "listIndexFuncValues" | "byIndex" | "getIndexers">;

/** Registration of one handler with an informer. */
export interface ResourceEventHandlerRegistration {
  /** Reports whether the informer has synced and this handler has processed every object of the first list. Start workers after this. */
  hasSynced(): boolean;
}

/** One list and one watch for any number of handlers. */
export interface SharedInformer<T extends KubeObject> {
  /**
   * Adds a handler, before or after the start; a late handler receives every cached object as an addition. Handlers do not
   * wait for each other, and each is called once per change, even if it throws. Throws if the informer has stopped.
   */
  addEventHandler(handler: ResourceEventHandler<T>): ResourceEventHandlerRegistration;
  /**
   * Adds a handler with a resync period in milliseconds; 0 means no resync. A resync repeats every cached object as an update,
   * spread over the period and never more often than requested.
   */
  addEventHandlerWithResyncPeriod(handler: ResourceEventHandler<T>, resyncPeriodMs: number): ResourceEventHandlerRegistration;
  /** Removes a handler and drops its pending changes. Does nothing for a registration of another informer. */
  removeEventHandler(registration: ResourceEventHandlerRegistration): void;
  /** Returns the cache. It is read-only: its write methods throw. */
  getStore(): ReadonlyStore<DeepReadonly<T>>;
  /** Returns a controller with `run` and status of this informer; deprecated in client-go. */
  getController(): Controller;
  /** Lists, watches, stores and notifies until the signal aborts, then resolves. A second call is logged and ignored. */
  run(signal: AbortSignal): Promise<void>;
  /** Reports whether one full list is in the cache and was passed to the handlers. Unrelated to resyncs. */
  hasSynced(): boolean;
  /** Returns the resource version of the cache; empty before the first list. */
  lastSyncResourceVersion(): string;
  /** Sets the handler of failed lists and watches, replacing the previous one. Throws once the informer has started. */
  setWatchErrorHandler(handler: WatchErrorHandler): void;
  /** Transforms every object before it is stored; return a changed copy. Throws once the informer has started. */
  setTransform(transform: (object: T) => T): void;
  isStopped(): boolean;
  /** Drover's informer behind this one, for sources, listers and own writes; reads return nothing before `run`. */
  readonly view: InformerView<T>;
  /** Kind of the informer, if it was created for one. */
  readonly kind: Kind<T> | undefined;
  /** Objects of the kind that it caches. */
  readonly request: InformerRequest<T>;
  /** Default resync period of handlers in milliseconds; 0 means never. */
  readonly resyncPeriodMs: number;
  /** Status of that informer, one entry per namespace if several were requested; empty before `run`. */
  states(): readonly InformerState[];
}

/** A shared informer with indexes. */
export interface SharedIndexInformer<T extends KubeObject> extends SharedInformer<T> {
  /** Adds indexes, before or after the start. Throws if a name is taken or the informer has stopped. */
  addIndexers(indexers: Indexers<T>): void;
  getIndexer(): ReadonlyIndexer<DeepReadonly<T>>;
}
