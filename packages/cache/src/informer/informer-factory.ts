/**
 * Shared informers: one per kind, namespace, selector, projection and declared fields, for any number of users.
 *
 *     const factory = createInformerFactory({ runtime, sourceFor: (request) => listWatcher({ transport, clock, ...request }) });
 *     const pods = factory.acquire(Pod, { namespace: ["shop", "home"] });      started with the first lease, stopped after the last
 *     pods.informer.addHandler(…); … pods.release();
 */
import { callSafely, abortable, definedOnly, Group, isInterrupted, printGroupResource, withTimeout } from "@drover/machinery";
import type { Kind, KubeObject, ListOptions, PartialObjectMetadata, Runtime } from "@drover/machinery";
import { allNamespaces, fieldSelectorText, labelSelectorText } from "@drover/client";
import type { FieldSelection, LabelSelection } from "@drover/client";
import type { AuditOptions } from "./audit.ts";
import { checkLimits, createBoundedInformer } from "./bounded-informer.ts";
import type { BodyLimits, BoundedInformer, BoundedInformerOptions, BoundedInformerState, BoundedInformerView } from "./bounded-informer.ts";
import { LeasedBounded } from "./bounded-lease.ts";
import { createInformer } from "./informer.ts";
import type { Informer, InformerOptions, InformerState, InformerView } from "./informer.ts";
import { JoinedInformer } from "./joined-informer.ts";
import type { ListWatcherSettings } from "../source/late-list-watcher.ts";
import { sortedFields } from "../source/field-limit.ts";
import { filterSelector } from "./list-filter.ts";
import { NotSyncedError, unsyncedReason } from "./not-synced-error.ts";
import type { CacheSnapshotOptions } from "../snapshot/cache-snapshot.ts";
import { snapshotName } from "../snapshot/snapshot-name.ts";
import type { SnapshotOptions } from "../snapshot/snapshot-store.ts";
import type { Transform } from "../source/transformed-version.ts";
import type { VersionSource } from "../source/version-source.ts";

/** Request for a source; `listWatcher` accepts it. */
export type SourceRequest<T extends KubeObject> = Pick<
  ListWatcherSettings,
  "namespace" | "labelSelector" | "fieldSelector" | "tweakListOptions" | "projection" | "fields" | "keepManagedFields" | "watchList"
> & {
  readonly kind: Kind<T>;
};

/** Snapshots of all informers of a factory; `server` asks the server who it is. */
export type FactorySnapshotOptions = Omit<SnapshotOptions, "server"> &
  Pick<CacheSnapshotOptions, "server"> & {
    /** Tells the snapshots of several servers in one store apart. @default "" */
    readonly address?: string;
  };

/** Options of `createInformerFactory`. */
export interface InformerFactoryOptions {
  readonly runtime: Pick<Runtime, "clock" | "random" | "log" | "metrics">;
  /** Creates the source of an informer. */
  readonly sourceFor: <T extends KubeObject>(request: SourceRequest<T>) => VersionSource<T>;
  /** Options of all informers. @default the defaults of the informer */
  readonly informer?: Pick<InformerOptions<KubeObject>, "queueLengthMax" | "sliceMs" | "drainMs" | "reflector">;
  /** Snapshots of the caches, with which the next process starts. @default no snapshots */
  readonly snapshot?: FactorySnapshotOptions;
  /** Periodic audit of each cache with a list of metadata, sometimes of whole objects; false disables it. @default every ten minutes */
  readonly audit?: Omit<AuditOptions, "source" | "content"> | false;
}

/** Selects objects of a kind. Equal requests share an informer. */
export interface InformerRequest<T extends KubeObject = KubeObject> {
  /** Namespaces, with one informer each. @default all namespaces, with one informer */
  readonly namespace?: string | readonly string[];
  /** Label selector. @default all objects */
  readonly labelSelector?: LabelSelection;
  /** Field selector. @default all objects */
  readonly fieldSelector?: FieldSelection;
  /**
   * Changes the options of every list and watch. Requests share an informer only if it is the same function.
   * @default options are unchanged
   */
  readonly tweakListOptions?: (options: ListOptions) => ListOptions;
  /**
   * Paths of the fields to keep, besides metadata; see `listWatcher`. Requests share an informer only if they declare the same fields, in
   * any order: each informer keeps what was declared. `withFields` declares them with the kind, and narrows the type.
   * @default those of the kind; whole objects
   */
  readonly fields?: readonly string[];
  /** Keeps `metadata.managedFields`. @default false */
  readonly keepManagedFields?: boolean;
  /** Whether the initial list may be a stream (`sendInitialEvents`); some aggregated servers cannot do that. @default true */
  readonly watchList?: boolean;
  /** Transforms every object before it is stored. Requests share an informer only if it is the same function. @default no transform */
  readonly transform?: Transform<T>;
}

