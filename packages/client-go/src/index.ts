/** client-go under its Go names: adapters over Drover's client, cache and workqueue. Function names start in lower case. */

// tools/cache
export { listWatchFromClient } from "@drover/cache";
export type { IndexFunction as IndexFunc, Indexers, ListerWatcher, ListWatchOptions } from "@drover/cache";
export { waitForCacheSync } from "./cache/cache-sync.ts";
export type { CacheSyncOptions, Syncing } from "./cache/cache-sync.ts";
export { newController } from "./cache/controller.ts";
export type { Config, Controller } from "./cache/controller.ts";
export { DeletedFinalStateUnknown, lastKnownState } from "./cache/deleted-final-state-unknown.ts";
export { newest, oldest } from "./cache/delta.ts";
export type { Delta, Deltas, DeltaType } from "./cache/delta.ts";
export { DeltaFIFO, newDeltaFIFO } from "./cache/delta-fifo.ts";
export type { DeltaFIFOOptions } from "./cache/delta-fifo.ts";
export { ExpirationCache, newTTLStore, ttlPolicy } from "./cache/expiration-cache.ts";
export type { ExpirationCacheOptions, ExpirationPolicy, TimestampedEntry } from "./cache/expiration-cache.ts";
export { FIFO, newFIFO } from "./cache/fifo.ts";
export { Heap, newHeap } from "./cache/heap.ts";
export { ListWatch } from "./cache/list-watch.ts";
export type { Lister, ListWatchFuncs, Watcher } from "./cache/list-watch.ts";
export { newGenericLister } from "./cache/generic-lister.ts";
export { indexFuncToKeyFuncAdapter, metaNamespaceIndexFunc, newIndexer, newStore } from "./cache/indexer.ts";
export type { Indexer } from "./cache/indexer.ts";
export { newIndexerInformer, newInformer } from "./cache/informer.ts";
export type { ClassicInformerOptions } from "./cache/informer.ts";
export {
  deletionHandlingMetaNamespaceKeyFunc,
  ExplicitKey,
  isKeyError,
  KeyError,
  metaNamespaceKeyFunc,
  splitMetaNamespaceKey,
} from "./cache/key-func.ts";
export type { KeyFunc } from "./cache/key-func.ts";
export { ErrRequeue, FifoClosedError, isErrRequeue, isFifoClosedError } from "./cache/queue.ts";
export type { PopOptions, PopProcessFunc, Queue } from "./cache/queue.ts";
export { filteringResourceEventHandler, resourceEventHandlerFuncs } from "./cache/resource-event-handler.ts";
export type {
  DeletedObject,
  FilteringOptions,
  ResourceEventHandler,
  ResourceEventHandlerDetailedFuncs,
  ResourceEventHandlerFuncs,
} from "./cache/resource-event-handler.ts";
export { clusterIndexInformer, newSharedIndexInformer, newSharedInformer } from "./cache/shared-index-informer.ts";
export type { ClusterIndexInformerOptions, SharedIndexInformerOptions } from "./cache/shared-index-informer.ts";
export type {
  ReadonlyIndexer,
  ReadonlyStore,
  ResourceEventHandlerRegistration,
  SharedIndexInformer,
  SharedInformer,
} from "./cache/shared-informer.ts";
export { ProcessorListener } from "./cache/processor-listener.ts";
export { SharedProcessor } from "./cache/shared-processor.ts";
export { newNamedReflector, newReflector } from "./cache/reflector.ts";
export type { NamedReflectorOptions, Reflector } from "./cache/reflector.ts";
export type { ExpectedType } from "./cache/expected-type.ts";
export type { FailedReflector, WatchErrorHandler } from "./cache/watch-error-handler.ts";
export type { KeyGetter, KeyLister, KeyListerGetter, Store } from "./cache/store.ts";
export { newUndeltaStore } from "./cache/undelta-store.ts";
export { newThreadSafeStore, ThreadSafeStore } from "./cache/thread-safe-store.ts";

