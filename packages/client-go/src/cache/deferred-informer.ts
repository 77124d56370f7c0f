/**
 * An informer that accepts handlers and indexes before it exists: `open` adds them to the real informer. Until then,
 * reads return nothing.
 *
 *     addHandler, addIndexers → DeferredInformer → open(InformerView) → the same calls on that informer
 */
import { createLister, namespaceIndex } from "@drover/cache";
import type {
  ChangeHandler,
  HandlerOptions,
  HandlerRegistration,
  HandlerState,
  Indexers,
  InformerView,
  Lister,
  ListFilter,
  ObjectVersion,
} from "@drover/cache";
import { Latch } from "@drover/machinery";
import type { DeepReadonly, GroupResource, KubeObject, ObjectKey } from "@drover/machinery";

/** Guarantees: `open` adds handlers and indexes in the order in which they were registered. */
export class DeferredInformer<T extends KubeObject> implements InformerView<T> {
  readonly name: string;
  readonly lister: Lister<T>;
  readonly #opened = new Latch();
  readonly #handlers = new Set<DeferredRegistration<T>>();
  readonly #indexers = new Map<string, Indexers<ObjectVersion<T>>[string]>();
  #informer: InformerView<T> | undefined;
  #isClosed = false;

  constructor(name: string, resource: GroupResource) {
    this.name = name;
    this.lister = createLister(this, resource);
  }

  /** Adds all handlers and indexes to this informer. Call it once. */
  open(informer: InformerView<T>): void {
    this.#informer = informer;
    informer.addIndexers(Object.fromEntries(this.#indexers));
    for (const registration of this.#handlers) registration.addTo(informer);
    this.#opened.open();
  }

  /** Removes the handlers. Objects can still be read. */
  close(): void {
    this.#isClosed = true;
    for (const registration of this.#handlers) registration.remove();
    this.#opened.break(new Error(`informer of ${this.name}: stopped before it was started`));
  }

  get origin(): InformerView<T> | undefined {
    return this.#informer?.origin ?? this.#informer;
  }

  get size(): number {
    return this.#informer?.size ?? 0;
  }

  get(key: ObjectKey): DeepReadonly<T> | undefined {
    return this.#informer?.get(key);
  }

  getVersion(key: ObjectKey): ObjectVersion<T> | undefined {
    return this.#informer?.getVersion(key);
  }

  list(filter?: ListFilter): DeepReadonly<T>[] {
    return this.#informer?.list(filter) ?? [];
  }

  keys(): ObjectKey[] {
    return this.#informer?.keys() ?? [];
  }

  byIndex(index: string, value: string): DeepReadonly<T>[] {
    this.#requireIndex(index);
    return this.#informer?.byIndex(index, value) ?? [];
  }

  indexKeys(index: string, value: string): ObjectKey[] {
    this.#requireIndex(index);
    return this.#informer?.indexKeys(index, value) ?? [];
  }

  listIndexValues(index: string): string[] {
    this.#requireIndex(index);
    return this.#informer?.listIndexValues(index) ?? [];
  }

  get indexNames(): readonly string[] {
    return [namespaceIndex, ...this.#indexers.keys()];
  }

  addIndexers(indexers: Indexers<ObjectVersion<T>>): void {
    const taken = this.indexNames.filter((name) => Object.hasOwn(indexers, name));
    if (taken.length > 0)
      throw new Error(`indexer conflict: ${taken.map((name) => JSON.stringify(name)).join(", ")} exists already; choose another name`);
    this.#informer?.addIndexers(indexers);
    for (const [name, valuesOf] of Object.entries(indexers)) this.#indexers.set(name, valuesOf);
  }

  addHandler(handler: ChangeHandler<T>, options: HandlerOptions = {}): HandlerRegistration {
    if (this.#isClosed) throw new Error(`cannot add a handler to ${this.name}: the informer has stopped`);
    const registration = new DeferredRegistration(handler, options, this.#opened, () => this.#handlers.delete(registration));
    this.#handlers.add(registration);
    if (this.#informer !== undefined) registration.addTo(this.#informer);
    return registration;
  }

  get hasSynced(): boolean {
    return this.#informer?.hasSynced ?? false;
  }

  async synced(signal: AbortSignal): Promise<void> {
    await this.#opened.wait(signal);
    await this.#informer?.synced(signal);
  }

  #requireIndex(index: string): void {
    if (this.indexNames.includes(index)) return;
    throw new Error(`Index with name ${index} does not exist; there are ${this.indexNames.map((name) => JSON.stringify(name)).join(", ")}`);
  }
}

class DeferredRegistration<T extends KubeObject> implements HandlerRegistration {
  readonly name: string;
  readonly #handler: ChangeHandler<T>;
  readonly #options: HandlerOptions;
  readonly #opened: Latch;
  readonly #onRemoved: () => void;
  #registration: HandlerRegistration | undefined;

  constructor(handler: ChangeHandler<T>, options: HandlerOptions, opened: Latch, onRemoved: () => void) {
    this.name = options.name ?? handler.name;
    this.#handler = handler;
    this.#options = options;
    this.#opened = opened;
    this.#onRemoved = onRemoved;
  }

  addTo(informer: InformerView<T>): void {
    this.#registration = informer.addHandler(this.#handler, this.#options);
  }

  get hasSynced(): boolean {
    return this.#registration?.hasSynced ?? false;
  }

  async synced(signal: AbortSignal): Promise<void> {
    await this.#opened.wait(signal);
    await this.#registration?.synced(signal);
  }

  remove(): void {
    this.#registration?.remove();
    this.#onRemoved();
  }

  state(): HandlerState {
    return this.#registration?.state() ?? { name: this.name, hasSynced: false, pendingKeys: 0, running: undefined, errors: 0, givenUp: 0 };
  }
}
