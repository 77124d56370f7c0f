/**
 * A local copy of one collection on the server: objects by key and by index, and handlers that receive every change.
 *
 *     bytes of a watch → VersionSource → LazyWatchEvent    one line; its object is still bytes
 *     LazyWatchEvent → Reflector → Delta                   in the order of the server; a list is one delta
 *     Delta → DeltaQueue → InformerStore → Change<T>       what it changed in the store; decoded on first read
 *     Change<T> → HandlerSet → handler                     one buffer per handler; pending changes of a key are merged
 *
 * A controller's handler turns a change into requests for keys; the work queue hands each key to one worker.
 *
 *     const pods = createInformer({ source, runtime, indexers: { node: ({ object }) => [object.spec?.nodeName ?? ""] } });
 *     pods.addHandler(({ key }) => queue.add(key), { name: "pods to queue" });
 *     await pods.run(signal);
 */
import { definedOnly, Group, guardRuntime, sleep } from "@drover/machinery";
import type { DeepReadonly, GroupVersionResource, KubeObject, ObjectKey, Runtime } from "@drover/machinery";
import { auditCache } from "./audit.ts";
import type { AuditOptions } from "./audit.ts";
import { resyncHandler } from "../handlers/handler-resync.ts";
import type { ChangeHandler, HandlerOptions, HandlerRegistration, HandlerRunner, HandlerState } from "../handlers/handler-runner.ts";
import { InformerCore } from "./informer-core.ts";
import { CacheSnapshot } from "../snapshot/cache-snapshot.ts";
import type { CacheSnapshotOptions, KeptCache } from "../snapshot/cache-snapshot.ts";
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
import type { FollowedStore, StoreFollower } from "../store/store-follower.ts";
import type { IndexFunction, Indexers } from "../store/store-index.ts";
import type { Transform } from "../source/transformed-version.ts";
import type { VersionSource } from "../source/version-source.ts";

/** Options of `createInformer`. */
export interface InformerOptions<T extends KubeObject> {
  readonly source: VersionSource<T>;
  readonly runtime: Pick<Runtime, "clock" | "random" | "log" | "metrics">;
  /** Name in logs and metrics. @default the source's description */
  readonly name?: string;
  /** Resource for the labels of metrics. @default unknown */
  readonly resource?: GroupVersionResource;
  /** Name of the resource in the lister's "not found" errors; client-go's typed listers use "pod". @default the plural, "pods" */
  readonly singular?: string;
  /** Index functions by name; those that read only metadata parse nothing. "namespace" is built in. @default no further indexes */
  readonly indexers?: Indexers<ObjectVersion<T>>;
  /** Transforms every object before it is stored. @default no transform */
  readonly transform?: Transform<T>;
  /** Maximum queued deltas before backpressure stops the reflector. @default 4096 */
  readonly queueLengthMax?: number;
  /** Maximum time in milliseconds that the informer works before it yields to the event loop. @default 5 */
  readonly sliceMs?: number;
  /** How long the end of `run` waits for running handlers, in milliseconds. @default 5000 */
  readonly drainMs?: number;
  /** Options of the reflector. @default the defaults of the reflector */
  readonly reflector?: Omit<ReflectorOptions<T>, "source" | "sink" | "runtime" | "name" | "kept">;
  /** Keeps a snapshot of the cache, with which the next process starts. Not together with `transform`. @default no snapshot */
  readonly snapshot?: CacheSnapshotOptions;
  /** Periodic comparison of the cache with the server. @default no audit, because it needs its own source */
  readonly audit?: AuditOptions;
}

/** State of an informer. A copy: it does not change later. */
export interface InformerState {
  readonly name: string;
  /** Status of the reflector. */
  readonly reflector: ReflectorStatus;
  readonly hasSynced: boolean;
  /** Number of stored objects. */
  readonly size: number;
  readonly lastSyncResourceVersion: string;
  /** Number of deltas waiting to be stored. */
  readonly queued: number;
  readonly handlers: readonly HandlerState[];
}

/** What every user of a shared informer may do; only its owner runs it. */
export interface InformerView<T extends KubeObject> extends InformerReader<T> {
  readonly name: string;
  readonly lister: Lister<T>;
  /**
   * The informer behind this view: views of the same informer always show the same objects. @default absent if this is not a
   * view, or a view of several informers
   */
  readonly origin?: InformerView<T> | undefined;
  /** Declared fields of its objects, besides metadata (see `listWatcher`). @default absent, the objects are whole */
  readonly fields?: readonly string[] | undefined;
  /** Adds indexes at any time. Throws, and adds none, if this view already has an index of that name. */
  addIndexers(indexers: Indexers<ObjectVersion<T>>): void;
  /** Adds a handler. A late handler receives every stored object once, as an addition. Throws if the informer has stopped. */
  addHandler(handler: ChangeHandler<T>, options?: HandlerOptions): HandlerRegistration;
  /**
   * Calls the follower with every step of the store, in the turn in which it happens. @default absent for a view of several
   * informers, whose steps have no common order
   */
  readonly follow?: ((follower: StoreFollower<T>) => FollowedStore) | undefined;
  /** Whether the first list is stored and was passed to the handlers; see also `HandlerRegistration.hasSynced`. */
  readonly hasSynced: boolean;
  /** Resolves when `hasSynced` is true. Rejects with the signal's reason, or if the informer stops first. */
  synced(signal: AbortSignal): Promise<void>;
}

