/**
 * Creates one controller per kind, on Lasso's factories.
 *
 *     const factory = newFactory({ cluster });
 *     factory.controller(ConfigMap).onChange(signal, "recycle", (key, object, { client }) => …);
 *     await factory.run(signal);
 *
 * Wrangler generates a factory per API group; here one factory serves all kinds.
 */
import { newSharedCacheFactory, newSharedClientFactoryForConfig, newSharedControllerFactory } from "@drover/lasso";
import type { PermissionNeed, Runnable } from "@drover/controller";
import type { SharedCacheFactory, SharedControllerFactory } from "@drover/lasso";
import type { Cluster } from "@drover/cache";
import { definedOnly, poll, printGroupVersionKind } from "@drover/machinery";
import type { GroupVersionKind, Kind, KubeObject, Scope } from "@drover/machinery";
import { newGenericController } from "./generic-controller.ts";
import type { ControllerInterface } from "./generic-controller.ts";

/** Source of the controllers: exactly one of `cluster`, `sharedCacheFactory` and `sharedControllerFactory`. */
export interface FactoryOptions {
  /** Creates its own factories on this cluster. @default none: pass one of the factories */
  readonly cluster?: Cluster;
  /** Namespace to watch, for namespaced kinds. Throws together with a shared factory, which has its own. @default all namespaces */
  readonly namespace?: string;
  /** Resync period in milliseconds; 0 disables it. Throws together with a shared factory. @default 10 hours */
  readonly resyncMs?: number;
  /** Shared caches. @default its own */
  readonly sharedCacheFactory?: SharedCacheFactory;
  /** Shared controllers. @default its own */
  readonly sharedControllerFactory?: SharedControllerFactory;
  /**
   * Called before the start with the result of a health check, every 15 seconds until the server answers. Throws
   * together with `sharedControllerFactory`. @default no health check
   */
  readonly healthCallback?: (isHealthy: boolean) => void;
}

/** Guarantees: one controller per kind; options that cannot be honoured throw. */
export interface Factory extends Pick<Runnable, "name" | "needs" | "run"> {
  /** Returns the controller of a kind, always the same one. */
  controller<T extends KubeObject, S extends Scope, Sub extends string>(kind: Kind<T, S, Sub>): ControllerInterface<T, S>;
  /** Sets the number of workers of a kind. Throws for shared controllers, and after the first use of the controllers. */
  setThreadiness(kind: GroupVersionKind, workers: number): void;
  controllerFactory(): SharedControllerFactory;
  /** Starts the caches and resolves when they have synced; rejects with the names of those that have not, and why. */
  sync(signal: AbortSignal): Promise<void>;
  /** Runs `sync`, then starts the controllers. Another call starts what was added since. */
  start(signal: AbortSignal, workers?: number): Promise<void>;
  /** Resolves when everything that was started has ended. */
  ended(): Promise<void>;
  run(signal: AbortSignal): Promise<void>;
}

/** Creates a factory. Sends no request yet. Throws a `TypeError` that names contradicting options. */
export function newFactory(options: FactoryOptions): Factory {
  const { cluster, sharedCacheFactory, sharedControllerFactory } = options;
  const sources = Object.entries({ cluster, sharedCacheFactory, sharedControllerFactory })
    .filter(([, source]) => source !== undefined)
    .map(([name]) => name);
  if (sources.length !== 1)
    throw new TypeError(
      `newFactory: pass exactly one of cluster, sharedCacheFactory and sharedControllerFactory, not ${sources.length === 0 ? "none" : sources.join(" and ")}`,
    );
  const ignored = (["namespace", "resyncMs", "healthCallback"] as const).filter(
    (name) =>
      options[name] !== undefined &&
      (sharedControllerFactory !== undefined || (sharedCacheFactory !== undefined && name !== "healthCallback")),
  );
  if (ignored.length > 0) {
    throw new TypeError(
      `newFactory: ${ignored.join(" and ")} would be ignored, because ${sources.join()} has its own; set it there (newSharedCacheFactory: defaultNamespace, defaultResyncMs), or remove it`,
    );
  }
  return new KindFactory(options);
}

class KindFactory implements Factory {
  readonly name = "wrangler";
  readonly #options: FactoryOptions;
  /** By kind; the descriptor determines the object type. */
  readonly #controllers = new Map<string, unknown>();
  readonly #workers = new Map<string, readonly [GroupVersionKind, number]>();
  #shared: SharedControllerFactory | undefined;

  constructor(options: FactoryOptions) {
    this.#options = options;
    this.#shared = options.sharedControllerFactory;
  }

  get needs(): readonly PermissionNeed[] {
    return this.controllerFactory().needs ?? [];
  }

  controller<T extends KubeObject, S extends Scope, Sub extends string>(kind: Kind<T, S, Sub>): ControllerInterface<T, S> {
    const name = printGroupVersionKind(kind);
    const known = this.#controllers.get(name);
    if (known !== undefined) return known as ControllerInterface<T, S>;
    const shared = this.controllerFactory();
    const controller = newGenericController<T, S>(kind, shared.forObject(kind), shared.sharedCacheFactory.sharedClientFactory);
    this.#controllers.set(name, controller);
    return controller;
  }

  setThreadiness(kind: GroupVersionKind, workers: number): void {
    if (this.#shared !== undefined) {
      const why =
        this.#options.sharedControllerFactory === undefined
          ? "its controllers exist already; call it before controller() and start()"
          : "its controllers belong to sharedControllerFactory; set kindWorkers there";
      throw new Error(`setThreadiness of ${printGroupVersionKind(kind)}: ${why}`);
    }
    this.#workers.set(printGroupVersionKind(kind), [kind, workers]);
  }

  controllerFactory(): SharedControllerFactory {
    return (this.#shared ??= newSharedControllerFactory(this.#options.sharedCacheFactory ?? this.#newCaches(), {
      kindWorkers: this.#workers.values(),
    }));
  }

  async sync(signal: AbortSignal): Promise<void> {
    const { sharedCacheFactory: caches } = this.controllerFactory();
    await this.#healthy(caches, signal);
    caches.start(signal);
    await caches.waitForCacheSync(signal);
  }

  async start(signal: AbortSignal, workers?: number): Promise<void> {
    await this.#healthy(this.controllerFactory().sharedCacheFactory, signal);
    await this.controllerFactory().start(signal, workers);
  }

  async ended(): Promise<void> {
    await this.#shared?.ended();
  }

  async run(signal: AbortSignal): Promise<void> {
    try {
      await this.start(signal);
    } catch (error) {
      if (!signal.aborted) throw error;
    }
    await this.ended();
  }

  #newCaches(): SharedCacheFactory {
    const { cluster, namespace, resyncMs } = this.#options;
    if (cluster === undefined) throw new TypeError("newFactory: cluster is missing");
    return newSharedCacheFactory(newSharedClientFactoryForConfig({ cluster }), {
      ...definedOnly({ defaultNamespace: namespace, defaultResyncMs: resyncMs }),
    });
  }

  async #healthy({ sharedClientFactory: clients }: SharedCacheFactory, signal: AbortSignal): Promise<void> {
    const { healthCallback } = this.#options;
    if (healthCallback === undefined) return;
    await poll(clients.cluster.runtime.clock, { interval: 15_000, timeout: Infinity, immediate: true, signal }, async () => {
      const isHealthy = await clients.isHealthy({ signal });
      healthCallback(isHealthy);
      return isHealthy;
    });
  }
}