/** One user's lease of a shared informer. */
export interface InformerLease<T extends KubeObject> {
  readonly informer: InformerView<T>;
  /** States of its informers: one, or one per requested namespace. */
  state(): readonly InformerState[];
  /** Calls the handler with every failed list or watch, all of which are retried. Ends with the lease. */
  onWatchError(handler: (error: unknown) => void): void;
  /** Removes the handlers and indexes added through this lease; the last release stops the informer. */
  release(): void;
}

/**
 * Selects objects of a kind whose bodies are cached up to a limit. Equal requests, with equal limits and the same index functions, share an
 * informer.
 */
export interface BoundedInformerRequest<T extends KubeObject = KubeObject>
  extends Omit<InformerRequest<T>, "namespace" | "transform">, BodyLimits, Pick<BoundedInformerOptions<T>, "indexers"> {
  /** One namespace. @default all namespaces */
  readonly namespace?: string;
}

/** One user's lease of a shared bounded informer. */
export interface BoundedInformerLease<T extends KubeObject> extends Pick<InformerLease<T>, "onWatchError" | "release"> {
  readonly informer: BoundedInformerView<T>;
  state(): BoundedInformerState;
}

/** Guarantees: at most one informer runs per request; one without leases may still be stopping. */
export interface InformerFactory {
  /**
   * Returns a lease of the informer of a kind; creates the informer for the first lease, and starts it if the factory runs. The kind
   * may come from discovery.
   */
  acquire<T extends KubeObject>(kind: Kind<T>, request?: InformerRequest<NoInfer<T>>): InformerLease<T>;
  /** Returns a lease of an informer that receives and caches only metadata. */
  acquireMetadata(kind: Kind, request?: InformerRequest<PartialObjectMetadata>): InformerLease<PartialObjectMetadata>;
  /**
   * Returns a lease of an informer that caches bodies up to `bodyBytesMax` and reads evicted ones from the server, for kinds with very many
   * objects; see `createBoundedInformer`. It keeps no snapshot.
   */
  acquireBounded<T extends KubeObject>(kind: Kind<T>, request: BoundedInformerRequest<NoInfer<T>>): BoundedInformerLease<T>;
  /**
   * Reports whether there is a lease of all objects of this kind, as from `acquire(kind)`; then a user of their metadata needs
   * no second watch.
   */
  holds(kind: Kind): boolean;
  /**
   * Runs all informers, also those acquired later, until the signal aborts. Several users may run one factory: informers stop
   * with the last of them, and earlier leases have ended by then. It may run again.
   */
  run(signal: AbortSignal): Promise<void>;
  /**
   * Resolves when every informer that has a lease now has synced. Rejects with the signal's reason, or after `timeoutMs` with a
   * `NotSyncedError` that names those that have not, and why.
   */
  waitForSync(signal: AbortSignal, options?: { /** In milliseconds. @default Infinity */ readonly timeoutMs?: number }): Promise<void>;
  /** Returns the states of all informers with a lease. */
  state(): readonly InformerState[];
}

/** Creates a factory; it sends nothing until it runs. */
export function createInformerFactory(options: InformerFactoryOptions): InformerFactory {
  const factory = new LeasedInformers(options);
  return {
    acquire: (kind, request = {}) => factory.acquire({ ...withFieldsOf(kind, request), kind, projection: "full" }),
    acquireMetadata: (kind, request) => factory.acquire({ ...request, kind: kind as Kind<PartialObjectMetadata>, projection: "metadata" }),
    acquireBounded: (kind, request) => factory.acquireBounded({ ...withFieldsOf(kind, request), kind, projection: "full" }),
    holds: (kind) => factory.holds({ ...withFieldsOf(kind, {}), kind, projection: "full" }),
    run: (signal) => factory.run(signal),
    waitForSync: (signal, { timeoutMs = Infinity } = {}) => factory.waitForSync(signal, timeoutMs),
    state: () => factory.state(),
  };
}