/**
 * Guarantees: the store is updated before handlers are notified; readers never see a partial list; changes of one object arrive in order;
 * an object replaced by another of the same name is a deletion and an addition; no error of the server ends the informer.
 */
export interface Informer<T extends KubeObject> extends InformerView<T> {
  follow(follower: StoreFollower<T>): FollowedStore;
  /**
   * Adds an index for one of several users and returns its internal name. Users with the same name and function share one
   * index; another function under a taken name gets another internal name.
   */
  shareIndexer(name: string, valuesOf: IndexFunction<ObjectVersion<T>>): string;
  /** Ends one use of a shared index; the last use removes it. */
  releaseIndexer(keptAs: string): void;
  /** Runs until the signal aborts, then resolves; stored objects can still be read. Call it once. */
  run(signal: AbortSignal): Promise<void>;
  /** Resource version up to which the store is complete; "" before the first list. */
  readonly lastSyncResourceVersion: string;
  state(): InformerState;
}

/** Creates an informer; it does nothing until `run`. */
export function createInformer<T extends KubeObject>(options: InformerOptions<T>): Informer<T> {
  return new CollectionInformer({ ...options, runtime: guardRuntime(options.runtime) });
}

const unknownResource: GroupVersionResource = { group: "", version: "", resource: "" };

class CollectionInformer<T extends KubeObject> implements Informer<T> {
  readonly name: string;
  readonly lister: Lister<T>;
  readonly #options: InformerOptions<T>;
  readonly #core: InformerCore<T>;
  readonly #reflector: Reflector;
  readonly #snapshot: CacheSnapshot<T> | undefined;
  readonly #reader: StoreReader<T>;
  /** Everything that starts with `run`. */
  readonly #resyncs: (() => void)[] = [];
  /** Shared indexes by internal name. */
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
      sliceMs = 5,
    } = options;
    this.name = name;
    this.#options = options;
    this.#core = new InformerCore<T>({ runtime, name, resource, transform, shelf: source.shelf, queueLengthMax, sliceMs });
    this.#core.store.versions.addIndexers(options.indexers ?? {});
    if (options.snapshot !== undefined && transform !== undefined)
      throw new TypeError(`informer of ${name}: snapshot keeps objects as the server sent them, so it cannot be used with transform`);
    this.#snapshot = options.snapshot === undefined ? undefined : new CacheSnapshot(options.snapshot, { source, runtime, informer: name });
    this.#reflector = createReflector({
      ...options.reflector,
      source,
      sink: this.#core.queue,
      runtime,
      name,
      ...definedOnly({ kept: this.#snapshot }),
    });
    this.#reader = new StoreReader(this.#core.store.versions, (key, error) => this.#core.unreadable(key, error));
    this.lister = createLister(this.#reader, { group: resource.group, resource: singular });
  }

  get fields(): readonly string[] | undefined {
    return this.#options.source.fields;
  }

  follow(follower: StoreFollower<T>): FollowedStore {
    return this.#core.follow(follower);
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
    if (this.#group !== undefined)
      throw new Error(`informer of ${this.name}: run was called twice; create a new informer for a second run`);
    const group = new Group({ signal });
    this.#group = group;
    if (!signal.aborted) {
      group.spawn("consumer", (stopping) => this.#core.consume(stopping));
      group.spawn("reflector", (stopping) => this.#reflector.run(stopping));
      // Beside the first list, which does not wait for the tables that the check loads.
      const { check } = this.#options.source;
      if (check !== undefined) group.spawn("check", check);
      this.#spawnAudit(group);
      const snapshot = this.#snapshot;
      if (snapshot !== undefined) group.spawn("snapshot", (stopping) => snapshot.keep(this.#keptCache(), stopping));
      for (const begin of this.#resyncs.splice(0)) begin();
    }
    try {
      await group.done();
    } catch (error) {
      // Waiters get the cause, not its consequence.
      if (!signal.aborted) this.#core.synced.break(error);
      throw error;
    } finally {
      await Promise.all([this.#end(), this.#snapshot?.keepLast(this.#keptCache())]);
    }
  }

  #keptCache(): KeptCache<T> {
    const core = this.#core;
    return {
      get resourceVersion() {
        return core.resourceVersion;
      },
      get contentId() {
        return core.contentId;
      },
      get isSynced() {
        return core.synced.isOpen;
      },
      versions: () => core.store.versions.values(),
    };
  }

  /** Delivers a resync in the order of the queue, so that it never contains an object that the handler has not received. */
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

  /** Waits for running handlers, at most `drainMs`. */
  async #end(): Promise<void> {
    const {
      runtime: { clock, log },
      drainMs = 5000,
    } = this.#options;
    this.#core.synced.break(new Error(`informer of ${this.name}: stopped before it had synced`));
    const running = new Map(this.#core.handlers.close().map(({ name, settled }) => [settled, name]));
    if (running.size === 0) return;
    const over = new AbortController();
    const all = Promise.all([...running.keys()].map((settled) => settled.then(() => running.delete(settled)))).then(() => over.abort());
    await Promise.race([all, sleep(clock, drainMs, { signal: over.signal }).catch(() => undefined)]);
    if (running.size > 0)
      log.warn("handlers were still running when the informer stopped, abandoning them", {
        informer: this.name,
        handlers: [...running.values()],
        afterMs: drainMs,
      });
  }
}
