/**
 * A local copy of one collection on the server: objects by key and by index, and handlers that receive every change.
 *
 *     bytes of a watch → VersionSource → LazyWatchEvent    one line; its object is still bytes
 *     LazyWatchEvent → Reflector → Delta                   in the order of the server; a list is one delta
 *     Delta → DeltaQueue → InformerStore → Change<T>       what it changed in the store; decoded on first read
 *     Change<T> → HandlerSet → handler                     one buffer per handler; waiting changes of a key are merged
 *
 * A controller's handler turns a change into requests for keys; the work queue hands each key to one worker.
 *
 *     const pods = createInformer({ source, runtime, indexers: { node: ({ object }) => [object.spec?.nodeName ?? ""] } });
 *     pods.addHandler(({ key }) => queue.add(key), { name: "pods to queue" });
 *     await pods.run(signal);
 */
import { Group, sleep } from "@drover/machinery";
import type { DeepReadonly, GroupVersionResource, KubeObject, ObjectKey, Runtime } from "@drover/machinery";
import { auditCache } from "./audit.ts";
import type { AuditOptions } from "./audit.ts";
import { resyncHandler } from "../handlers/handler-resync.ts";
import type { ChangeHandler, HandlerOptions, HandlerRegistration, HandlerRunner, HandlerState } from "../handlers/handler-runner.ts";
import { InformerCore } from "./informer-core.ts";
import { StoreReader } from "./informer-reader.ts";
import type { InformerReader } from "./informer-reader.ts";
import type { ListFilter } from "./list-filter.ts";
import { createLister } from "./lister.ts";
import type { Lister } from "./lister.ts";
import type { ObjectVersion } from "../source/object-version.ts";
import { createReflector } from "../reflector/reflector.ts";
import type { Reflector, ReflectorOptions } from "../reflector/reflector.ts";
import type { ReflectorStatus } from "../reflector/reflector-status.ts";
import { UpdatedChange } from "../store/change.ts";
import type { IndexFunction, Indexers } from "../store/store-index.ts";
import type { Transform } from "../source/transformed-version.ts";
import type { VersionSource } from "../source/version-source.ts";

export interface InformerOptions<T extends KubeObject> {
  readonly source: VersionSource<T>;
  readonly runtime: Pick<Runtime, "clock" | "random" | "log" | "metrics">;
  /** Stands in logs and metrics. @default the source's description */
  readonly name?: string;
  /** What it holds, for the labels of metrics. @default not known */
  readonly resource?: GroupVersionResource;
  /** How the lister's "not found" names it; client-go's typed listers say "pod". @default the resource's own word, "pods" */
  readonly singular?: string;
  /** Index functions by name; one that looks only at metadata never parses. "namespace" is there already. @default none */
  readonly indexers?: Indexers<ObjectVersion<T>>;
  /** Changes each object on its way in. @default as it came */
  readonly transform?: Transform<T>;
  /** From how many waiting deltas on the reflector is asked to wait. @default 4096 */
  readonly queueLengthMax?: number;
  /** How long work may go on before others have their turn, in milliseconds. @default 10 */
  readonly sliceMs?: number;
  /** How long the end of `run` waits for handlers that are at work, in milliseconds. @default 5000 */
  readonly drainMs?: number;
  /** How it lists and watches. @default the reflector's own defaults */
  readonly reflector?: Omit<ReflectorOptions<T>, "source" | "sink" | "runtime" | "name">;
  /** Compares the cache with the server now and then, and repairs it. @default not done, since it needs a source of its own */
  readonly audit?: AuditOptions;
}

export interface InformerState {
  readonly name: string;
  /** Listing, watching, backing off and why. */
  readonly reflector: ReflectorStatus;
  readonly hasSynced: boolean;
  /** Objects in the store. */
  readonly size: number;
  readonly lastSyncResourceVersion: string;
  /** Deltas that wait to be stored. */
  readonly queued: number;
  readonly handlers: readonly HandlerState[];
}

