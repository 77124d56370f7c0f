/** One cache of a factory: created on first use, started once; reports why it has not synced. */
import { unsyncedReason } from "@drover/cache";
import type { Cluster, Unsynced } from "@drover/cache";
import { clusterIndexInformer, metaNamespaceIndexFunc } from "@drover/client-go";
import type { SharedIndexInformer } from "@drover/client-go";
import type { PermissionNeed } from "@drover/controller";
import { definedOnly, Group, printGroupVersionKind, until } from "@drover/machinery";
import type { GroupVersionKind, KubeObject } from "@drover/machinery";
import type { Client } from "./client/new-client.ts";
import { requireScope } from "./deferred-lister-watcher.ts";
import { kindOfResource } from "./kind-of-resource.ts";
import type { LassoMetrics } from "./lasso-metrics.ts";
import { defaultResyncMs } from "./new-cache.ts";
import type { CacheSettings } from "./new-cache.ts";

export interface KindCacheOptions {
  readonly cluster: Cluster;
  readonly metrics: LassoMetrics;
  readonly settings: CacheSettings;
  /** How often the objects are counted, in milliseconds. */
  readonly countPeriodMs: number;
}

/** The cached resource; a client is one. */
export type CachedResource = Pick<Client<KubeObject>, "gvr" | "namespaced">;

export class KindCache {
  readonly kind: GroupVersionKind;
  readonly client: CachedResource;
  readonly informer: SharedIndexInformer<KubeObject>;
  readonly #options: KindCacheOptions;
  #running: Group | undefined;

  constructor(kind: GroupVersionKind, client: CachedResource, options: KindCacheOptions) {
    const { cluster, settings, metrics } = options;
    const { namespace = "", tweakList, watchList = true, resyncMs = defaultResyncMs } = settings;
    requireScope(client.gvr.resource, client.namespaced, namespace);
    this.kind = kind;
    this.client = client;
    this.#options = options;
    this.informer = clusterIndexInformer(cluster, kindOfResource<KubeObject>(client.gvr, kind.kind, client.namespaced), {
      resyncPeriodMs: resyncMs,
      ...(client.namespaced ? { indexers: { namespace: metaNamespaceIndexFunc } } : {}),
      request: {
        watchList,
        ...(namespace === "" ? {} : { namespace }),
        ...definedOnly({ tweakListOptions: tweakList }),
      },
    });
    metrics.cachedObjects(kind);
  }

  /** Permissions it needs. */
  get need(): PermissionNeed {
    const { namespace = "" } = this.#options.settings;
    const { group, resource } = this.client.gvr;
    return { group, resource, verbs: ["list", "watch"], ...(namespace === "" ? {} : { namespace }) };
  }

  get isStarted(): boolean {
    return this.#running !== undefined;
  }

  /** Lists and watches until the signal aborts. Does nothing if it already runs; throws if it has ended. */
  start(signal: AbortSignal): void {
    if (this.informer.isStopped()) throw new Error(`the cache of ${printGroupVersionKind(this.kind)} has stopped; create a new factory`);
    if (this.#running !== undefined || signal.aborted) return;
    const {
      cluster: {
        runtime: { clock, log },
      },
      metrics,
      countPeriodMs,
    } = this.#options;
    const group = new Group({
      signal,
      onFailure: "isolate",
      onError: (error, task) => log.error("cache task failed", { cache: printGroupVersionKind(this.kind), task, error }),
    });
    this.#running = group;
    group.spawn("informer", (stopping) => this.informer.run(stopping));
    group.spawn("count", async (stopping) => {
      const count = metrics.cachedObjects(this.kind);
      await until(clock, countPeriodMs, () => count.set(this.informer.getStore().listKeys().length), { signal: stopping });
      metrics.forgetCache(this.kind);
    });
  }

  /** Returns why it has not synced; undefined once it has. */
  unsynced(): Unsynced | undefined {
    if (this.informer.hasSynced()) return undefined;
    const name = printGroupVersionKind(this.kind);
    const [state] = this.informer.states();
    if (state === undefined) return { name, why: "not started; start the factory", error: undefined };
    return { ...unsyncedReason(state), name };
  }

  /** Resolves when it has ended; immediately if it was never started. */
  async ended(): Promise<void> {
    await this.#running?.done();
  }
}
