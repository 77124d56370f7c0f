/** What the documents call SharedInformer and SharedIndexInformer: one list and one watch for any number of handlers. */
import type { DeepReadonly, KubeObject } from "@drover/machinery";
import type { Controller } from "./controller.ts";
import type { Indexers } from "../store-index.ts";
import type { Indexer } from "./indexer.ts";
import type { ResourceEventHandler } from "./resource-event-handler.ts";
import type { Store } from "./store.ts";

/** A store to be looked at: its methods that would change it are not there. */
export type ReadonlyStore<T> = Pick<Store<T>, "get" | "getByKey" | "list" | "listKeys">;

/** An indexer to be looked at. */
export type ReadonlyIndexer<T> = ReadonlyStore<T> &
  Pick<Indexer<T>, "index" | "indexKeys" | "listIndexFuncValues" | "byIndex" | "getIndexers">;

/** One handler's place in an informer. */
export interface ResourceEventHandlerRegistration {
  /** Whether the informer has synced and this handler has dealt with all of the first list. Start workers after this, not before. */
  hasSynced(): boolean;
}

export interface SharedInformer<T extends KubeObject> {
  /**
   * Adds a handler, before or after the start; one that comes late is told of what is there as added. Handlers do not wait for each other.
   * Throws when the informer is over.
   */
  addEventHandler(handler: ResourceEventHandler<T>): ResourceEventHandlerRegistration;
  /**
   * The same, with a resync period of its own; 0 is none. It is never told more often than it asked for, and may be told less often: an
   * informer that runs keeps the period in which it looks who is due.
   */
  addEventHandlerWithResyncPeriod(handler: ResourceEventHandler<T>, resyncPeriodMs: number): ResourceEventHandlerRegistration;
  /** Removes a handler; what waits for it is dropped. Removing twice, or what another informer gave, does nothing. */
  removeEventHandler(registration: ResourceEventHandlerRegistration): void;
  /** The cache, to be looked at. */
  getStore(): ReadonlyStore<DeepReadonly<T>>;
  /** What runs inside; kept because the documents name it. */
  getController(): Controller;
  /** Lists, watches, stores and tells until the signal is aborted, then resolves. A second call is logged and does nothing. */
  run(signal: AbortSignal): Promise<void>;
  /** Whether one whole list is in the cache and has been handed to the handlers. Says nothing about resyncs. */
  hasSynced(): boolean;
  /** "" before the first list. */
  lastSyncResourceVersion(): string;
  /** Is told every failure of a list or a watch, which is then tried again in any case. The last one set counts. Throws once it runs. */
  setWatchErrorHandler(handler: (error: unknown) => void): void;
  /** Changes every object before it is stored. Throws once it runs. */
  setTransform(transform: (object: T) => T): void;
  isStopped(): boolean;
}

export interface SharedIndexInformer<T extends KubeObject> extends SharedInformer<T> {
  /** Adds indexes, before or after the start. Throws when a name is taken, or when the informer is over. */
  addIndexers(indexers: Indexers<T>): void;
  getIndexer(): ReadonlyIndexer<DeepReadonly<T>>;
}