/** A limited kind declares fields of every request. */
function withFieldsOf<R extends Pick<InformerRequest, "fields">>({ kind, fields }: Pick<Kind, "kind" | "fields">, request: R): R {
  if (fields === undefined) return request;
  if (request.fields !== undefined)
    throw new TypeError(`informer of ${kind}: fields are declared by the kind (withFields) and by the request; declare them in one place`);
  return { ...request, fields };
}

interface Entry<T extends KubeObject, I extends Informer<T> | BoundedInformer<T> = Informer<T>> {
  readonly informer: I;
  readonly watchErrorHandlers: Set<(error: unknown) => void>;
  readonly stop: AbortController;
  leases: number;
}

/** One run of the factory, from its first runner to its last. */
interface Running {
  readonly group: Group;
  readonly stopping: AbortController;
  readonly done: Promise<void>;
  runners: number;
}

type Asked<T extends KubeObject> = InformerRequest<T> & { readonly kind: Kind<T>; readonly projection: "full" | "metadata" };

type AskedBounded<T extends KubeObject> = BoundedInformerRequest<T> & Pick<Asked<T>, "kind" | "projection">;

/** An informer of either form, as far as the factory runs it. */
type AnyEntry<T extends KubeObject> = Entry<T, Informer<T> | BoundedInformer<T>>;

class LeasedInformers {
  readonly #options: InformerFactoryOptions;
  readonly #entries = new Map<string, AnyEntry<KubeObject>>();
  /** Functions cannot be compared as text, so each has a number. */
  readonly #functions = new WeakMap<object, number>();
  #functionCount = 0;
  #running: Running | undefined;

  constructor(options: InformerFactoryOptions) {
    this.#options = options;
  }

