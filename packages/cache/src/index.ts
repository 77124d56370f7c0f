/** From a watch stream to an indexed store and its handlers. What stands here is a promise; the rest is ours to change. */

// One version of one object, read or still bytes
export type { ObjectVersion } from "./object-version.ts";
export { versionOf } from "./parsed-version.ts";
export { PoisonObjectError } from "./poison-object-error.ts";
export type { PoisonObjectErrorOptions } from "./poison-object-error.ts";

// Where versions come from
export { listWatcher } from "./late-list-watcher.ts";
export type { ListWatcherOptions, ListWatcherSettings } from "./late-list-watcher.ts";
export type { AfterLook } from "./late-version.ts";
export type { PoisonReport, SourceCall, VersionEvent, VersionPage, VersionSource } from "./version-source.ts";
export { listWatchFromClient, versionsFrom } from "./list-watcher.ts";
export type { ListerWatcher, ListWatchOptions } from "./list-watcher.ts";

// List, watch, and list again when the watch cannot be resumed
export { createReflector } from "./reflector.ts";
export type { Reflector, ReflectorOptions } from "./reflector.ts";
export { WatchProtocolError } from "./reflector-failure.ts";
export type { ReflectorSink } from "./reflector-sink.ts";
export type { ReflectorStatus } from "./reflector-status.ts";
export { WatchListIncompleteError } from "./watch-list.ts";
export { createWatchListMemory } from "./watch-list-memory.ts";
export type { WatchListMemory } from "./watch-list-memory.ts";

// A copy of one collection, kept up to date
export { createInformer } from "./informer.ts";
export type { Informer, InformerOptions, InformerState, InformerView } from "./informer.ts";
export type { Added, Change, Deleted, Updated } from "./change.ts";
export type { ChangeHandler, HandlerOptions, HandlerRegistration, HandlerState } from "./handler-runner.ts";
export type { InformerReader } from "./informer-reader.ts";
export type { ListFilter } from "./list-filter.ts";
export { createLister } from "./lister.ts";
export type { ListedCache, Lister, NamespaceLister } from "./lister.ts";
export type { IndexFunction, Indexers } from "./store-index.ts";
export type { Transform } from "./transformed-version.ts";
export type { AuditOptions } from "./audit.ts";

// Informers that are shared, and reads that show one's own writes
export { createInformerFactory } from "./informer-factory.ts";
export type { InformerFactory, InformerFactoryOptions, InformerLease, InformerRequest, SourceRequest } from "./informer-factory.ts";
export { NotSyncedError, unsyncedReason } from "./not-synced-error.ts";
export type { Unsynced } from "./not-synced-error.ts";
export { createReadYourWrites } from "./read-your-writes.ts";
export type { ConfirmedWrite, OwnWritesReader, OwnWritesReaderOptions, ReadYourWrites, ReadYourWritesOptions } from "./read-your-writes.ts";

// Small parts of waiting that controllers need as well
export { Latch } from "./latch.ts";
export { TurnKeeper } from "./turn-keeper.ts";

// tools/cache as the documents name it
export { waitForCacheSync } from "./classic/cache-sync.ts";
export type { CacheSyncOptions, Syncing } from "./classic/cache-sync.ts";
export { newController } from "./classic/controller.ts";
export type { Config, Controller } from "./classic/controller.ts";
export { DeletedFinalStateUnknown, lastKnownState } from "./classic/deleted-final-state-unknown.ts";
export { newest, oldest } from "./classic/delta.ts";
export type { Delta, Deltas, DeltaType } from "./classic/delta.ts";
export { DeltaFIFO, newDeltaFIFO } from "./classic/delta-fifo.ts";
export type { DeltaFIFOOptions } from "./classic/delta-fifo.ts";
export { ExpirationCache, newTTLStore, ttlPolicy } from "./classic/expiration-cache.ts";
export type { ExpirationCacheOptions, ExpirationPolicy, TimestampedEntry } from "./classic/expiration-cache.ts";
export { FIFO, newFIFO } from "./classic/fifo.ts";
export { newGenericLister } from "./classic/generic-lister.ts";
export { indexFuncToKeyFuncAdapter, metaNamespaceIndexFunc, newIndexer, newStore } from "./classic/indexer.ts";
export type { Indexer } from "./classic/indexer.ts";
export { newIndexerInformer, newInformer } from "./classic/informer.ts";
export type { ClassicInformerOptions } from "./classic/informer.ts";
export { deletionHandlingMetaNamespaceKeyFunc, ExplicitKey, KeyError, metaNamespaceKeyFunc } from "./classic/key-func.ts";
export type { KeyFunc } from "./classic/key-func.ts";
export { ErrRequeue, FifoClosedError } from "./classic/queue.ts";
export type { PopOptions, PopProcessFunc, Queue } from "./classic/queue.ts";
export { filteringResourceEventHandler, resourceEventHandlerFuncs } from "./classic/resource-event-handler.ts";
export type {
  DeletedObject,
  FilteringOptions,
  ResourceEventHandler,
  ResourceEventHandlerDetailedFuncs,
  ResourceEventHandlerFuncs,
} from "./classic/resource-event-handler.ts";
export { newSharedIndexInformer, newSharedInformer } from "./classic/shared-index-informer.ts";
export type { SharedIndexInformerOptions } from "./classic/shared-index-informer.ts";
export type {
  ReadonlyIndexer,
  ReadonlyStore,
  ResourceEventHandlerRegistration,
  SharedIndexInformer,
  SharedInformer,
} from "./classic/shared-informer.ts";
export { ProcessorListener } from "./classic/processor-listener.ts";
export type { Notification, ProcessorListenerOptions } from "./classic/processor-listener.ts";
export { SharedProcessor } from "./classic/shared-processor.ts";
export { newNamedReflector, newReflector } from "./classic/store-reflector.ts";
export type { StoreReflector, StoreReflectorOptions } from "./classic/store-reflector.ts";
export type { ExpectedType } from "./classic/store-sink.ts";
export type { KeyGetter, KeyLister, KeyListerGetter, Store } from "./classic/store.ts";
export { newThreadSafeStore, ThreadSafeStore } from "./classic/thread-safe-store.ts";
