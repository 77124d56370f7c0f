/**
 * An informer that keeps the bodies of its objects only up to a limit in bytes: keys, versions and indexes of all objects are local,
 * evicted bodies are read from the server.
 *
 *     const pods = createBoundedInformer({ source, runtime, bodyBytesMax: 64 * 2 ** 20, indexers: { node: … } });
 *     const pod = await pods.get(key);                 from the cache, or one GET
 *
 *     VersionSource → BodySource → Informer → boundedChange → handler
 *                         └→ BodyCache ← BodyReader → VersionSource.get
 */
import { countExceeded, definedOnly, guardRuntime } from "@drover/machinery";
import type { DeepReadonly, KubeObject, ObjectKey } from "@drover/machinery";
import { BodyCache } from "../bodies/body-cache.ts";
import { bodyMetrics } from "../bodies/body-metrics.ts";
import { BodyReader } from "../bodies/body-reader.ts";
import type { Fetched, ReadCall } from "../bodies/body-reader.ts";
import { BodySource } from "../bodies/body-source.ts";
import { BodyVersion, IndexFault } from "../bodies/body-version.ts";
import { boundedChange } from "../bodies/bounded-change.ts";
import type { BoundedChangeHandler } from "../bodies/bounded-change.ts";
import { ReadFlights, waitingReads } from "../bodies/read-flights.ts";
import type { HandlerOptions, HandlerRegistration } from "../handlers/handler-runner.ts";
import type { ObjectVersion } from "../source/object-version.ts";
import type { IndexFunction, Indexers } from "../store/store-index.ts";
import { createInformer } from "./informer.ts";
import type { Informer, InformerOptions, InformerState } from "./informer.ts";

/** Limits of a bounded informer. */
export interface BodyLimits {
  /**
   * Maximum bytes of cached bodies, as the server sent them, with 128 for each. Keys, versions and indexes, about 400 bytes per object,
   * come on top.
   */
  readonly bodyBytesMax: number;
  /** Maximum number of requests for evicted bodies at once. @default 16 */
  readonly bodyReadsMax?: number;
}

/** Options of `createBoundedInformer`. */
export interface BoundedInformerOptions<T extends KubeObject>
  extends
    Pick<InformerOptions<T>, "source" | "runtime" | "name" | "resource" | "queueLengthMax" | "sliceMs" | "drainMs" | "reflector" | "audit">,
    BodyLimits {
  /**
   * Index functions by name. They run once, when an object arrives, and their values stay when its body is evicted; so an index cannot be
   * added later. "namespace" is built in. @default no further indexes
   */
  readonly indexers?: Indexers<ObjectVersion<T>>;
}

/** What is always known of an object. */
export type ObjectIdentity = Pick<ObjectVersion, "key" | "uid" | "resourceVersion" | "isTerminating">;

/** State of a bounded informer. A copy: it does not change later. */
export interface BoundedInformerState extends InformerState {
  /** Cached bodies, their bytes, and the limit of these. */
  readonly bodies: { readonly count: number; readonly bytes: number; readonly bytesMax: number };
}

/** What every user of a bounded informer may do; only its owner runs it. */
export interface BoundedInformerView<T extends KubeObject> {
  readonly name: string;
  readonly size: number;
  /** Declared fields of its objects, besides metadata (see `listWatcher`). @default absent, the objects are whole */
  readonly fields?: readonly string[] | undefined;
  /** Returns what is known of an object without its body; undefined if there is none. */
  identity(key: ObjectKey): ObjectIdentity | undefined;
  keys(): ObjectKey[];
  /** Returns the sorted keys with this index value. Throws if the index does not exist. */
  indexKeys(index: string, value: string): ObjectKey[];
  /** Returns all values of an index that have keys. Throws if the index does not exist. */
  listIndexValues(index: string): string[];
  readonly indexNames: readonly string[];
  /**
   * Returns the object, from the cache or with one request; undefined if there is none, or the server no longer has the one that the cache
   * lists. Concurrent reads of one key share a request. The result is at least as new as the cache was at the call, and may be newer.
   *
   * Rejects with errors of the request (`ApiError`), with a `StaleReadError` if the server only has older states, with a
   * `PoisonObjectError`, with the signal's reason, and with a `BudgetExceededError` when ten thousand readers wait.
   */
  get(key: ObjectKey, call?: ReadCall): Promise<DeepReadonly<T> | undefined>;
  /** Yields the objects with this index value in the order of their keys, each as `get` does, eight at a time. */
  byIndex(index: string, value: string, call?: ReadCall): AsyncIterableIterator<DeepReadonly<T>, void, undefined>;
  /**
   * Yields all objects from the server, in pages of 500, at a state not older than the cache at the call. Neither reads nor fills the
   * cache. Rejects as `get` does; if the server compacts the state meanwhile, later pages are of a newer one.
   */
  list(call?: ReadCall): AsyncIterableIterator<DeepReadonly<T>, void, undefined>;
  /** Adds a handler. A late handler receives every stored object once, as an addition. Throws if the informer has stopped. */
  addHandler(handler: BoundedChangeHandler<T>, options?: HandlerOptions): HandlerRegistration;
  /** Whether the first list is stored and was passed to the handlers; before that, reads find nothing. */
  readonly hasSynced: boolean;
  /** Resolves when `hasSynced` is true. Rejects with the signal's reason, or if the informer stops first. */
  synced(signal: AbortSignal): Promise<void>;
}

