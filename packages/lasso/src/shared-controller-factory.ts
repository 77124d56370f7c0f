/**
 * One controller for each resource, however many ask.
 *
 *     Cluster → SharedClientFactory → SharedCacheFactory → SharedControllerFactory → SharedController
 *
 *     const factory = newSharedControllerFactoryFromConfig({ cluster });
 *     factory.forObject(ConfigMap).registerHandler(signal, "recycle", (key, object, { client }) => …);
 *     await factory.run(signal);
 */
import { printGroupVersionKind, printGroupVersionResource } from "@drover/machinery";
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

export interface SharedControllerFactoryOptions extends Omit<LassoControllerOptions, "cluster" | "rateLimiter"> {
  /**
   * For a cache factory that is made on the way. With one that is handed in they could not be honoured, so then they
   * throw. @default the caches' own defaults
   */
  readonly cacheOptions?: SharedCacheFactoryOptions;
  /** Makes the rate limiter of each kind. @default 5 ms doubling to 30 s, and two minutes from the 31st failure on */
  readonly defaultRateLimiter?: RateLimiterFactory;
  /** Kinds with rate limiters of their own. @default none */
  readonly kindRateLimiter?: KindValues<RateLimiterFactory>;
  /** How many keys of a kind are worked on at a time, where neither the kind nor the start says. @default 5 */
  readonly defaultWorkers?: number;
  /** Kinds with numbers of their own. @default none */
  readonly kindWorkers?: KindValues<number>;
  /** Which of several clusters, in metrics. @default "" */
  readonly contextId?: string;
}

/** Guarantees: at most one controller for a resource; nothing is asked of the server by the functions that return no promise. */
export interface SharedControllerFactory extends Pick<Runnable, "name" | "needs" | "run"> {
  /** The controller of a kind whose descriptor the program has. */
  forObject<T extends KubeObject>(kind: Kind<T>): SharedController<T>;
  /** The controller of a kind, which is looked up on the server. */
  forKind(kind: GroupVersionKind, options?: WaitOptions): Promise<SharedController>;
  /** The controller of a resource whose kind is looked up on the server. */
  forResource(resource: GroupVersionResource, namespaced: boolean, options?: WaitOptions): Promise<SharedController>;
  /** The controller of a resource of which everything is known. Throws when the resource is known already as another kind. */
  forResourceKind(resource: GroupVersionResource, kind: string, namespaced: boolean): SharedController;
  readonly sharedCacheFactory: SharedCacheFactory;
  /**
   * Starts all caches, waits until they have synced, and starts the controllers in the order in which they were asked for. Rejects with the
   * signal's reason, or with a `NotSyncedError` that says who has not, and why; then no worker has begun, and it may be
   * called again. Another
   * call starts what was added since.
   * @param workers for kinds without a number of their own @default the factory's `defaultWorkers`
   */
  start(signal: AbortSignal, workers?: number): Promise<void>;
  /** Resolves when everything that was started has ended. */
  ended(): Promise<void>;
  /** `start`, then `ended`: with this a factory is something that a manager runs. */
  run(signal: AbortSignal): Promise<void>;
  /** What its caches must be allowed to do; what handlers write, they know best. */
  readonly needs: readonly PermissionNeed[];
}

/** A factory of controllers over a factory of caches. Throws a TypeError at `cacheOptions`, which that one could not honour. */
export function newSharedControllerFactory(
  cacheFactory: SharedCacheFactory,
  options: SharedControllerFactoryOptions = {},
): SharedControllerFactory {
  if (options.cacheOptions !== undefined)
    throw new TypeError(
      "cacheOptions cannot be honoured by a cache factory that exists already; hand them to newSharedCacheFactory, or use newSharedControllerFactoryFromConfig",
    );
  return new ResourceControllers(cacheFactory, options);
}

/** A factory of controllers, with factories of caches and clients of its own. */
export function newSharedControllerFactoryFromConfig(
  config: ClientConfig,
  { cacheOptions = {}, ...options }: SharedControllerFactoryOptions = {},
): SharedControllerFactory {
  const { contextId } = options;
  const caches = newSharedCacheFactory(newSharedClientFactoryForConfig(config), {
    ...(contextId === undefined ? {} : { contextId }),
    ...cacheOptions,
  });
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
    // The descriptor says which type the objects of its kind have.
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
      throw new TypeError(`the controller of ${name} is that of the kind ${known.kind.kind} already, not of ${kindName}`);
    const controller = known ?? this.#make(name, kind, resource, namespaced);
    this.#controllers.set(name, controller);
    return controller;
  }

  async start(signal: AbortSignal, workers = 0): Promise<void> {
    const { syncTimeoutMs } = this.#options;
    const controllers = [...this.#controllers.values()];
    this.sharedCacheFactory.start(signal);
    await this.sharedCacheFactory.waitForCacheSync(signal, syncTimeoutMs === undefined ? {} : { timeoutMs: syncTimeoutMs });
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
      await caches.waitForCacheSync(signal, options.syncTimeoutMs === undefined ? {} : { timeoutMs: options.syncTimeoutMs }, kind);
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

  /** Keys of two kinds may be called the same, so a limiter for both would count the failures of one against the other. */
  #ownLimiter(kind: GroupVersionKind, make: RateLimiterFactory): RateLimiter<ObjectKey> {
    const limiter = make();
    if (this.#limiters.has(limiter))
      throw new TypeError(
        `the rate limiter of ${printGroupVersionKind(kind)} is in use for another kind; make a new one in each call of the factory`,
      );
    this.#limiters.add(limiter);
    return limiter;
  }
}
