/**
 * client-go's `DeltaFIFO`: a queue of all changes of each object since it was last popped.
 *
 *     reflector → DeltaFIFO → Deltas of one object → store, handlers
 *
 * Guarantees: each change is popped at most once; a pop returns all changes of the object since its last pop, deletions included; a
 * `resync` queues known objects again.
 *
 * `knownObjects` is the consumer's store: without it, a deletion that the watch missed is detected only for objects still in the queue,
 * and `resync` does nothing. Assumes: the consumer stores what it popped before it pops again.
 */
import type { DeletedFinalStateUnknown as Tombstone } from "./deleted-final-state-unknown.ts";
import { DeletedFinalStateUnknown, lastKnownState } from "./deleted-final-state-unknown.ts";
import { newest, pushDelta } from "./delta.ts";
import type { Delta, DeltaType, Deltas } from "./delta.ts";
import { KeyError, keyed } from "./key-func.ts";
import type { KeyFunc } from "./key-func.ts";
import { KeyLine } from "./key-line.ts";
import { popNext } from "./pop-next.ts";
import { PopulationCount } from "./population-count.ts";
import type { PopOptions, PopProcessFunc, Queue } from "./queue.ts";
import type { KeyListerGetter } from "./store.ts";

/** Options of `newDeltaFIFO`. */
export interface DeltaFIFOOptions<T> {
  readonly keyFunc: KeyFunc<T>;
  /** The consumer's store. @default no known objects */
  readonly knownObjects?: KeyListerGetter<T>;
  /** Whether items of a list are queued as Replaced; otherwise as Sync, as older versions of client-go did. @default true */
  readonly emitDeltaTypeReplaced?: boolean;
  /** Transforms every object before it is queued, except tombstones and resyncs. @default no transform */
  readonly transformer?: (object: T) => T;
}

/** A queue of all changes of each object since its last pop. */
export class DeltaFIFO<T> implements Queue<T | Tombstone<T>, Deltas<T>> {
  readonly #options: DeltaFIFOOptions<T>;
  readonly #items = new Map<string, Delta<T>[]>();
  readonly #line = new KeyLine();
  readonly #population = new PopulationCount();

  constructor(options: DeltaFIFOOptions<T>) {
    this.#options = options;
  }

  add(object: T | Tombstone<T>): void {
    this.#population.began();
    this.#queue("Added", object);
  }

  update(object: T | Tombstone<T>): void {
    this.#population.began();
    this.#queue("Updated", object);
  }

  /** Queues a deletion. Does nothing for an object that is neither known nor queued: the consumer has never seen it. */
  delete(object: T | Tombstone<T>): void {
    const key = this.keyOf(object);
    this.#population.began();
    const isKnown = this.#items.has(key) || this.#options.knownObjects?.getByKey(key) !== undefined;
    if (isKnown) this.#queue("Deleted", object);
  }

  addIfNotPresent(deltas: Deltas<T>): void {
    const key = this.keyOf(deltas);
    this.#population.began();
    if (this.#items.has(key)) return;
    this.#items.set(key, [...deltas]);
    this.#line.push(key);
  }

  list(): Deltas<T>[] {
    return [...this.#items.values()].map((deltas) => [...deltas]);
  }

  listKeys(): string[] {
    return [...this.#items.keys()];
  }

  get(object: T | Tombstone<T>): Deltas<T> | undefined {
    return this.getByKey(this.keyOf(object));
  }

  getByKey(key: string): Deltas<T> | undefined {
    const deltas = this.#items.get(key);
    return deltas === undefined ? undefined : [...deltas];
  }

  /**
   * Queues a whole list: each item as Replaced, and each object that is queued or known but not listed as Deleted, with its last known
   * state. If an item has no key, it throws and changes nothing.
   */
  replace(list: readonly (T | Tombstone<T>)[]): void {
    const { knownObjects, emitDeltaTypeReplaced = true } = this.#options;
    const keys = new Set(list.map((object) => this.keyOf(object)));
    for (const object of list) this.#queue(emitDeltaTypeReplaced ? "Replaced" : "Sync", object);
    const gone: Tombstone<T>[] = [];
    for (const [key, deltas] of this.#items) {
      const last = newest(deltas);
      if (!keys.has(key)) gone.push(new DeletedFinalStateUnknown(key, last === undefined ? undefined : lastKnownState(last.object)));
    }
    for (const key of knownObjects?.listKeys() ?? []) {
      if (!keys.has(key) && !this.#items.has(key)) gone.push(new DeletedFinalStateUnknown(key, knownObjects?.getByKey(key)));
    }
    for (const tombstone of gone) this.#queue("Deleted", tombstone);
    this.#population.replaced(keys.size + gone.length);
  }

  /** Queues every known object without queued changes as Sync. Sends no request. */
  resync(): void {
    const { knownObjects } = this.#options;
    for (const key of knownObjects?.listKeys() ?? []) {
      const object = knownObjects?.getByKey(key);
      if (object !== undefined && !this.#items.has(this.keyOf(object))) this.#queue("Sync", object);
    }
  }

  pop(process: PopProcessFunc<Deltas<T>>, options: PopOptions = {}): Promise<Deltas<T>> {
    return popNext<Deltas<T>>(
      { line: this.#line, items: this.#items, population: this.#population, requeue: (deltas) => this.addIfNotPresent(deltas) },
      process,
      options,
    );
  }

  hasSynced(): boolean {
    return this.#population.isDone;
  }

  close(): void {
    this.#line.close();
  }

  isClosed(): boolean {
    return this.#line.isClosed;
  }

  /** Returns the key of an object, a tombstone or deltas. */
  keyOf(object: T | Tombstone<T> | Deltas<T>): string {
    if (isDeltas(object)) {
      const last = newest(object);
      if (last === undefined) throw new KeyError(object, "0 length Deltas object; can't get key");
      return this.keyOf(last.object);
    }
    return object instanceof DeletedFinalStateUnknown ? object.key : keyed(this.#options.keyFunc, object);
  }

  #queue(type: DeltaType, given: T | Tombstone<T>): void {
    const { transformer } = this.#options;
    const isPlain = type !== "Sync" && !(given instanceof DeletedFinalStateUnknown);
    const object = isPlain && transformer !== undefined ? transformer(given) : given;
    const key = this.keyOf(object);
    const deltas = this.#items.get(key);
    if (deltas !== undefined) return pushDelta(deltas, { type, object });
    this.#items.set(key, [{ type, object }]);
    this.#line.push(key);
  }
}

// API objects are never arrays.
function isDeltas<T>(object: T | Tombstone<T> | Deltas<T>): object is Deltas<T> {
  return Array.isArray(object);
}

/** Returns an empty queue. */
export function newDeltaFIFO<T>(options: DeltaFIFOOptions<T>): DeltaFIFO<T> {
  return new DeltaFIFO(options);
}