/**
 * Guarantees: those of an informer; and cached bodies never exceed the limit, not even during a list; a body is only returned for the
 * version that the cache knows, or a later one of the same uid.
 */
export interface BoundedInformer<T extends KubeObject> extends BoundedInformerView<T> {
  /** Runs until the signal aborts, then resolves. Ends open requests for bodies; what is cached can still be read. Call it once. */
  run(signal: AbortSignal): Promise<void>;
  /** Resource version up to which the store is complete; "" before the first list. */
  readonly lastSyncResourceVersion: string;
  state(): BoundedInformerState;
}

/**
 * Creates a bounded informer; it does nothing until `run`. Throws a `TypeError` for a limit that is no number of bytes, and for a source
 * that cannot read single objects; `listWatcher` can.
 */
export function createBoundedInformer<T extends KubeObject>(options: BoundedInformerOptions<T>): BoundedInformer<T> {
  const { source, name = source.description } = options;
  checkLimits(options, name);
  for (const refused of ["snapshot", "transform"] as const)
    if ((options as Partial<InformerOptions<T>>)[refused] !== undefined) throw new TypeError(`informer of ${name}: ${refusals[refused]}`);
  if (source.get === undefined || source.restorer === undefined)
    throw new TypeError(
      `informer of ${name}: bodyBytesMax needs a source that keeps objects as bytes and reads single ones; create it with listWatcher`,
    );
  return new BodiesInformer({ ...options, runtime: guardRuntime(options.runtime) }, name);
}

const refusals = {
  snapshot: "with bodyBytesMax most bodies are not in memory, so there is nothing to keep in a snapshot; omit one of the two",
  transform: "bodyBytesMax keeps objects as the server sent them, so it cannot be used with transform; declare fields instead",
} as const;

/** Throws a `TypeError` for limits that are no numbers. */
export function checkLimits({ bodyBytesMax, bodyReadsMax = 16 }: BodyLimits, name: string): void {
  if (!Number.isFinite(bodyBytesMax) || bodyBytesMax < 0)
    throw new TypeError(`informer of ${name}: bodyBytesMax: expected a number of bytes, such as 64 * 2 ** 20, but it is ${bodyBytesMax}`);
  if (!Number.isSafeInteger(bodyReadsMax) || bodyReadsMax < 1)
    throw new TypeError(`informer of ${name}: bodyReadsMax: expected a whole number of at least 1, but it is ${bodyReadsMax}`);
}

class BodiesInformer<T extends KubeObject> implements BoundedInformer<T> {
  readonly name: string;
  readonly #inner: Informer<T>;
  readonly #bodies: BodyCache;
  readonly #bytesMax: number;
  readonly #flights: ReadFlights<Fetched<T>>;
  readonly #reader: BodyReader<T>;

