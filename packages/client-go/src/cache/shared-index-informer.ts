/**
 * client-go's `SharedIndexInformer` over Drover's informer, which lists, watches, stores and notifies.
 *
 *     newSharedIndexInformer(ListerWatcher)          → createInformer          ─┐
 *     clusterIndexInformer(Cluster, Kind, request)   → cluster.informers       ─┴→ DeferredInformer → SharedIndexInformer
 *
 * The second one shares its cache and its watch with all other users of the cluster, such as Lasso caches and operators.
 */
import { createInformer, namespaceIndex, versionsFrom } from "@drover/cache";
import type { Cluster, Indexers, InformerRequest, InformerState, InformerView, ListerWatcher, Transform } from "@drover/cache";
import type { DeepReadonly, Kind, KubeObject, Runtime } from "@drover/machinery";
import type { Controller } from "./controller.ts";
import { DeferredInformer } from "./deferred-informer.ts";
import { expectType } from "./expected-type.ts";
import type { ExpectedType } from "./expected-type.ts";
import { metaNamespaceIndexFunc } from "./indexer.ts";
import { informerIndexer, versionIndexFunc } from "./informer-indexer.ts";
import { ProcessorListener } from "./processor-listener.ts";
import type { ResourceEventHandler } from "./resource-event-handler.ts";
import type { ReadonlyIndexer, ResourceEventHandlerRegistration, SharedIndexInformer, SharedInformer } from "./shared-informer.ts";
import type { WatchErrorHandler } from "./watch-error-handler.ts";
import { SharedProcessor } from "./shared-processor.ts";

/** Options of `newSharedIndexInformer`. */
export interface SharedIndexInformerOptions<T extends KubeObject> {
  readonly runtime: Pick<Runtime, "clock" | "random" | "log" | "metrics">;
  /** Index functions by name. @default no indexes */
  readonly indexers?: Indexers<T>;
  /** Default resync period of handlers in milliseconds; 0 means never. @default 0 */
  readonly resyncPeriodMs?: number;
  /** Name in logs and metrics. @default the description of the lister-watcher */
  readonly name?: string;
  /** The expected kind; other objects are dropped and logged. @default any kind */
  readonly objectType?: ExpectedType;
  /** Kind that it lists, for own writes and causes. @default unknown */
  readonly kind?: Kind<T>;
  /** Objects of the kind that it lists. @default all objects */
  readonly request?: InformerRequest<T>;
}

/** Returns a shared informer with indexes, with a list and a watch of its own. */
export function newSharedIndexInformer<T extends KubeObject>(
  listerWatcher: ListerWatcher<T>,
  options: SharedIndexInformerOptions<T>,
): SharedIndexInformer<T> {
  const {
    runtime,
    objectType,
    name = listerWatcher.description ?? "objects",
    resyncPeriodMs = 0,
    indexers = {},
    kind,
    request = {},
  } = options;
  const expected = objectType === undefined ? listerWatcher : expectType(listerWatcher, objectType, runtime.log);
  const open: OpenInformer<T> = ({ transform, onWatchError }) => {
    const informer = createInformer<T>({
      source: versionsFrom(expected),
      runtime,
      name,
      ...(transform === undefined ? {} : { transform }),
      reflector: { watchErrorHandler: onWatchError },
    });
    return { informer, states: () => [informer.state()], run: (signal) => informer.run(signal) };
  };
  return new IndexInformer({ name, kind, request, log: runtime.log, resyncPeriodMs, indexers, open });
}

/** Returns a shared informer without indexes. */
export function newSharedInformer<T extends KubeObject>(
  listerWatcher: ListerWatcher<T>,
  options: Omit<SharedIndexInformerOptions<T>, "indexers">,
): SharedInformer<T> {
  return newSharedIndexInformer(listerWatcher, options);
}

/** Options of `clusterIndexInformer`. */
export interface ClusterIndexInformerOptions<T extends KubeObject> extends Pick<
  SharedIndexInformerOptions<T>,
  "indexers" | "resyncPeriodMs"
> {
  /** Objects of the kind. @default all objects, with their managed fields */
  readonly request?: Omit<InformerRequest<T>, "transform">;
}

/**
 * Returns a shared informer over the informers of a cluster: all users of the cluster that request the same objects share
 * one list, one watch and one cache.
 */
export function clusterIndexInformer<T extends KubeObject>(
  { informers, runtime }: Pick<Cluster, "informers" | "runtime">,
  kind: Kind<T>,
  { request = {}, resyncPeriodMs = 0, indexers = {} }: ClusterIndexInformerOptions<T> = {},
): SharedIndexInformer<T> {
  const open: OpenInformer<T> = ({ transform, onWatchError }) => {
    // The same request as Drover's own sources make by default, so that they share the informer.
    const asked = { keepManagedFields: true, ...request, ...(transform === undefined ? {} : { transform }) };
    const lease = informers.acquire<T>(kind, asked);
    lease.onWatchError(onWatchError);
    return {
      informer: lease.informer,
      states: () => lease.state(),
      run: async (signal) => {
        try {
          await informers.run(signal);
        } finally {
          lease.release();
        }
      },
    };
  };
  return new IndexInformer({ name: kind.plural, kind, request, log: runtime.log, resyncPeriodMs, indexers, open });
}

/** An informer with its `run` and status. */
interface OpenedInformer<T extends KubeObject> {
  readonly informer: InformerView<T>;
  states(): readonly InformerState[];
  run(signal: AbortSignal): Promise<void>;
}

type OpenInformer<T extends KubeObject> = (settings: {
  readonly transform: Transform<T> | undefined;
  readonly onWatchError: (error: unknown) => void;
}) => OpenedInformer<T>;

