/**
 * One controller per resource for all users.
 *
 *     Cluster → SharedClientFactory → SharedCacheFactory → SharedControllerFactory → SharedController
 *
 *     const factory = newSharedControllerFactoryFromConfig({ cluster });
 *     factory.forObject(ConfigMap).registerHandler(signal, "recycle", (key, object, { client }) => …);
 *     await factory.run(signal);
 */
import { definedOnly, printGroupVersionKind, printGroupVersionResource } from "@drover/machinery";
import type { GroupVersionKind, GroupVersionResource, Kind, KubeObject, ObjectKey, WaitOptions } from "@drover/machinery";
import type { RateLimiter } from "@drover/workqueue";
import type { PermissionNeed, Runnable } from "@drover/controller";
import type { RateLimiterFactory } from "./default-rate-limiter.ts";
import { newDefaultRateLimiter } from "./default-rate-limiter.ts";
import { valueByKind } from "./kind-values.ts";
import type { KindValues } from "./kind-values.ts";
import { createLassoController } from "./lasso-controller.ts";
import type { LassoControllerOptions } from "./lasso-controller.ts";
import { DeferredController } from "./shared-controller.ts";
import type { SharedController } from "./shared-controller.ts";
import { newSharedCacheFactory } from "./shared-cache-factory.ts";
import type { SharedCacheFactory, SharedCacheFactoryOptions } from "./shared-cache-factory.ts";
import { newSharedClientFactoryForConfig } from "./shared-client-factory.ts";
import type { ClientConfig } from "./shared-client-factory.ts";
import { SharedHandler } from "./shared-handler.ts";

/** Options of `newSharedControllerFactory`. */
export interface SharedControllerFactoryOptions extends Omit<LassoControllerOptions, "cluster" | "rateLimiter"> {
  /**
   * Options of the cache factory that `newSharedControllerFactoryFromConfig` creates; `newSharedControllerFactory` throws if they are set.
   * @default the defaults of the cache factory
   */
  readonly cacheOptions?: SharedCacheFactoryOptions;
  /** Creates the rate limiter of each kind. @default 5 ms doubling to 30 s, two minutes from the 31st failure */
  readonly defaultRateLimiter?: RateLimiterFactory;
  /** Rate limiters per kind. @default none */
  readonly kindRateLimiter?: KindValues<RateLimiterFactory>;
  /** Number of concurrent keys per kind, if neither `kindWorkers` nor `start` sets it. @default 5 */
  readonly defaultWorkers?: number;
  /** Number of concurrent keys, per kind. @default none */
  readonly kindWorkers?: KindValues<number>;
  /** Name of the cluster in metrics. @default "" */
  readonly contextId?: string;
}

/** Guarantees: at most one controller per resource; methods that return no promise send no request. */
export interface SharedControllerFactory extends Pick<Runnable, "name" | "needs" | "run"> {
  /** Returns the controller of a kind descriptor. */
  forObject<T extends KubeObject>(kind: Kind<T>): SharedController<T>;
  /** Returns the controller of a kind; asks the server for its resource. */
  forKind(kind: GroupVersionKind, options?: WaitOptions): Promise<SharedController>;
  /** Returns the controller of a resource; asks the server for its kind. */
  forResource(resource: GroupVersionResource, namespaced: boolean, options?: WaitOptions): Promise<SharedController>;
  /**
   * Returns the controller of a resource and kind, without asking the server. Throws if the resource already has a controller of another
   * kind.
   */
  forResourceKind(resource: GroupVersionResource, kind: string, namespaced: boolean): SharedController;
  readonly sharedCacheFactory: SharedCacheFactory;
  /**
   * Starts all caches, waits until they have synced, and starts the controllers in the order of their creation. Rejects with the signal's
   * reason or a `NotSyncedError`; then no worker has started, and it may be called again. Further calls start what was added since.
   * @param workers for kinds without their own number @default the factory's `defaultWorkers`
   */
  start(signal: AbortSignal, workers?: number): Promise<void>;
  /** Resolves when everything that was started has ended. */
  ended(): Promise<void>;
  /** Calls `start`, then `ended`, so that a manager can run the factory. */
  run(signal: AbortSignal): Promise<void>;
  /** Permissions of its caches; those of handlers must be declared separately. */
  readonly needs: readonly PermissionNeed[];
}

/** Returns a factory of controllers over a cache factory. Throws a TypeError if `cacheOptions` is set. */
export function newSharedControllerFactory(
  cacheFactory: SharedCacheFactory,
  options: SharedControllerFactoryOptions = {},
): SharedControllerFactory {
  if (options.cacheOptions !== undefined)
    throw new TypeError(
      "cacheOptions cannot apply to an existing cache factory; pass them to newSharedCacheFactory, or use newSharedControllerFactoryFromConfig",
    );
  return new ResourceControllers(cacheFactory, options);
}

/** Returns a factory of controllers with its own factories of caches and clients. */
export function newSharedControllerFactoryFromConfig(
  config: ClientConfig,
  { cacheOptions = {}, ...options }: SharedControllerFactoryOptions = {},
): SharedControllerFactory {
  const { contextId } = options;
  const caches = newSharedCacheFactory(newSharedClientFactoryForConfig(config), { ...definedOnly({ contextId }), ...cacheOptions });
  return newSharedControllerFactory(caches, options);
}

