/**
 * The door for people who know client-go: tools/cache and util/workqueue under their names. The forms the rest of the house uses, which
 * share their parts, stand behind `drover`.
 */

// tools/cache
export {
  DeletedFinalStateUnknown, deletionHandlingMetaNamespaceKeyFunc, DeltaFIFO, ErrRequeue, ExpirationCache, ExplicitKey, FIFO, FifoClosedError,
  filteringResourceEventHandler, indexFuncToKeyFuncAdapter, KeyError, lastKnownState, metaNamespaceIndexFunc, metaNamespaceKeyFunc, newController,
  newDeltaFIFO, newest, newFIFO, newGenericLister, newIndexer, newIndexerInformer, newInformer, newNamedReflector, newReflector, newSharedIndexInformer,
  newSharedInformer, newStore, newThreadSafeStore, newTTLStore, oldest, ProcessorListener, resourceEventHandlerFuncs, SharedProcessor, ThreadSafeStore,
  ttlPolicy, waitForCacheSync,
} from "@drover/cache";
export type {
  CacheSyncOptions, ClassicInformerOptions, Config, Controller, DeletedObject, Delta, DeltaFIFOOptions, Deltas, DeltaType, ExpectedType,
  ExpirationCacheOptions, ExpirationPolicy, FilteringOptions, Indexer, KeyFunc, KeyGetter, KeyLister, KeyListerGetter, Notification, PopOptions,
  PopProcessFunc, ProcessorListenerOptions, Queue, ReadonlyIndexer, ReadonlyStore, ResourceEventHandler, ResourceEventHandlerDetailedFuncs,
  ResourceEventHandlerFuncs, ResourceEventHandlerRegistration, SharedIndexInformer, SharedIndexInformerOptions, SharedInformer, Store, StoreReflector,
  StoreReflectorOptions, Syncing, TimestampedEntry,
} from "@drover/cache";

// util/workqueue
export {
  bucketRateLimiter, defaultControllerRateLimiter, defaultItemBasedRateLimiter, itemExponentialFailureRateLimiter, itemFastSlowRateLimiter, maxOfRateLimiter,
  newDelayingQueue, newNamedRateLimitingQueue, newQueue, newRateLimitingQueue, parallelizeUntil, withMaxWaitRateLimiter,
} from "@drover/workqueue";
export type {
  ClassicQueueOptions, DelayingInterface, DelayingQueueOptions, Interface, ItemExponentialFailureOptions, ParallelizeOptions, QueueOrder, RateLimiter,
  RateLimitingInterface, RateLimitingQueueOptions,
} from "@drover/workqueue";
