/**
 * One cache per kind for all users; kinds without a user are never listed.
 *
 *     SharedClientFactory → newSharedCacheFactory → SharedIndexInformer → SharedControllerFactory
 */
import { NotSyncedError } from "@drover/cache";
import type { SharedIndexInformer } from "@drover/client-go";
import { definedOnly, poll, printGroupVersionKind, printGroupVersionResource } from "@drover/machinery";
import type { GroupVersionKind, GroupVersionResource, Kind, KubeObject, WaitOptions } from "@drover/machinery";
import type { PermissionNeed } from "@drover/controller";
import { KindCache } from "./kind-cache.ts";
import type { CachedResource } from "./kind-cache.ts";
import { valueByKind } from "./kind-values.ts";
import type { KindValues } from "./kind-values.ts";
import { lassoMetrics } from "./lasso-metrics.ts";
import type { LassoMetrics } from "./lasso-metrics.ts";
import type { CacheSettings } from "./new-cache.ts";
import type { SharedClientFactory } from "./shared-client-factory.ts";

/** Options of `newSharedCacheFactory`; those of a kind override the defaults. */
export interface SharedCacheFactoryOptions {
  /** Namespace of namespaced kinds. @default all namespaces */
  readonly defaultNamespace?: string;
  /** Resync period in milliseconds; 0 disables it. @default 10 h */
  readonly defaultResyncMs?: number;
  /** Changes the options of every list and watch. @default unchanged */
  readonly defaultTweakList?: NonNullable<CacheSettings["tweakList"]>;
  /** Whether initial lists may be streams. @default true */
  readonly defaultWatchList?: boolean;
  /** Namespaces per kind; "" means all namespaces. A namespace for a cluster-scoped kind throws when its cache is created. @default none */
  readonly kindNamespace?: KindValues<string>;
  /** Resync periods per kind, in milliseconds. @default none */
  readonly kindResyncMs?: KindValues<number>;
  /** List options per kind. @default none */
  readonly kindTweakList?: KindValues<NonNullable<CacheSettings["tweakList"]>>;
  /** Whether initial lists may be streams, per kind. @default none */
  readonly kindWatchList?: KindValues<boolean>;
  /** How often cached objects are counted, in milliseconds. @default 60000 */
  readonly metricsCollectionPeriodMs?: number;
  /** Name of the cluster in metrics. @default "" */
  readonly contextId?: string;
}

/** Options of `waitForCacheSync`. */
export interface SyncWaitOptions {
  /** Timeout in milliseconds, after which waiting ends with a `NotSyncedError`. @default 120000 */
  readonly timeoutMs?: number;
}

/**
 * Guarantees: at most one cache per kind; nothing is listed before `start`; a cache starts once and ends with the signal it started with.
 */
export interface SharedCacheFactory {
  /** Returns the cache of a kind descriptor. */
  forObject<T extends KubeObject>(kind: Kind<T>): SharedIndexInformer<T>;
  /** Returns the cache of a kind; asks the server for its resource. */
  forKind(kind: GroupVersionKind, options?: WaitOptions): Promise<SharedIndexInformer<KubeObject>>;
  /** Returns the cache of a resource; asks the server for its kind. */
  forResource(resource: GroupVersionResource, namespaced: boolean, options?: WaitOptions): Promise<SharedIndexInformer<KubeObject>>;
  /** Returns the cache of a resource and kind, without asking the server. Throws if the kind already has a cache for another resource. */
  forResourceKind(resource: GroupVersionResource, kind: string, namespaced: boolean): SharedIndexInformer<KubeObject>;
  /** Starts all caches that have not started. Does not wait for them. */
  start(signal: AbortSignal): void;
  /** Starts one cache, if it exists and has not started. */
  startGVK(signal: AbortSignal, kind: GroupVersionKind): void;
  /**
   * Resolves when all started caches, or those of the given kinds, have synced. Logs the unsynced ones with reasons every 15 s. Rejects
   * with the signal's reason, or after the timeout with a `NotSyncedError`.
   */
  waitForCacheSync(signal: AbortSignal, options?: SyncWaitOptions, ...kinds: readonly GroupVersionKind[]): Promise<void>;
  readonly sharedClientFactory: SharedClientFactory;
  /** Permissions of the caches created so far. */
  readonly needs: readonly PermissionNeed[];
  /** Resolves when all started caches have ended. */
  ended(): Promise<void>;
}

/** Returns a factory of caches. It sends no request yet. */
export function newSharedCacheFactory(clientFactory: SharedClientFactory, options: SharedCacheFactoryOptions = {}): SharedCacheFactory {
  return new KindCaches(clientFactory, options);
}

/** Lasso's spelling of `newSharedCacheFactory`. */
export const newSharedCachedFactory: typeof newSharedCacheFactory = newSharedCacheFactory;

const syncPollMs = 100;
const syncReportMs = 15_000;

class KindCaches implements SharedCacheFactory {
  readonly sharedClientFactory: SharedClientFactory;
  readonly #options: SharedCacheFactoryOptions;
  readonly #settingsOf: (kind: GroupVersionKind, client: CachedResource) => CacheSettings;
  readonly #metrics: LassoMetrics;
  readonly #caches = new Map<string, KindCache>();

