/**
 * One controller for each kind, over factories of Lasso that are made on the way or handed in.
 *
 *     const factory = newFactory({ cluster });
 *     factory.controller(ConfigMap).onChange(signal, "recycle", (key, object, { client }) => …);
 *     await factory.run(signal);
 *
 * Where Wrangler generates a factory for each group of kinds, here is one for all kinds.
 */
import { newSharedCacheFactory, newSharedClientFactoryForConfig, newSharedControllerFactory } from "@drover/lasso";
import type { PermissionNeed, Runnable } from "@drover/controller";
import type { SharedCacheFactory, SharedControllerFactory } from "@drover/lasso";
import type { Cluster } from "@drover/cache";
import { poll, printGroupVersionKind } from "@drover/machinery";
import type { GroupVersionKind, Kind, KubeObject, Scope } from "@drover/machinery";
import { newGenericController } from "./generic-controller.ts";
import type { ControllerInterface } from "./generic-controller.ts";

/** From where the controllers come: exactly one of `cluster`, `sharedCacheFactory` and `sharedControllerFactory`. */
export interface FactoryOptions {
  /** Makes factories of its own on this cluster. @default none: one of the factories is given */
  readonly cluster?: Cluster;
  /**
   * The namespace whose objects are seen, of kinds that are in one. Throws with a factory of caches or controllers,
   * which has its own. @default all namespaces
   */
  readonly namespace?: string;
  /**
   * How often every object runs although nothing changed, in milliseconds; 0 is never. Throws with a factory of caches
   * or controllers. @default ten hours
   */
  readonly resyncMs?: number;
  /** Caches to share with others. @default its own */
  readonly sharedCacheFactory?: SharedCacheFactory;
  /** Controllers to share with others. @default its own */
  readonly sharedControllerFactory?: SharedControllerFactory;
  /**
   * Is told before the start whether the server answers, every fifteen seconds until it does. Throws with a factory of
   * controllers. @default the server is not asked
   */
  readonly healthCallback?: (isHealthy: boolean) => void;
}

/** Guarantees: one controller for a kind; an option that could not be honoured throws instead. */
export interface Factory extends Pick<Runnable, "name" | "needs" | "run"> {
  /** The controller of a kind; the same one each time. */
  controller<T extends KubeObject, S extends Scope, Sub extends string>(kind: Kind<T, S, Sub>): ControllerInterface<T, S>;
  /** How many keys of a kind are worked on at a time. Throws when the controllers are somebody else's, or have been asked for already. */
  setThreadiness(kind: GroupVersionKind, workers: number): void;
  controllerFactory(): SharedControllerFactory;
  /** Starts the caches and resolves when they have synced; rejects saying who has not, and why. */
  sync(signal: AbortSignal): Promise<void>;
  /** `sync`, then the controllers. Another call starts what was added since. */
  start(signal: AbortSignal, workers?: number): Promise<void>;
  /** Resolves when everything that was started has ended. */
  ended(): Promise<void>;
  run(signal: AbortSignal): Promise<void>;
}

/** A factory; nothing is asked of the server yet. Throws a TypeError that says which options cannot go together. */
export function newFactory(options: FactoryOptions): Factory {
  const { cluster, sharedCacheFactory, sharedControllerFactory } = options;
  const sources = Object.entries({ cluster, sharedCacheFactory, sharedControllerFactory })
    .filter(([, source]) => source !== undefined)
    .map(([name]) => name);
  if (sources.length !== 1)
    throw new TypeError(
      `newFactory: give one of cluster, sharedCacheFactory and sharedControllerFactory, not ${sources.length === 0 ? "none" : sources.join(" and ")}`,
    );
  const vain = (["namespace", "resyncMs", "healthCallback"] as const).filter(
    (name) =>
      options[name] !== undefined &&
      (sharedControllerFactory !== undefined || (sharedCacheFactory !== undefined && name !== "healthCallback")),
  );
  if (vain.length > 0) {
    throw new TypeError(
      `newFactory: ${vain.join(" and ")} would be ignored, since ${sources.join()} has its own; say it where that is made (newSharedCacheFactory: defaultNamespace, defaultResyncMs), or leave it out`,
    );
  }
  return new KindFactory(options);
}

class KindFactory implements Factory {
  readonly name = "wrangler";
  readonly #options: FactoryOptions;
  /** By kind; a descriptor says which type its objects have. */
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
          ? "its controllers have been made; call it before controller() and start()"
          : "its controllers are those of sharedControllerFactory; say kindWorkers where that is made";
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
    if (cluster === undefined) throw new TypeError("newFactory: there is no cluster");
    return newSharedCacheFactory(newSharedClientFactoryForConfig({ cluster }), {
      ...(namespace === undefined ? {} : { defaultNamespace: namespace }),
      ...(resyncMs === undefined ? {} : { defaultResyncMs: resyncMs }),
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