  constructor(options: BoundedInformerOptions<T>, name: string) {
    const { source, runtime, bodyBytesMax, bodyReadsMax = 16, indexers = {}, resource, queueLengthMax, sliceMs, drainMs } = options;
    const { clock, log } = runtime;
    this.name = name;
    this.#bytesMax = bodyBytesMax;
    const metrics = bodyMetrics(runtime.metrics, name);
    const known = (key: ObjectKey): BodyVersion<T> | undefined => this.#inner.getVersion(key) as BodyVersion<T> | undefined;
    let hasEvicted = false;
    const onEvicted = (): void => {
      metrics.evicted.add();
      if (hasEvicted) return;
      hasEvicted = true;
      log.info("limit of cached bodies reached, evicting; evicted bodies are read from the server", { informer: name, bodyBytesMax });
    };
    this.#bodies = new BodyCache({ bytesMax: bodyBytesMax, onEvicted, onBytes: (bytes) => metrics.bytes.set(bytes) });
    this.#flights = new ReadFlights({
      flightsMax: bodyReadsMax,
      onOpen: (open) => metrics.open.set(open),
      onRefused: () => countExceeded(runtime.metrics, waitingReads),
    });
    const named = Object.entries(indexers);
    const bodies = new BodySource<T>({ source, bodies: this.#bodies, indexFunctions: named.map(([, valuesOf]) => valuesOf), known });
    this.#inner = createInformer<T>({
      ...definedOnly({ resource, queueLengthMax, sliceMs, drainMs, reflector: options.reflector, audit: options.audit }),
      source: bodies,
      runtime,
      name,
      indexers: Object.fromEntries(named.map(([index], at) => [index, indexedAt<T>(at)])),
    });
    this.#reader = new BodyReader<T>({
      source,
      bodies: this.#bodies,
      flights: this.#flights,
      metrics,
      clock,
      log,
      name,
      known,
      version: () => this.#inner.lastSyncResourceVersion,
    });
  }

  get size(): number {
    return this.#inner.size;
  }

  get fields(): readonly string[] | undefined {
    return this.#inner.fields;
  }

  identity(key: ObjectKey): ObjectIdentity | undefined {
    const version = this.#inner.getVersion(key);
    if (version === undefined) return undefined;
    const { uid, resourceVersion, isTerminating } = version;
    return { key, uid, resourceVersion, isTerminating };
  }

  keys(): ObjectKey[] {
    return this.#inner.keys();
  }

  indexKeys(index: string, value: string): ObjectKey[] {
    return this.#inner.indexKeys(index, value);
  }

  listIndexValues(index: string): string[] {
    return this.#inner.listIndexValues(index);
  }

  get indexNames(): readonly string[] {
    return this.#inner.indexNames;
  }

  get(key: ObjectKey, call?: ReadCall): Promise<DeepReadonly<T> | undefined> {
    return this.#reader.get(key, call);
  }

  byIndex(index: string, value: string, call?: ReadCall): AsyncIterableIterator<DeepReadonly<T>, void, undefined> {
    return this.#reader.each(this.indexKeys(index, value), call);
  }

  list(call?: ReadCall): AsyncIterableIterator<DeepReadonly<T>, void, undefined> {
    return this.#reader.list(call);
  }

  addHandler(handler: BoundedChangeHandler<T>, options: HandlerOptions = {}): HandlerRegistration {
    const named = options.name === undefined && handler.name !== "" ? { ...options, name: handler.name } : options;
    return this.#inner.addHandler((change) => handler(boundedChange(change)), named);
  }

  get hasSynced(): boolean {
    return this.#inner.hasSynced;
  }

  synced(signal: AbortSignal): Promise<void> {
    return this.#inner.synced(signal);
  }

  get lastSyncResourceVersion(): string {
    return this.#inner.lastSyncResourceVersion;
  }

  state(): BoundedInformerState {
    const { size: count, bytes } = this.#bodies;
    return { ...this.#inner.state(), bodies: { count, bytes, bytesMax: this.#bytesMax } };
  }

  async run(signal: AbortSignal): Promise<void> {
    try {
      await this.#inner.run(signal);
    } finally {
      this.#flights.close(new Error(`informer of ${this.name}: stopped, so evicted bodies can no longer be read`));
    }
  }
}

/** Returns the values that the index function at this place had when the object arrived. */
function indexedAt<T extends KubeObject>(place: number): IndexFunction<ObjectVersion<T>> {
  return (version) => {
    const values = version instanceof BodyVersion ? version.indexed[place] : undefined;
    if (values instanceof IndexFault) throw values.error;
    return typeof values === "string" ? [values] : (values ?? []);
  };
}
