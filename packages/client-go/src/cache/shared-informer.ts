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

/** One handler's place in an informer. */
export interface ResourceEventHandlerRegistration {
  /** Whether the informer has synced and this handler has returned from every object of the first list. Start workers after this. */
  hasSynced(): boolean;
}

export interface SharedInformer<T extends KubeObject> {
  /**
   * Adds a handler, before or after the start; one that is added late gets every cached object as an addition. Handlers
   * do not wait for each other, and each is called once for a change, also when it throws. Throws when the informer has stopped.
   */
  addEventHandler(handler: ResourceEventHandler<T>): ResourceEventHandlerRegistration;
  /**
   * The same, with a resync period in milliseconds; 0 is none. A resync repeats every cached object as an update,
   * spread over the period and never more often than asked for.
   */
  addEventHandlerWithResyncPeriod(handler: ResourceEventHandler<T>, resyncPeriodMs: number): ResourceEventHandlerRegistration;
  /** Removes a handler and drops what waits for it. Does nothing for a registration that is not of this informer. */
  removeEventHandler(registration: ResourceEventHandlerRegistration): void;
  /** The cache. It is read-only: its methods that write throw. */
  getStore(): ReadonlyStore<DeepReadonly<T>>;
  /** Runs and reports as the informer itself does; the documents call it deprecated. */
  getController(): Controller;
  /** Lists, watches, stores and notifies until the signal is aborted, then resolves. A second call is logged and does nothing. */
  run(signal: AbortSignal): Promise<void>;
  /** Whether one whole list is in the cache and has been passed to the handlers. Unrelated to resyncs. */
  hasSynced(): boolean;
  /** Empty before the first list. */
  lastSyncResourceVersion(): string;
  /** Sets the one handler of failures; the last one set counts. Throws once the informer runs. */
  setWatchErrorHandler(handler: WatchErrorHandler): void;
  /** Changes every object before it is stored; return a changed copy. Throws once the informer runs. */
  setTransform(transform: (object: T) => T): void;
  isStopped(): boolean;
  /** Drover's informer behind this one, for sources, listers and own writes; reads are empty before `run`. */
  readonly view: InformerView<T>;
  /** What the informer holds, where it was made for a kind. */
  readonly kind: Kind<T> | undefined;
  /** Which objects of the kind it holds. */
  readonly request: InformerRequest<T>;
  /** Resync period of handlers that ask for none of their own, in milliseconds; 0 is never. */
  readonly resyncPeriodMs: number;
  /** The state of that informer; empty before `run`, one for each namespace where several were asked for. */
  states(): readonly InformerState[];
}

export interface SharedIndexInformer<T extends KubeObject> extends SharedInformer<T> {
  /** Adds indexes, before or after the start. Throws when a name is taken, or when the informer has stopped. */
  addIndexers(indexers: Indexers<T>): void;
  getIndexer(): ReadonlyIndexer<DeepReadonly<T>>;
}
