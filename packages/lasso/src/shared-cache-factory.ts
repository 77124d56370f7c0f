/**
 * One cache for each kind, however many ask; those that nobody asks for are never listed.
 *
 *     SharedClientFactory → newSharedCacheFactory → SharedIndexInformer → SharedControllerFactory
 */
import { NotSyncedError } from "@drover/cache";
import type { SharedIndexInformer } from "@drover/client-go";
import { poll, printGroupVersionKind, printGroupVersionResource } from "@drover/machinery";
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

export interface SharedCacheFactoryOptions {
  /** For kinds that are in namespaces. @default all namespaces */
  readonly defaultNamespace?: string;
  /** In milliseconds; 0 is never. @default ten hours */
  readonly defaultResyncMs?: number;
  /** @default lists and watches stay as they are */
  readonly defaultTweakList?: NonNullable<CacheSettings["tweakList"]>;
  /** @default true */
  readonly defaultWatchList?: boolean;
  /**
   * Kinds with a namespace of their own; "" is all of them. One for a kind that is in no namespace throws when its
   * cache is made. @default none
   */
  readonly kindNamespace?: KindValues<string>;
  /** Kinds with a resync period of their own, in milliseconds. @default none */
  readonly kindResyncMs?: KindValues<number>;
  /** Kinds with list options of their own. @default none */
  readonly kindTweakList?: KindValues<NonNullable<CacheSettings["tweakList"]>>;
  /** Kinds that say for themselves whether their lists may be streams. @default none */
  readonly kindWatchList?: KindValues<boolean>;
  /** How often cached objects are counted, in milliseconds. @default 60000 */
  readonly metricsCollectionPeriodMs?: number;
  /** Which of several clusters, in metrics. @default "" */
  readonly contextId?: string;
}

export interface SyncWaitOptions {
  /** After how many milliseconds waiting ends with a `NotSyncedError`. @default 120000 */
  readonly timeoutMs?: number;
}

/**
 * Guarantees: at most one cache for a kind; nothing is listed before `start`; a cache is started once and ends with the
 * signal it was started with.
 */
export interface SharedCacheFactory {
  /** The cache of a kind whose descriptor the program has. */
  forObject<T extends KubeObject>(kind: Kind<T>): SharedIndexInformer<T>;
  /** The cache of a kind, which is looked up on the server. */
  forKind(kind: GroupVersionKind, options?: WaitOptions): Promise<SharedIndexInformer<KubeObject>>;
  /** The cache of a resource whose kind is looked up on the server. */
  forResource(resource: GroupVersionResource, namespaced: boolean, options?: WaitOptions): Promise<SharedIndexInformer<KubeObject>>;
  /** The cache of a resource of which everything is known. Throws when the kind is known already under another resource. */
  forResourceKind(resource: GroupVersionResource, kind: string, namespaced: boolean): SharedIndexInformer<KubeObject>;
  /** Starts the caches that have not been started yet. Does not wait for them. */
  start(signal: AbortSignal): void;
  /** Starts one cache, if there is one and it has not been started. */
  startGVK(signal: AbortSignal, kind: GroupVersionKind): void;
  /**
   * Resolves when all caches that were started, or those of these kinds, have synced. Says every fifteen seconds in the
   * log who has not, and
   * why. Rejects with the signal's reason, and when the time is up with a `NotSyncedError` that says the same.
   */
  waitForCacheSync(signal: AbortSignal, options?: SyncWaitOptions, ...kinds: readonly GroupVersionKind[]): Promise<void>;
  readonly sharedClientFactory: SharedClientFactory;
  /** What the caches that were asked for so far must be allowed to do. */
  readonly needs: readonly PermissionNeed[];
  /** Resolves when everything that was started has ended. */
  ended(): Promise<void>;
}

/** A factory of caches; nothing is asked of the server yet. */
export function newSharedCacheFactory(clientFactory: SharedClientFactory, options: SharedCacheFactoryOptions = {}): SharedCacheFactory {
  return new KindCaches(clientFactory, options);
}

/** What Lasso spells so. */
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
    // The descriptor says which type the objects of its kind have.
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
      throw new TypeError(
        `the cache of ${name} is that of ${placeText(known.client)} already, and cannot be that of ${placeText(client)} as well`,
      );
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
        log.warn("some caches have not synced yet", {
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
  `${printGroupVersionResource(gvr)} (${namespaced ? "in namespaces" : "in no namespace"})`;

/** What holds for a kind: its own word first, then the common one; what neither says is left to the cache. */
function settingsByKind(options: SharedCacheFactoryOptions): (kind: GroupVersionKind, client: CachedResource) => CacheSettings {
  const { defaultNamespace, defaultResyncMs, defaultTweakList, defaultWatchList } = options;
  const namespaces = valueByKind("kindNamespace", options.kindNamespace);
  const resyncs = valueByKind("kindResyncMs", options.kindResyncMs);
  const tweaks = valueByKind("kindTweakList", options.kindTweakList);
  const watchLists = valueByKind("kindWatchList", options.kindWatchList);
  return (kind, { namespaced }) => {
    const namespace = namespaces(kind) ?? (namespaced ? defaultNamespace : undefined);
    const [resyncMs, tweakList, watchList] = [
      resyncs(kind) ?? defaultResyncMs,
      tweaks(kind) ?? defaultTweakList,
      watchLists(kind) ?? defaultWatchList,
    ];
    return {
      ...(namespace === undefined ? {} : { namespace }),
      ...(resyncMs === undefined ? {} : { resyncMs }),
      ...(tweakList === undefined ? {} : { tweakList }),
      ...(watchList === undefined ? {} : { watchList }),
    };
  };
}