/** What every user of a shared informer may do; running it is the affair of whoever made it. */
export interface InformerView<T extends KubeObject> extends InformerReader<T> {
  readonly name: string;
  readonly lister: Lister<T>;
  /**
   * The one informer that a view of it looks into: views of the same one show the same at any time. @default it is no
   * view, or one of several
   */
  readonly origin?: InformerView<T> | undefined;
  /** Adds indexes at any time. Throws, and adds none, when this view has an index of that name already. */
  addIndexers(indexers: Indexers<ObjectVersion<T>>): void;
  /** Whoever comes late is told of what is there as added, once. Throws when the informer is over. */
  addHandler(handler: ChangeHandler<T>, options?: HandlerOptions): HandlerRegistration;
  /** Whether the first list is stored and handed to the handlers. Whether a handler has dealt with it, its registration knows. */
  readonly hasSynced: boolean;
  /** Resolves when `hasSynced`. Rejects with the signal's reason, or when the informer ends before. */
  synced(signal: AbortSignal): Promise<void>;
}

/**
 * Guarantees: the store is written before a handler is told; a reader never sees half a list; what a handler is told of one object comes in
 * order, and an object under the name of another is told as the end of one and the beginning of the other; no error of the server ends it.
 */
export interface Informer<T extends KubeObject> extends InformerView<T> {
  /**
   * Adds an index for one of several users and returns the name under which it is kept. Users with the same name and
   * the same function share one index; another function under a taken name is kept under a name of its own.
   */
  shareIndexer(name: string, valuesOf: IndexFunction<ObjectVersion<T>>): string;
  /** Ends one use of a shared index; the last use removes it. */
  releaseIndexer(keptAs: string): void;
  /** Works until the signal is aborted, then resolves; what is stored can still be read. Can be called once. */
  run(signal: AbortSignal): Promise<void>;
  /** The version the store is at; "" before the first list. */
  readonly lastSyncResourceVersion: string;
  state(): InformerState;
}

/** An informer; it does nothing until it is run. */
export function createInformer<T extends KubeObject>(options: InformerOptions<T>): Informer<T> {
  return new CollectionInformer(options);
}

const unknownResource: GroupVersionResource = { group: "", version: "", resource: "" };

class CollectionInformer<T extends KubeObject> implements Informer<T> {
  readonly name: string;
  readonly lister: Lister<T>;
  readonly #options: InformerOptions<T>;
  readonly #core: InformerCore<T>;
  readonly #reflector: Reflector;
  readonly #reader: StoreReader<T>;
  /** What begins with `run`. */
  readonly #resyncs: (() => void)[] = [];
  /** Indexes that users share, by the name they are kept under. */
  readonly #sharedIndexes = new Map<string, { readonly valuesOf: IndexFunction<ObjectVersion<T>>; uses: number }>();
  #group: Group | undefined;