  acquire<T extends KubeObject>(asked: Asked<T>): InformerLease<T> {
    const held = namespacesOf(asked).map((namespace) => this.#hold(this.#keyOf(asked, namespace), () => this.#make(asked, namespace)));
    const { group, singular } = asked.kind;
    const joined = new JoinedInformer<T>(
      held.map(([, entry]) => entry.informer),
      { group, resource: singular },
    );
    let isHeld = true;
    const onError: ((error: unknown) => void)[] = [];
    return {
      informer: joined,
      state: () => held.map(([, entry]) => entry.informer.state()),
      onWatchError: (handler) => {
        onError.push(handler);
        for (const [, entry] of held) entry.watchErrorHandlers.add(handler);
      },
      release: () => {
        if (!isHeld) return;
        isHeld = false;
        joined.release();
        for (const [key, entry] of held) {
          for (const handler of onError) entry.watchErrorHandlers.delete(handler);
          this.#letGo(key, entry);
        }
      },
    };
  }

  acquireBounded<T extends KubeObject>(asked: AskedBounded<T>): BoundedInformerLease<T> {
    const [namespace, ...others] = namespacesOf(asked);
    if (others.length > 0)
      throw new TypeError(
        `informer of ${asked.kind.plural}: with bodyBytesMax it is of one namespace or of all; acquire one for each namespace`,
      );
    checkLimits(asked, asked.kind.plural);
    const { bodyBytesMax, bodyReadsMax = 16, indexers = {} } = asked;
    const functions = Object.entries(indexers).map(([name, valuesOf]) => [name, this.#numberOf(valuesOf)]);
    const key = JSON.stringify([this.#keyOf(asked, namespace), bodyBytesMax, bodyReadsMax, functions]);
    const [, entry] = this.#hold(key, () => this.#makeBounded(asked, namespace));
    const view = new LeasedBounded<T>(entry.informer);
    let isHeld = true;
    const onError: ((error: unknown) => void)[] = [];
    return {
      informer: view,
      state: () => entry.informer.state(),
      onWatchError: (handler) => {
        onError.push(handler);
        entry.watchErrorHandlers.add(handler);
      },
      release: () => {
        if (!isHeld) return;
        isHeld = false;
        view.release();
        for (const handler of onError) entry.watchErrorHandlers.delete(handler);
        this.#letGo(key, entry);
      },
    };
  }

  holds<T extends KubeObject>(asked: Asked<T>): boolean {
    return this.#entries.has(this.#keyOf(asked, undefined));
  }

  async run(signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    const running = (this.#running ??= this.#begin());
    running.runners++;
    // An informer that fails ends every run with its error.
    await Promise.race([running.done, abortable(new Promise<never>(() => undefined), signal).catch(() => undefined)]);
    if (--running.runners > 0) return;
    this.#running = undefined;
    // Stopped informers stay while they have leases, so that health checks see them; a new lease gets a new informer.
    for (const { stop } of this.#entries.values()) stop.abort(signal.reason);
    running.stopping.abort(signal.reason);
    await running.done;
  }

  #begin(): Running {
    const stopping = new AbortController();
    const group = new Group({ signal: stopping.signal });
    // Keeps the group open while there are no leases.
    group.spawn("informer factory", (over) => abortable(new Promise<void>(() => undefined), over).catch(() => undefined));
    for (const entry of this.#entries.values()) if (!entry.stop.signal.aborted) this.#start(group, entry);
    return { group, stopping, done: group.done(), runners: 0 };
  }

  async waitForSync(signal: AbortSignal, timeoutMs: number): Promise<void> {
    const entries = [...this.#entries.values()];
    const wait = async (limited: AbortSignal): Promise<void> => {
      // Sequentially, to avoid one listener per kind on the signal.
      for (const entry of entries) await syncedOrLeft(entry, limited);
    };
    try {
      await withTimeout(this.#options.runtime.clock, timeoutMs, wait, { signal });
    } catch (error) {
      if (signal.aborted || !isInterrupted(error)) throw error;
      throw new NotSyncedError(
        entries.filter(({ informer, leases }) => leases > 0 && !informer.hasSynced).map(({ informer }) => unsyncedReason(informer.state())),
        timeoutMs,
      );
    }
  }

  state(): readonly InformerState[] {
    return [...this.#entries.values()].map(({ informer }) => informer.state());
  }

  #hold<T extends KubeObject, I extends Informer<T> | BoundedInformer<T>>(
    key: string,
    make: () => Entry<T, I>,
  ): readonly [string, Entry<T, I>] {
    // The key identifies the kind and the form of the informer, and these determine the type.
    const held = this.#entries.get(key) as unknown as Entry<T, I> | undefined;
    const known = held?.stop.signal.aborted === true ? undefined : held;
    const entry = known ?? make();
    entry.leases++;
    if (known === undefined) {
      this.#entries.set(key, entry);
      if (this.#running !== undefined) this.#start(this.#running.group, entry);
    }
    return [key, entry];
  }

  #letGo(key: string, entry: { readonly informer: { readonly name: string }; readonly stop: AbortController; leases: number }): void {
    entry.leases--;
    if (entry.leases > 0) return;
    if ((this.#entries.get(key) as unknown) === entry) this.#entries.delete(key);
    entry.stop.abort(new DOMException(`the last lease of the informer of ${entry.informer.name} was released`, "AbortError"));
  }

  #make<T extends KubeObject>(asked: Asked<T>, namespace: string | undefined): Entry<T> {
    const [options, watchErrorHandlers] = this.#shared(asked, namespace);
    const snapshot = this.#snapshotOf(asked, namespace);
    const made = createInformer<T>({
      ...options,
      singular: asked.kind.singular,
      ...(asked.transform === undefined ? {} : { transform: asked.transform }),
      ...definedOnly({ snapshot }),
    });
    return { informer: made, watchErrorHandlers, stop: new AbortController(), leases: 0 };
  }

  #makeBounded<T extends KubeObject>(asked: AskedBounded<T>, namespace: string | undefined): Entry<T, BoundedInformer<T>> {
    const { bodyBytesMax, bodyReadsMax, indexers, kind } = asked;
    // Refused by createBoundedInformer, also if the types were bypassed.
    const { transform } = asked as Partial<Asked<T>>;
    const [options, watchErrorHandlers] = this.#shared(asked, namespace);
    if (this.#options.snapshot !== undefined)
      this.#options.runtime.log.info("no snapshot of a cache with a limit of bodies", { resource: kind.plural });
    const made = createBoundedInformer<T>({ ...options, bodyBytesMax, ...definedOnly({ bodyReadsMax, indexers, transform }) });
    return { informer: made, watchErrorHandlers, stop: new AbortController(), leases: 0 };
  }

  /** Returns the options that both forms of informers have, and the handlers of watch errors that may be added later. */
  #shared<T extends KubeObject>(
    asked: Omit<Asked<T>, "namespace" | "transform">,
    namespace: string | undefined,
  ): readonly [InformerOptions<T>, Set<(error: unknown) => void>] {
    const { runtime, sourceFor, audit = {}, informer } = this.#options;
    const { kind, labelSelector, fieldSelector, tweakListOptions, projection, fields, keepManagedFields = false, watchList = true } = asked;
    const metadata: SourceRequest<T> = {
      kind,
      projection: "metadata",
      keepManagedFields,
      watchList,
      ...definedOnly({ namespace, labelSelector, fieldSelector, tweakListOptions }),
    };
    const request: SourceRequest<T> = { ...metadata, projection, ...definedOnly({ fields }) };
    const watchErrorHandlers = new Set<(error: unknown) => void>();
    const options: InformerOptions<T> = {
      ...(informer as Pick<InformerOptions<T>, "queueLengthMax"> | undefined),
      reflector: {
        ...informer?.reflector,
        watchErrorHandler: (error) => {
          const failed = (thrown: unknown): void => runtime.log.error("watch error handler threw", { error: thrown });
          callSafely(() => informer?.reflector?.watchErrorHandler?.(error), failed);
          for (const handler of watchErrorHandlers) callSafely(() => handler(error), failed);
        },
      },
      source: sourceFor(request),
      runtime,
      resource: { group: kind.group, version: kind.version, resource: kind.plural },
      ...(audit === false ? {} : { audit: { ...audit, source: sourceFor(metadata), content: sourceFor(request) } }),
    };
    return [options, watchErrorHandlers];
  }

  /** Functions differ between processes, so what they change or return cannot be recognised, and is not kept. */
  #snapshotOf<T extends KubeObject>(asked: Asked<T>, namespace: string | undefined): CacheSnapshotOptions | undefined {
    const { snapshot, runtime } = this.#options;
    if (snapshot === undefined) return undefined;
    const { exclude = ["secrets"], address = "", ...options } = snapshot;
    const { kind, tweakListOptions, transform } = asked;
    const resource = printGroupResource({ group: kind.group, resource: kind.plural });
    if (exclude.includes(resource)) return undefined;
    if (tweakListOptions !== undefined || transform !== undefined) {
      runtime.log.info("no snapshot of a cache with a transform or tweaked list options", { resource });
      return undefined;
    }
    const collection = this.#keyOf(asked, namespace);
    return { ...options, name: snapshotName(resource, `${address} ${collection}`), collection };
  }

  #start<T extends KubeObject>(group: Group, { informer, stop }: AnyEntry<T>): void {
    group.spawn(informer.name, () => informer.run(stop.signal));
  }

  #keyOf<T extends KubeObject>(asked: Omit<Asked<T>, "namespace">, namespace: string | undefined): string {
    const {
      kind: { group, version, plural },
      labelSelector,
      fieldSelector,
      projection,
      keepManagedFields = false,
      watchList = true,
    } = asked;
    const selector = filterSelector(labelSelector === undefined ? {} : { labelSelector });
    const labels = selector === undefined ? "" : labelSelectorText(selector);
    const fields = fieldSelector === undefined ? "" : fieldSelectorText(fieldSelector);
    return JSON.stringify([
      group,
      version,
      plural,
      namespace ?? allNamespaces,
      labels,
      fields,
      projection,
      asked.fields === undefined ? "" : sortedFields(asked.fields),
      keepManagedFields,
      watchList,
      this.#numberOf(asked.tweakListOptions),
      this.#numberOf(asked.transform),
    ]);
  }

  #numberOf(work: object | undefined): number {
    if (work === undefined) return 0;
    const known = this.#functions.get(work);
    if (known !== undefined) return known;
    this.#functions.set(work, ++this.#functionCount);
    return this.#functionCount;
  }
}

/** Returns the requested namespaces; undefined means all. */
function namespacesOf<T extends KubeObject>({ kind, namespace }: Pick<Asked<T>, "kind" | "namespace">): readonly (string | undefined)[] {
  const given = typeof namespace === "string" ? [namespace] : [...new Set(namespace)];
  if (namespace === undefined || given.includes(allNamespaces)) return [undefined];
  if (given.length === 0) throw new TypeError(`informer of ${kind.plural}: the list of namespaces is empty; omit it for all namespaces`);
  return given;
}

/** Ignores an informer that was released meanwhile. */
async function syncedOrLeft<T extends KubeObject>(entry: AnyEntry<T>, signal: AbortSignal): Promise<void> {
  try {
    await entry.informer.synced(signal);
  } catch (error) {
    if (signal.aborted || entry.leases > 0) throw error;
  }
}
