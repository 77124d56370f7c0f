/**
 * client-go's `FIFO`: a queue of the newest state of every object.
 *
 * Guarantees: all changes of an object since its last pop lead to one pop, which returns the newest version; deleted objects are
 * not popped; no object is popped again without a change.
 */
import { keyed } from "./key-func.ts";
import type { KeyFunc } from "./key-func.ts";
import { KeyLine } from "./key-line.ts";
import { popNext } from "./pop-next.ts";
import { PopulationCount } from "./population-count.ts";
import type { PopOptions, PopProcessFunc, Queue } from "./queue.ts";

/** A queue of the newest state of every object. */
export class FIFO<T> implements Queue<T> {
  readonly #keyFunc: KeyFunc<T>;
  readonly #items = new Map<string, T>();
  // May contain keys of deleted objects; `popNext` skips them.
  readonly #line = new KeyLine();
  readonly #population = new PopulationCount();

  constructor(keyFunc: KeyFunc<T>) {
    this.#keyFunc = keyFunc;
  }

  add(object: T): void {
    this.#put(this.#key(object), object);
  }

  update(object: T): void {
    this.add(object);
  }

  addIfNotPresent(object: T): void {
    const key = this.#key(object);
    this.#population.began();
    if (!this.#items.has(key)) this.#put(key, object);
  }

  /** Removes an object, so that it is not popped. */
  delete(object: T): void {
    this.#items.delete(this.#key(object));
    this.#population.began();
  }

  list(): T[] {
    return [...this.#items.values()];
  }

  listKeys(): string[] {
    return [...this.#items.keys()];
  }

  get(object: T): T | undefined {
    return this.getByKey(this.#key(object));
  }

  getByKey(key: string): T | undefined {
    return this.#items.get(key);
  }

  replace(list: readonly T[]): void {
    const items = new Map(list.map((object) => [this.#key(object), object]));
    this.#population.replaced(items.size);
    this.#items.clear();
    this.#line.clear();
    for (const [key, object] of items) this.#put(key, object);
  }

  /** Does nothing, as in client-go: it would queue objects that are not in line, but every method keeps each object in line. */
  resync(): void {
    // fifo.test.ts checks this invariant after random sequences of calls.
  }

  pop(process: PopProcessFunc<T>, options: PopOptions = {}): Promise<T> {
    return popNext<T>(
      { line: this.#line, items: this.#items, population: this.#population, requeue: (item) => this.addIfNotPresent(item) },
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

  #key(object: T): string {
    return keyed(this.#keyFunc, object);
  }

  #put(key: string, object: T): void {
    this.#population.began();
    const isNew = !this.#items.has(key);
    this.#items.set(key, object);
    if (isNew) this.#line.push(key);
  }
}

/** Returns an empty FIFO. */
export function newFIFO<T>(keyFunc: KeyFunc<T>): FIFO<T> {
  return new FIFO(keyFunc);
}