  constructor(options: InformerOptions<T>) {
    const {
      source,
      runtime,
      name = source.description,
      resource = unknownResource,
      singular = resource.resource,
      transform,
      queueLengthMax = 4096,
      sliceMs = 10,
    } = options;
    this.name = name;
    this.#options = options;
    this.#core = new InformerCore<T>({ runtime, name, resource, transform, shelf: source.shelf, queueLengthMax, sliceMs });
    this.#core.store.versions.addIndexers(options.indexers ?? {});
    this.#reflector = createReflector({ ...options.reflector, source, sink: this.#core.queue, runtime, name });
    this.#reader = new StoreReader(this.#core.store.versions, (key, error) => this.#core.unreadable(key, error));
    this.lister = createLister(this.#reader, { group: resource.group, resource: singular });
  }

  get size(): number {
    return this.#reader.size;
  }

  get(key: ObjectKey): DeepReadonly<T> | undefined {
    return this.#reader.get(key);
  }

  getVersion(key: ObjectKey): ObjectVersion<T> | undefined {
    return this.#reader.getVersion(key);
  }

  list(filter?: ListFilter): DeepReadonly<T>[] {
    return this.#reader.list(filter);
  }

  keys(): ObjectKey[] {
    return this.#reader.keys();
  }

  byIndex(index: string, value: string): DeepReadonly<T>[] {
    return this.#reader.byIndex(index, value);
  }

  indexKeys(index: string, value: string): ObjectKey[] {
    return this.#reader.indexKeys(index, value);
  }

  listIndexValues(index: string): string[] {
    return this.#reader.listIndexValues(index);
  }

  get indexNames(): readonly string[] {
    return this.#reader.indexNames;
  }

  addIndexers(indexers: Indexers<ObjectVersion<T>>): void {
    this.#core.store.versions.addIndexers(indexers);
  }

  shareIndexer(name: string, valuesOf: IndexFunction<ObjectVersion<T>>): string {
    let keptAs = name;
    for (let copy = 2; this.indexNames.includes(keptAs); copy++) {
      const shared = this.#sharedIndexes.get(keptAs);
      if (shared?.valuesOf === valuesOf) {
        shared.uses++;
        return keptAs;
      }
      keptAs = `${name} (${copy})`;
    }
    this.addIndexers({ [keptAs]: valuesOf });
    this.#sharedIndexes.set(keptAs, { valuesOf, uses: 1 });
    return keptAs;
  }

  releaseIndexer(keptAs: string): void {
    const shared = this.#sharedIndexes.get(keptAs);
    if (shared === undefined || --shared.uses > 0) return;
    this.#sharedIndexes.delete(keptAs);
    this.#core.store.versions.removeIndexer(keptAs);
  }

  get hasSynced(): boolean {
    return this.#core.synced.isOpen;
  }

  synced(signal: AbortSignal): Promise<void> {
    return this.#core.synced.wait(signal);
  }

  get lastSyncResourceVersion(): string {
    return this.#core.resourceVersion;
  }

  state(): InformerState {
    const { name, size, hasSynced, lastSyncResourceVersion } = this;
    return {
      name,
      size,
      hasSynced,
      lastSyncResourceVersion,
      reflector: this.#reflector.state(),
      queued: this.#core.queue.length,
      handlers: this.#core.handlers.states(),
    };
  }

  addHandler(handler: ChangeHandler<T>, options: HandlerOptions = {}): HandlerRegistration {
    const runner = this.#core.handlers.add(handler, options, this.#core.store.versions.values());
    const { resyncMs = 0 } = options;
    if (resyncMs === 0) return runner;
    if (this.#group === undefined) this.#resyncs.push(() => this.#resync(runner, resyncMs));
    else this.#resync(runner, resyncMs);
    return runner;
  }

  async run(signal: AbortSignal): Promise<void> {
    if (this.#group !== undefined) throw new Error(`informer of ${this.name}: run was called twice; make a new informer for a second run`);
    const group = new Group({ signal });
    this.#group = group;
    if (!signal.aborted) {
      group.spawn("consumer", (stopping) => this.#core.consume(stopping));
      group.spawn("reflector", (stopping) => this.#reflector.run(stopping));
      this.#spawnAudit(group);
      for (const begin of this.#resyncs.splice(0)) begin();
    }
    try {
      await group.done();
    } finally {
      await this.#end();
    }
  }

  /** Told in the queue's order, so that a resync never speaks of an object the handler has not been told of. */
  #resync(runner: HandlerRunner<T>, periodMs: number): void {
    const {
      queue,
      store: { versions },
      handlers,
    } = this.#core;
    const tell = (keys: readonly string[]): void =>
      queue.enqueue(() => {
        for (const key of keys) {
          const version = versions.get(key);
          if (version !== undefined) handlers.tell(new UpdatedChange({ version, before: version, isResync: true }), [runner]);
        }
      });
    resyncHandler(
      { clock: this.#options.runtime.clock, periodMs, hasSynced: () => runner.hasSynced, keys: () => versions.keys(), tell },
      runner.removal,
    );
  }

  #spawnAudit(group: Group): void {
    const { audit, runtime } = this.#options;
    if (audit === undefined) return;
    group.spawn("audit", (signal) =>
      auditCache({ ...audit, runtime, name: this.name, core: this.#core, relist: (why) => this.#reflector.relist(why) }, signal),
    );
  }

  /** Waits for handlers at work, but not for ever. */
  async #end(): Promise<void> {
    const {
      runtime: { clock, log },
      drainMs = 5000,
    } = this.#options;
    this.#core.synced.break(new Error(`informer of ${this.name}: it ended before it had synced`));
    const running = new Map(this.#core.handlers.close().map(({ name, settled }) => [settled, name]));
    if (running.size === 0) return;
    const over = new AbortController();
    const all = Promise.all([...running.keys()].map((settled) => settled.then(() => running.delete(settled)))).then(() => over.abort());
    await Promise.race([all, sleep(clock, drainMs, { signal: over.signal }).catch(() => undefined)]);
    if (running.size > 0)
      log.warn("handlers were still at work when the informer ended; they were left behind", {
        informer: this.name,
        handlers: [...running.values()],
        afterMs: drainMs,
      });
  }
}