  constructor(clientFactory: SharedClientFactory, options: SharedCacheFactoryOptions) {
    this.sharedClientFactory = clientFactory;
    this.#options = options;
    this.#settingsOf = settingsByKind(options);
    this.#metrics = lassoMetrics(clientFactory.cluster.runtime.metrics, options.contextId ?? "");
  }

  get needs(): readonly PermissionNeed[] {
    const cluster = this.sharedClientFactory.cluster.name;
    return Array.from(this.#caches.values(), ({ need }) => ({ ...need, cluster }));
  }

  forObject<T extends KubeObject>({ group, version, plural, kind, scope }: Kind<T>): SharedIndexInformer<T> {
    // The descriptor determines the type of the objects.
    return this.forResourceKind({ group, version, resource: plural }, kind, scope === "Namespaced") as unknown as SharedIndexInformer<T>;
  }

  async forKind(kind: GroupVersionKind, options: WaitOptions = {}): Promise<SharedIndexInformer<KubeObject>> {
    const { resource, namespaced } = await this.sharedClientFactory.resourceForGVK(kind, options);
    return this.forResourceKind(resource, kind.kind, namespaced);
  }

  async forResource(
    resource: GroupVersionResource,
    namespaced: boolean,
    options: WaitOptions = {},
  ): Promise<SharedIndexInformer<KubeObject>> {
    const { kind } = await this.sharedClientFactory.gvkForResource(resource, options);
    return this.forResourceKind(resource, kind, namespaced);
  }

  forResourceKind(resource: GroupVersionResource, kindName: string, namespaced: boolean): SharedIndexInformer<KubeObject> {
    const kind = { group: resource.group, version: resource.version, kind: kindName };
    const name = printGroupVersionKind(kind);
    const client = this.sharedClientFactory.forResourceKind(resource, kindName, namespaced);
    const known = this.#caches.get(name);
    if (known !== undefined && known.client !== client)
      throw new TypeError(`the cache of ${name} already uses ${placeText(known.client)}; it cannot also use ${placeText(client)}`);
    const cache = known ?? this.#make(kind, client);
    this.#caches.set(name, cache);
    return cache.informer;
  }

  start(signal: AbortSignal): void {
    for (const cache of this.#caches.values()) cache.start(signal);
  }

  startGVK(signal: AbortSignal, kind: GroupVersionKind): void {
    this.#caches.get(printGroupVersionKind(kind))?.start(signal);
  }

  async waitForCacheSync(
    signal: AbortSignal,
    { timeoutMs = 120_000 }: SyncWaitOptions = {},
    ...kinds: readonly GroupVersionKind[]
  ): Promise<void> {
    const { clock, log } = this.sharedClientFactory.cluster.runtime;
    const names = new Set(kinds.map(printGroupVersionKind));
    const awaited = [...this.#caches]
      .filter(([name, { isStarted }]) => (kinds.length === 0 ? isStarted : names.has(name)))
      .map(([, cache]) => cache);
    const startedMs = clock.monotonic();
    let reportedMs = startedMs;
    await poll(clock, { interval: syncPollMs, immediate: true, signal }, () => {
      signal.throwIfAborted();
      const unsynced = awaited.flatMap((cache) => cache.unsynced() ?? []);
      if (unsynced.length === 0) return true;
      const now = clock.monotonic();
      if (now - startedMs >= timeoutMs) throw new NotSyncedError(unsynced, timeoutMs);
      if (now - reportedMs >= syncReportMs) {
        reportedMs = now;
        log.warn("caches have not synced yet", {
          unsynced: unsynced.map(({ name, why }) => `${name} (${why})`),
          afterMs: now - startedMs,
        });
      }
      return false;
    });
  }

  async ended(): Promise<void> {
    await Promise.all(Array.from(this.#caches.values(), (cache) => cache.ended()));
  }

  #make(kind: GroupVersionKind, client: CachedResource): KindCache {
    const { cluster } = this.sharedClientFactory;
    const { metricsCollectionPeriodMs: countPeriodMs = 60_000 } = this.#options;
    return new KindCache(kind, client, { cluster, metrics: this.#metrics, settings: this.#settingsOf(kind, client), countPeriodMs });
  }
}

const placeText = ({ gvr, namespaced }: CachedResource): string =>
  `${printGroupVersionResource(gvr)} (${namespaced ? "namespaced" : "cluster-scoped"})`;

/** Returns the settings of a kind: its own, or the default; anything else is left to the cache. */
function settingsByKind(options: SharedCacheFactoryOptions): (kind: GroupVersionKind, client: CachedResource) => CacheSettings {
  const { defaultNamespace, defaultResyncMs, defaultTweakList, defaultWatchList } = options;
  const namespaces = valueByKind("kindNamespace", options.kindNamespace);
  const resyncs = valueByKind("kindResyncMs", options.kindResyncMs);
  const tweaks = valueByKind("kindTweakList", options.kindTweakList);
  const watchLists = valueByKind("kindWatchList", options.kindWatchList);
  return (kind, { namespaced }) => {
    return definedOnly({
      namespace: namespaces(kind) ?? (namespaced ? defaultNamespace : undefined),
      resyncMs: resyncs(kind) ?? defaultResyncMs,
      tweakList: tweaks(kind) ?? defaultTweakList,
      watchList: watchLists(kind) ?? defaultWatchList,
    });
  };
}