class ResourceControllers implements SharedControllerFactory {
  readonly name: string;
  readonly sharedCacheFactory: SharedCacheFactory;
  readonly #options: SharedControllerFactoryOptions;
  readonly #limiterOf: (kind: GroupVersionKind) => RateLimiterFactory | undefined;
  readonly #workersOf: (kind: GroupVersionKind) => number | undefined;
  readonly #controllers = new Map<string, DeferredController<KubeObject>>();
  readonly #limiters = new Set<RateLimiter<ObjectKey>>();

  constructor(cacheFactory: SharedCacheFactory, options: SharedControllerFactoryOptions) {
    this.name = options.contextId === undefined ? "lasso" : `lasso ${options.contextId}`;
    this.sharedCacheFactory = cacheFactory;
    this.#options = options;
    this.#limiterOf = valueByKind("kindRateLimiter", options.kindRateLimiter);
    this.#workersOf = valueByKind("kindWorkers", options.kindWorkers);
  }

  get needs(): readonly PermissionNeed[] {
    return this.sharedCacheFactory.needs;
  }

  forObject<T extends KubeObject>({ group, version, plural, kind, scope }: Kind<T>): SharedController<T> {
    // The descriptor determines the type of the objects.
    return this.forResourceKind({ group, version, resource: plural }, kind, scope === "Namespaced") as unknown as SharedController<T>;
  }

  async forKind(kind: GroupVersionKind, options: WaitOptions = {}): Promise<SharedController> {
    const { resource, namespaced } = await this.sharedCacheFactory.sharedClientFactory.resourceForGVK(kind, options);
    return this.forResourceKind(resource, kind.kind, namespaced);
  }

  async forResource(resource: GroupVersionResource, namespaced: boolean, options: WaitOptions = {}): Promise<SharedController> {
    const { kind } = await this.sharedCacheFactory.sharedClientFactory.gvkForResource(resource, options);
    return this.forResourceKind(resource, kind, namespaced);
  }

  forResourceKind(resource: GroupVersionResource, kindName: string, namespaced: boolean): SharedController {
    const name = printGroupVersionResource(resource);
    const kind = { group: resource.group, version: resource.version, kind: kindName };
    const known = this.#controllers.get(name);
    if (known !== undefined && known.kind.kind !== kindName)
      throw new TypeError(`the controller of ${name} already has the kind ${known.kind.kind}, not ${kindName}`);
    const controller = known ?? this.#make(name, kind, resource, namespaced);
    this.#controllers.set(name, controller);
    return controller;
  }

  async start(signal: AbortSignal, workers = 0): Promise<void> {
    const { syncTimeoutMs } = this.#options;
    const controllers = [...this.#controllers.values()];
    this.sharedCacheFactory.start(signal);
    await this.sharedCacheFactory.waitForCacheSync(signal, definedOnly({ timeoutMs: syncTimeoutMs }));
    for (const controller of controllers) await controller.start(signal, workers);
  }

  async ended(): Promise<void> {
    await Promise.all(Array.from(this.#controllers.values(), (controller) => controller.ended()));
    await this.sharedCacheFactory.ended();
  }

  async run(signal: AbortSignal): Promise<void> {
    try {
      await this.start(signal);
    } catch (error) {
      if (!signal.aborted) throw error;
    }
    await this.ended();
  }

  #make(name: string, kind: GroupVersionKind, resource: GroupVersionResource, namespaced: boolean): DeferredController<KubeObject> {
    const {
      cacheOptions: _caches,
      defaultRateLimiter = newDefaultRateLimiter,
      kindRateLimiter: _limiters,
      defaultWorkers = 5,
      kindWorkers: _workers,
      contextId = "",
      ...options
    } = this.#options;
    const { sharedCacheFactory: caches } = this;
    const { cluster } = caches.sharedClientFactory;
    const handler = new SharedHandler({ runtime: cluster.runtime, controllerName: name, contextId });
    const startCache = async (signal: AbortSignal): Promise<void> => {
      caches.startGVK(signal, kind);
      await caches.waitForCacheSync(signal, definedOnly({ timeoutMs: options.syncTimeoutMs }), kind);
    };
    return new DeferredController({
      resource,
      kind,
      handler,
      client: caches.sharedClientFactory.forResourceKind<KubeObject>(resource, kind.kind, namespaced),
      workersFor: (asked) => this.#workersOf(kind) ?? (asked > 0 ? asked : defaultWorkers),
      make: () =>
        createLassoController(
          name,
          caches.forResourceKind(resource, kind.kind, namespaced),
          startCache,
          (key, object, context) => handler.onChange(key, object, context),
          {
            ...options,
            cluster,
            rateLimiter: this.#ownLimiter(kind, this.#limiterOf(kind) ?? defaultRateLimiter),
          },
        ),
    });
  }

  /**
   * Creates the rate limiter of a kind and rejects a shared one: keys of two kinds may be equal, and their failures would be counted
   * together.
   */
  #ownLimiter(kind: GroupVersionKind, make: RateLimiterFactory): RateLimiter<ObjectKey> {
    const limiter = make();
    if (this.#limiters.has(limiter))
      throw new TypeError(
        `the rate limiter of ${printGroupVersionKind(kind)} is already used for another kind; create a new one in each call of the factory`,
      );
    this.#limiters.add(limiter);
    return limiter;
  }
}