interface IndexInformerParts<T extends KubeObject> {
  readonly name: string;
  readonly kind: Kind<T> | undefined;
  readonly request: InformerRequest<T>;
  readonly log: Runtime["log"];
  readonly resyncPeriodMs: number;
  readonly indexers: Indexers<T>;
  readonly open: OpenInformer<T>;
}

/** Minimum resync period, as in client-go. */
const minimumResyncPeriodMs = 1000;

class IndexInformer<T extends KubeObject> implements SharedIndexInformer<T> {
  readonly view: DeferredInformer<T>;
  readonly kind: Kind<T> | undefined;
  readonly request: InformerRequest<T>;
  readonly resyncPeriodMs: number;
  readonly #parts: IndexInformerParts<T>;
  readonly #processor: SharedProcessor<T>;
  readonly #indexer: ReadonlyIndexer<DeepReadonly<T>>;
  readonly #indexers: Record<string, Indexers<T>[string]> = {};
  #watchErrorHandler: WatchErrorHandler | undefined;
  #transform: ((object: T) => T) | undefined;
  #opened: OpenedInformer<T> | undefined;
  #state: "new" | "running" | "stopped" = "new";

  constructor(parts: IndexInformerParts<T>) {
    this.#parts = parts;
    this.view = new DeferredInformer(parts.name, { group: parts.kind?.group ?? "", resource: parts.kind?.singular ?? parts.name });
    this.kind = parts.kind;
    this.request = parts.request;
    this.resyncPeriodMs = parts.resyncPeriodMs;
    this.#processor = new SharedProcessor(this.view);
    this.#indexer = informerIndexer(this.view, () => ({ ...this.#indexers }));
    this.addIndexers(parts.indexers);
  }

  addEventHandler(handler: ResourceEventHandler<T>): ResourceEventHandlerRegistration {
    return this.addEventHandlerWithResyncPeriod(handler, this.#parts.resyncPeriodMs);
  }

  addEventHandlerWithResyncPeriod(handler: ResourceEventHandler<T>, requestedMs: number): ResourceEventHandlerRegistration {
    this.#mustNotBeStopped("the handler was not added to");
    return this.#processor.addListener(new ProcessorListener(handler, this.#resyncOf(requestedMs)));
  }

  removeEventHandler(registration: ResourceEventHandlerRegistration): void {
    this.#processor.removeListener(registration);
  }

  getStore(): ReadonlyIndexer<DeepReadonly<T>> {
    return this.#indexer;
  }

  getIndexer(): ReadonlyIndexer<DeepReadonly<T>> {
    return this.#indexer;
  }

  addIndexers(indexers: Indexers<T>): void {
    this.#mustNotBeStopped("the indexers were not added to");
    const own = Object.entries(indexers).filter(([name]) => !Object.hasOwn(this.#indexers, name));
    const taken = Object.keys(indexers).filter((name) => Object.hasOwn(this.#indexers, name));
    if (taken.length > 0) throw new Error(`indexer conflict: ${taken.map((name) => JSON.stringify(name)).join(", ")}; choose another name`);
    // The cache already has an index of namespaces.
    const added = own.filter(([name, indexFunc]) => name !== namespaceIndex || indexFunc !== (metaNamespaceIndexFunc as unknown));
    this.view.addIndexers(Object.fromEntries(added.map(([name, indexFunc]) => [name, versionIndexFunc(indexFunc)])));
    for (const [name, indexFunc] of own) this.#indexers[name] = indexFunc;
  }

  getController(): Controller {
    return {
      run: (signal) => this.run(signal),
      hasSynced: () => this.hasSynced(),
      lastSyncResourceVersion: () => this.lastSyncResourceVersion(),
    };
  }

  setWatchErrorHandler(handler: WatchErrorHandler): void {
    this.#mustBeNew("the watch error handler");
    this.#watchErrorHandler = handler;
  }

  setTransform(transform: (object: T) => T): void {
    this.#mustBeNew("the transform");
    this.#transform = transform;
  }

  async run(signal: AbortSignal): Promise<void> {
    if (this.#state !== "new") {
      this.#parts.log.warn("shared informer was started before, ignoring this call of run", { informer: this.#parts.name });
      return;
    }
    this.#state = "running";
    const transform = this.#transform;
    const opened = this.#parts.open({
      transform: transform === undefined ? undefined : (object) => transform(object as T) as DeepReadonly<T>,
      onWatchError: (error) => this.#watchErrorHandler?.(this, error),
    });
    this.#opened = opened;
    this.view.open(opened.informer);
    try {
      await opened.run(signal);
    } finally {
      this.#state = "stopped";
      this.view.close();
    }
  }

  hasSynced(): boolean {
    return this.view.hasSynced;
  }

  lastSyncResourceVersion(): string {
    return this.#opened?.states()[0]?.lastSyncResourceVersion ?? "";
  }

  isStopped(): boolean {
    return this.#state === "stopped";
  }

  states(): readonly InformerState[] {
    return this.#opened?.states() ?? [];
  }

  #mustBeNew(what: string): void {
    if (this.#state !== "new")
      throw new Error(`${what} of the shared informer of ${this.#parts.name} cannot be set: informer has already started`);
  }

  #mustNotBeStopped(what: string): void {
    if (this.#state === "stopped") throw new Error(`${what} the shared informer of ${this.#parts.name}: it has stopped already`);
  }

  #resyncOf(requestedMs: number): number {
    if (requestedMs <= 0) return 0;
    if (requestedMs < minimumResyncPeriodMs)
      this.#parts.log.warn("resync period is below one second, using one second", { informer: this.#parts.name, requestedMs });
    return Math.max(requestedMs, minimumResyncPeriodMs);
  }
}