// util/workqueue
export { newQueue } from "./workqueue/classic-queue.ts";
export type { ClassicQueueOptions, Interface } from "./workqueue/classic-queue.ts";
export type { QueueOrder } from "./workqueue/classic-queue-state.ts";
export { newDelayingQueue } from "./workqueue/delaying-queue.ts";
export type { DelayingInterface, DelayingQueueOptions } from "./workqueue/delaying-queue.ts";
export { newNamedRateLimitingQueue, newRateLimitingQueue } from "./workqueue/rate-limiting-queue.ts";
export type { RateLimitingInterface, RateLimitingQueueOptions } from "./workqueue/rate-limiting-queue.ts";
export { processNextWorkItem } from "./workqueue/process-next-work-item.ts";
export type { ProcessOptions, SyncHandler } from "./workqueue/process-next-work-item.ts";
export { parallelizeUntil } from "./workqueue/parallelize-until.ts";
export type { ParallelizeOptions } from "./workqueue/parallelize-until.ts";
export {
  bucketRateLimiter,
  defaultControllerRateLimiter,
  defaultItemBasedRateLimiter,
  itemExponentialFailureRateLimiter,
  itemFastSlowRateLimiter,
  maxOfRateLimiter,
  withMaxWaitRateLimiter,
} from "@drover/workqueue";
export type { ItemExponentialFailureOptions, RateLimiter } from "@drover/workqueue";

// rest and the options of requests
export { encodeGetOptions, encodeListOptions, encodeWriteOptions } from "@drover/machinery";
export type { CreateOptions, DeleteOptions, GetOptions, ListOptions, PatchOptions, UpdateOptions } from "@drover/machinery";
export { inClusterConfig, restClientFor, restConfigOf } from "./rest/rest-client-for.ts";
export type { RestConfig } from "./rest/rest-config.ts";
export type { ClientGoPlace } from "./rest/place.ts";
export type { RequestBody } from "./rest/request-body.ts";
export type {
  BackOffManager,
  RateLimiter as FlowControlRateLimiter,
  RequestSender,
  SendOptions,
  SendSettings,
  SendableRequest,
  WatchSendOptions,
} from "./rest/request-sender.ts";
export { isRequestError, RequestError, RestRequest, verb } from "./rest/request.ts";
export type { ParameterCodec, RequestOrigin } from "./rest/request.ts";
export { RestClient } from "./rest/rest-client.ts";
export type { RestClientOptions } from "./rest/rest-client.ts";
export { Result as RestResult } from "./rest/result.ts";
export { tokenBucketRateLimiter } from "./rest/token-bucket-rate-limiter.ts";
export type { TokenBucketRateLimiterOptions } from "./rest/token-bucket-rate-limiter.ts";
export { urlBackoff } from "./rest/url-backoff.ts";
export type { UrlBackoffOptions } from "./rest/url-backoff.ts";
export { pageSource } from "./rest/page-source.ts";

// discovery
export { newDiscoveryClient } from "./discovery/discovery-client.ts";
export type { DiscoveryInterface } from "./discovery/discovery-client.ts";

// clientcmd
export {
  buildConfigFromFlags,
  loadFromFile,
  newClientConfigFromBytes,
  newDefaultClientConfig,
  newDefaultClientConfigLoadingRules,
  newNonInteractiveDeferredLoadingClientConfig,
  restConfigFromKubeConfig,
} from "./clientcmd/client-config.ts";
export type { ClientConfig, ClientConfigLoadingRules, ConfigPlace } from "./clientcmd/client-config.ts";

// kubernetes and informers
export { newClientset, newForConfig } from "./kubernetes/clientset.ts";
export type { Clientset, ClusterOwner, GroupVersionInterface, ResourceGetter, ResourceInterface } from "./kubernetes/clientset.ts";
export { newFilteredSharedInformerFactory, newSharedInformerFactory } from "./informers/shared-informer-factory.ts";
export type {
  InformerGroups,
  ResourceInformer,
  ResourceLister,
  SharedInformerFactory,
  SharedInformerFactoryOptions,
} from "./informers/shared-informer-factory.ts";

// apimachinery: watch, runtime, metav1
export { watchInterface } from "./watch/watch-interface.ts";
export type { WatchInterface } from "./watch/watch-interface.ts";
export { newScheme, Scheme } from "./runtime/scheme.ts";
export type { ConversionFunc, DefaultingFunc } from "./runtime/scheme.ts";
export { accessor } from "@drover/machinery";
export type { KubeList, KubeObject, ListMeta, ObjectMeta, RawExtension, TypeMeta, WatchEvent } from "@drover/machinery";
