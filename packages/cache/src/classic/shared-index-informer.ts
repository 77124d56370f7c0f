/**
 * The shared informer of the documents, made as they draw it: a controller fills a `DeltaFIFO`, what comes out goes
 * into an indexer first and
 * then to every handler.
 *
 *     ListerWatcher → Controller(DeltaFIFO) → Indexer → sharedProcessor → handlers
 */
import type { DeepReadonly, KubeObject, Runtime } from "@drover/machinery";
import type { ListerWatcher } from "../list-watcher.ts";
import type { Indexers } from "../store-index.ts";
import { newController } from "./controller.ts";
import type { Config, Controller } from "./controller.ts";
import { DeletedFinalStateUnknown, lastKnownState } from "./deleted-final-state-unknown.ts";
import type { Delta, Deltas } from "./delta.ts";
import { newDeltaFIFO } from "./delta-fifo.ts";
import { newIndexer } from "./indexer.ts";
import type { Indexer } from "./indexer.ts";
import { deletionHandlingMetaNamespaceKeyFunc, metaNamespaceKeyFunc } from "./key-func.ts";
import { ProcessorListener } from "./processor-listener.ts";
import type { Notification } from "./processor-listener.ts";
import type { DeletedObject, ResourceEventHandler } from "./resource-event-handler.ts";
import type { ReadonlyIndexer, ResourceEventHandlerRegistration, SharedIndexInformer, SharedInformer } from "./shared-informer.ts";
import { SharedProcessor, effectiveResyncPeriod } from "./shared-processor.ts";
import type { ExpectedType } from "./store-sink.ts";

export interface SharedIndexInformerOptions<T extends KubeObject> {
  readonly runtime: Pick<Runtime, "clock" | "random" | "log" | "metrics">;
  /** Index functions by name. @default none */
  readonly indexers?: Indexers<T>;
  /** The resync period of handlers that ask for none of their own, and how often it is looked who is due; 0 is never. @default 0 */
  readonly resyncPeriodMs?: number;
  /** Stands in logs and metrics. @default what the lister-watcher lists */
  readonly name?: string;
  /** What kind is expected; anything else is passed over and logged. @default anything is taken */
  readonly objectType?: ExpectedType;
}

/** Handlers cannot be told again more often than this. */
const minimumResyncPeriodMs = 1000;

/** A shared informer with indexes. */
export function newSharedIndexInformer<T extends KubeObject>(
  listerWatcher: ListerWatcher<T>,
  options: SharedIndexInformerOptions<T>,
): SharedIndexInformer<T> {
  return new IndexInformer(listerWatcher, options);
}

/** A shared informer without indexes. */
export function newSharedInformer<T extends KubeObject>(
  listerWatcher: ListerWatcher<T>,
  options: Omit<SharedIndexInformerOptions<T>, "indexers">,
): SharedInformer<T> {
  return new IndexInformer(listerWatcher, options);
}

class IndexInformer<T extends KubeObject> implements SharedIndexInformer<T> {
  readonly #listerWatcher: ListerWatcher<T>;
  readonly #options: SharedIndexInformerOptions<T>;
  readonly #indexer: Indexer<T>;
  readonly #processor: SharedProcessor<T>;
  readonly #registrations = new Map<ResourceEventHandlerRegistration, ProcessorListener<T>>();
  #resyncCheckPeriodMs: number;
  #watchErrorHandler: ((error: unknown) => void) | undefined;
  #transform: ((object: T) => T) | undefined;
  #controller: Controller | undefined;
  #state: "new" | "running" | "stopped" = "new";

  constructor(listerWatcher: ListerWatcher<T>, options: SharedIndexInformerOptions<T>) {
    this.#listerWatcher = listerWatcher;
    this.#options = options;
    this.#indexer = newIndexer<T>(deletionHandlingMetaNamespaceKeyFunc, options.indexers ?? {});
    this.#processor = new SharedProcessor(options.runtime.clock);
    this.#resyncCheckPeriodMs = options.resyncPeriodMs ?? 0;
  }

