/** One cache of a factory and its life: made when somebody asks, started once, and able to say why it has not synced. */
import type { SharedIndexInformer, Unsynced } from "@drover/cache";
import type { VerbClient } from "@drover/client";
import { findApiError, Group, printGroupVersionKind, until } from "@drover/machinery";
import type { GroupVersionKind, KubeObject, Runtime } from "@drover/machinery";
import type { PermissionNeed } from "../permissions/permission-need.ts";
import { errorMessage } from "../reconcile/error-message.ts";
import type { LassoMetrics } from "./lasso-metrics.ts";
import { newCache } from "./new-cache.ts";
import type { CacheSettings } from "./new-cache.ts";

export interface KindCacheOptions {
  readonly runtime: Runtime;
  readonly metrics: LassoMetrics;
  readonly settings: CacheSettings;
  /** How often its objects are counted. */
  readonly countPeriodMs: number;
}

export class KindCache {
  readonly kind: GroupVersionKind;
  readonly client: VerbClient;
  readonly informer: SharedIndexInformer<KubeObject>;
  readonly #options: KindCacheOptions;
  /** What its last list or watch failed with. */
  #failure: unknown;
  #running: Group | undefined;

  constructor(kind: GroupVersionKind, client: VerbClient, options: KindCacheOptions) {
    this.kind = kind;
    this.client = client;
    this.#options = options;
    this.informer = newCache(kind, client, {
      ...options.settings,
      runtime: options.runtime,
      onOutcome: (error) => void (this.#failure = error),
    });
    options.metrics.cachedObjects(kind);
  }

  /** What it must be allowed to do. */
  get need(): PermissionNeed {
    const { namespace = "" } = this.#options.settings;
    const { group, resource } = this.client.gvr;
    return { group, resource, verbs: ["list", "watch"], ...(namespace === "" ? {} : { namespace }) };
  }

  get isStarted(): boolean {
    return this.#running !== undefined;
  }

  /** Lists and watches until the signal is aborted. Does nothing when it runs already; throws when it has ended. */
  start(signal: AbortSignal): void {
    if (this.informer.isStopped())
      throw new Error(`the cache of ${printGroupVersionKind(this.kind)} has ended and would never change again; make a new factory`);
    if (this.#running !== undefined || signal.aborted) return;
    const {
      runtime: { clock, log },
      metrics,
      countPeriodMs,
    } = this.#options;
    const group = new Group({
      signal,
      onFailure: "isolate",
      onError: (error, task) => log.error("a part of a cache has failed", { cache: printGroupVersionKind(this.kind), task, error }),
    });
    this.#running = group;
    group.spawn("informer", (stopping) => this.informer.run(stopping));
    group.spawn("count", async (stopping) => {
      const count = metrics.cachedObjects(this.kind);
      await until(clock, countPeriodMs, () => count.set(this.informer.getStore().listKeys().length), { signal: stopping });
      metrics.forgetCache(this.kind);
    });
  }

  /** Undefined once it has synced. */
  unsynced(): Unsynced | undefined {
    if (this.informer.hasSynced()) return undefined;
    return { name: printGroupVersionKind(this.kind), why: this.#why(), error: this.#failure };
  }

  /** Resolves when it has ended, at once when it was never started. */
  async ended(): Promise<void> {
    await this.#running?.done();
  }

  #why(): string {
    if (this.#running === undefined) return "it has not been started; start the factory";
    if (this.informer.isStopped()) return "it has ended";
    if (this.#failure === undefined) return "its first list is under way";
    const refusal = findApiError(this.#failure);
    return refusal === undefined ? errorMessage(this.#failure) : `${refusal.code}: ${refusal.message}`;
  }
}
