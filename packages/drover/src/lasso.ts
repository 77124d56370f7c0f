/**
 * The door for people who know Lasso: its factories, caches, controllers and handlers under their names, made of the
 * same parts as the rest of
 * the house. `New` is the one of Lasso's package controller.
 */
export {
  ErrIgnore,
  HandlerTransaction,
  isIgnored,
  isNamespaced,
  New,
  newCache,
  newDefaultRateLimiter,
  newDeferredListerWatcher,
  newHandlerTransaction,
  newRetryMapper,
  newSharedCachedFactory,
  newSharedCacheFactory,
  newSharedClientFactory,
  newSharedClientFactoryForConfig,
  newSharedClientFactoryWithAgent,
  newSharedClientFactoryWithImpersonation,
  newSharedControllerFactory,
  newSharedControllerFactoryFromConfig,
  newSharedControllerFactoryWithAgent,
  newSharedControllerWithAgent,
  RetryAfterError,
  SharedHandler,
} from "@drover/controller";
export type {
  CacheSettings,
  ClientConfig,
  EnqueueReason,
  HandlerContext,
  KindValues,
  LassoController,
  LassoControllerOptions,
  LassoHandler,
  ListerWatcherOptions,
  Mapper,
  NewCacheOptions,
  RateLimiterFactory,
  ResourceOfKind,
  RetryMapperOptions,
  Seen,
  SharedCacheFactory,
  SharedCacheFactoryOptions,
  SharedClientFactory,
  SharedClientFactoryOptions,
  SharedController,
  SharedControllerFactory,
  SharedControllerFactoryOptions,
  SharedControllerHandler,
  SharedHandlerOptions,
  SyncWaitOptions,
} from "@drover/controller";
export { newClient } from "@drover/client";
export type { VerbClient } from "@drover/client";