  addEventHandler(handler: ResourceEventHandler<T>): ResourceEventHandlerRegistration {
    return this.addEventHandlerWithResyncPeriod(handler, this.#options.resyncPeriodMs ?? 0);
  }

  addEventHandlerWithResyncPeriod(handler: ResourceEventHandler<T>, requestedMs: number): ResourceEventHandlerRegistration {
    if (this.#state === "stopped")
      throw new Error(`the handler was not added to the shared informer of ${this.#name}: it has stopped already`);
    const listener = new ProcessorListener<T>({ handler, log: this.#options.runtime.log, resync: this.#resyncOf(requestedMs) });
    this.#processor.addListener(listener);
    const registration: ResourceEventHandlerRegistration = { hasSynced: () => this.hasSynced() && listener.isThroughInitialList };
    this.#registrations.set(registration, listener);
    if (this.#state === "running") for (const object of this.#indexer.list()) listener.add(addition(object, true));
    return registration;
  }

  removeEventHandler(registration: ResourceEventHandlerRegistration): void {
    const listener = this.#registrations.get(registration);
    if (listener === undefined) return;
    this.#registrations.delete(registration);
    this.#processor.removeListener(listener);
  }

  getStore(): ReadonlyIndexer<DeepReadonly<T>> {
    return this.getIndexer();
  }

  getIndexer(): ReadonlyIndexer<DeepReadonly<T>> {
    return this.#indexer as unknown as ReadonlyIndexer<DeepReadonly<T>>;
  }

  addIndexers(indexers: Indexers<T>): void {
    if (this.#state === "stopped")
      throw new Error(`the indexers were not added to the shared informer of ${this.#name}: it has stopped already`);
    this.#indexer.addIndexers(indexers);
  }

  getController(): Controller {
    return {
      run: (signal) => this.run(signal),
      hasSynced: () => this.hasSynced(),
      lastSyncResourceVersion: () => this.lastSyncResourceVersion(),
    };
  }

  setWatchErrorHandler(handler: (error: unknown) => void): void {
    this.#mustBeNew("the watch error handler");
    this.#watchErrorHandler = handler;
  }

  setTransform(transform: (object: T) => T): void {
    this.#mustBeNew("the transform");
    this.#transform = transform;
  }

  async run(signal: AbortSignal): Promise<void> {
    if (this.#state !== "new")
      return this.#options.runtime.log.warn("the shared informer has been run already; this call does nothing", { informer: this.#name });
    this.#state = "running";
    this.#controller = newController(this.#config());
    try {
      await this.#controller.run(signal);
    } finally {
      this.#state = "stopped";
      await this.#processor.stop();
    }
  }

  hasSynced(): boolean {
    return this.#controller?.hasSynced() ?? false;
  }

  lastSyncResourceVersion(): string {
    return this.#controller?.lastSyncResourceVersion() ?? "";
  }

  isStopped(): boolean {
    return this.#state === "stopped";
  }

  get #name(): string {
    return this.#options.name ?? this.#listerWatcher.description ?? "objects";
  }

  #mustBeNew(what: string): void {
    if (this.#state !== "new")
      throw new Error(`${what} of the shared informer of ${this.#name} cannot be set: informer has already started`);
  }

  #config(): Config<T> {
    const { runtime, objectType } = this.#options;
    return {
      runtime,
      name: this.#name,
      listerWatcher: this.#listerWatcher,
      queue: newDeltaFIFO<T>({
        keyFunc: metaNamespaceKeyFunc,
        knownObjects: this.#indexer,
        ...(this.#transform === undefined ? {} : { transformer: this.#transform }),
      }),
      process: (deltas, isInInitialList) => this.#handleDeltas(deltas, isInInitialList),
      fullResyncPeriodMs: this.#resyncCheckPeriodMs,
      shouldResync: () => this.#processor.shouldResync(),
      ...(objectType === undefined ? {} : { objectType }),
      ...(this.#watchErrorHandler === undefined ? {} : { watchErrorHandler: this.#watchErrorHandler }),
    };
  }

  #handleDeltas(deltas: Deltas<T>, isInInitialList: boolean): void {
    for (const delta of deltas) this.#handleDelta(delta, isInInitialList);
  }

  /** The store first, then the handlers; which of them is told what follows from what the store had. */
  #handleDelta({ type, object }: Delta<T>, isInInitialList: boolean): void {
    if (type === "Deleted") {
      this.#indexer.delete(object as T);
      return this.#processor.distribute({ isInInitialList: false, tell: (handler) => handler.onDelete(object as DeletedObject<T>) }, false);
    }
    const state = lastKnownState(object);
    if (state === undefined || object instanceof DeletedFinalStateUnknown) return;
    const before = this.#indexer.get(state);
    if (before === undefined) {
      this.#indexer.add(state);
      return this.#processor.distribute(addition(state, isInInitialList), false);
    }
    if (before.metadata.uid !== state.metadata.uid) return this.#handleSuccessor(before, state);
    this.#indexer.update(state);
    const isSync = type === "Sync" || before.metadata.resourceVersion === state.metadata.resourceVersion;
    this.#processor.distribute(
      { isInInitialList: false, tell: (handler) => handler.onUpdate(before as DeepReadonly<T>, state as DeepReadonly<T>) },
      isSync,
    );
  }

  /** Another object under the same name: one life ended unseen and another began. client-go tells this as an update. */
  #handleSuccessor(before: T, state: T): void {
    const tombstone = new DeletedFinalStateUnknown(metaNamespaceKeyFunc(before), before as DeepReadonly<T>);
    this.#indexer.update(state);
    this.#processor.distribute({ isInInitialList: false, tell: (handler) => handler.onDelete(tombstone) }, false);
    this.#processor.distribute(addition(state, false), false);
  }

  /** What a new handler gets of the resync period it asked for; before the start a shorter one makes everybody's look-up more frequent. */
  #resyncOf(requestedMs: number): { readonly periodMs: number; readonly requestedMs: number } {
    const { log } = this.#options.runtime;
    if (requestedMs <= 0) return { periodMs: 0, requestedMs: 0 };
    const asked = Math.max(requestedMs, minimumResyncPeriodMs);
    if (asked > requestedMs) log.warn("the resync period is too short; the least is one second", { informer: this.#name, requestedMs });
    if (this.#state !== "running" && this.#resyncCheckPeriodMs > 0 && asked < this.#resyncCheckPeriodMs) {
      this.#resyncCheckPeriodMs = asked;
      this.#processor.resyncCheckPeriodChanged(asked);
    } else if (this.#resyncCheckPeriodMs === 0)
      log.warn("the handler asked for resyncs, but the informer has none", { informer: this.#name, requestedMs });
    return { periodMs: effectiveResyncPeriod(asked, this.#resyncCheckPeriodMs), requestedMs: asked };
  }
}

function addition<T extends KubeObject>(object: T, isInInitialList: boolean): Notification<T> {
  return { isInInitialList, tell: (handler) => handler.onAdd(object as DeepReadonly<T>, isInInitialList) };
}
