/** Lasso under its Go names: client, cache and controller factories on Drover's own informers and controllers. */
export { newClient } from "./client/new-client.ts";
export type { Client } from "./client/new-client.ts";
export {
  newSharedClientFactory,
  newSharedClientFactoryForConfig,
  newSharedClientFactoryWithAgent,
  newSharedClientFactoryWithImpersonation,
} from "./shared-client-factory.ts";
export type { ClientConfig, ResourceOfKind, SharedClientFactory, SharedClientFactoryOptions } from "./shared-client-factory.ts";
export { isNamespaced } from "./is-namespaced.ts";
export { newRetryMapper } from "./retry-mapper.ts";
export type { Mapper, RetryMapperOptions } from "./retry-mapper.ts";
export { deferredCache } from "./deferred-cache.ts";
export { newCache } from "./new-cache.ts";
export type { CacheSettings, NewCacheOptions } from "./new-cache.ts";
export { newDeferredListerWatcher } from "./deferred-lister-watcher.ts";
export type { ListerWatcherOptions } from "./deferred-lister-watcher.ts";
export { newSharedCacheFactory, newSharedCachedFactory } from "./shared-cache-factory.ts";
export type { SharedCacheFactory, SharedCacheFactoryOptions, SyncWaitOptions } from "./shared-cache-factory.ts";
export { createLassoController as New } from "./lasso-controller.ts";
export type { EnqueueReason, LassoController, LassoControllerOptions, LassoHandler } from "./lasso-controller.ts";
export { newSharedControllerFactory, newSharedControllerFactoryFromConfig } from "./shared-controller-factory.ts";
export type { SharedControllerFactory, SharedControllerFactoryOptions } from "./shared-controller-factory.ts";
export { newSharedControllerFactoryWithAgent, newSharedControllerWithAgent } from "./agented-controllers.ts";
export type { SharedController } from "./shared-controller.ts";
export { SharedHandler } from "./shared-handler.ts";
export type { HandlerContext, Seen, SharedControllerHandler, SharedHandlerOptions } from "./shared-handler.ts";
export { ErrIgnore, isIgnored } from "./err-ignore.ts";
export { isRetryAfterError, RetryAfterError } from "./retry-after-error.ts";
export { HandlerTransaction, newHandlerTransaction } from "./handler-transaction.ts";
export { newDefaultRateLimiter } from "./default-rate-limiter.ts";
export type { RateLimiterFactory } from "./default-rate-limiter.ts";
export type { KindValues } from "./kind-values.ts";
