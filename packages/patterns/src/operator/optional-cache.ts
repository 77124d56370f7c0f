/**
 * The cache of a kind that may not be installed: empty while its CustomResourceDefinition is absent.
 *
 *     optionalKindSource ─ synced → OptionalCache → reader: the informer, or nothing
 */
import type { Cluster, InformerLease, InformerReader, InformerRequest, InformerView } from "@drover/cache";
import { optionalKindSource } from "@drover/controller";
import type { KindSource, PermissionNeed, Runnable, SourceSink } from "@drover/controller";
import type { Kind, KubeObject } from "@drover/machinery";

/** The reads of a cache that an operator uses. */
export type KindReader<T extends KubeObject = KubeObject> = Pick<
  InformerReader<T>,
  "get" | "list" | "keys" | "byIndex" | "indexKeys" | "indexNames" | "listIndexValues"
>;

/** Reads of a kind that is not served. */
const emptyReader: KindReader<never> = {
  get: () => undefined,
  list: () => [],
  keys: () => [],
  byIndex: () => [],
  indexKeys: () => [],
  indexNames: [],
  listIndexValues: () => [],
};

/** Options of an `OptionalCache`. */
export interface OptionalCacheOptions {
  readonly cluster: Cluster;
  /** The request of the sources of this kind, so that they share the informer. */
  readonly request: InformerRequest;
}

/**
 * Guarantees: the kind counts as served from the end of its first list until its definition is gone; then `onChange` listeners are called,
 * once per change. Sends nothing about the kind while it is absent.
 */
export class OptionalCache implements Runnable {
  readonly name: string;
  readonly needsLease = false;
  readonly inThreads = true;
  readonly kind: Kind;
  readonly #options: OptionalCacheOptions;
  readonly #source: KindSource<KubeObject>;
  readonly #setUps: ((view: InformerView<KubeObject>) => void)[] = [];
  readonly #listeners = new Set<() => void>();
  #lease: InformerLease<KubeObject> | undefined;
  #isKnown = false;
  #trouble: Parameters<SourceSink["waitingFor"]>[0] = "its cache has not started";

  constructor(kind: Kind, options: OptionalCacheOptions) {
    const { cluster, request } = options;
    this.kind = kind;
    this.name = `cache of ${kind.plural}.${kind.group}`;
    this.#options = options;
    this.#source = optionalKindSource(kind, { cluster, request, handler: () => [], name: this.name });
  }

  get needs(): readonly PermissionNeed[] {
    return this.#source.needs ?? [];
  }

  /** Whether the server serves the kind and its objects are cached. */
  get isServed(): boolean {
    return this.#lease !== undefined;
  }

  /** Whether it is known if the server serves the kind. */
  get isKnown(): boolean {
    return this.#isKnown;
  }

  /** Why that is not known yet, or what has gone wrong since. */
  get trouble(): string | undefined {
    return typeof this.#trouble === "function" ? this.#trouble() : this.#trouble;
  }

  get reader(): KindReader {
    return this.#lease?.informer ?? emptyReader;
  }

  /** Registers a function that adds indexes to each new informer of the kind. */
  setUp(work: (view: InformerView<KubeObject>) => void): void {
    this.#setUps.push(work);
  }

  /** Calls the listener when `isKnown` or `isServed` has changed; returns a function that ends this. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Ends the use of the informer; it can still be read until then. */
  release(): void {
    this.#lease?.release();
    this.#lease = undefined;
  }

  async run(signal: AbortSignal): Promise<void> {
    const sink: SourceSink = {
      request: () => undefined,
      synced: () => {
        // The last state stays readable while the controllers drain.
        if (!signal.aborted) this.#look();
      },
      waitingFor: (why) => {
        this.#trouble = why;
      },
    };
    await this.#source.run(sink, signal);
  }

  #look(): void {
    const { cluster, request } = this.#options;
    const [wasKnown, wasServed] = [this.#isKnown, this.isServed];
    this.#isKnown = true;
    if (this.#source.informer === undefined) this.release();
    else if (this.#lease === undefined) {
      const lease = cluster.informers.acquire(this.kind, { ...request, keepManagedFields: this.kind.fields === undefined });
      for (const work of this.#setUps) work(lease.informer);
      this.#lease = lease;
    }
    if (wasKnown && wasServed === this.isServed) return;
    for (const listener of this.#listeners) listener();
  }
}
