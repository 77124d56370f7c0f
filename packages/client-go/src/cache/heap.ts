/** client-go's `cache.Heap`: objects by key, and the least of them first. */
import { Heap as PlacedHeap } from "@drover/workqueue";
import type { Placed } from "@drover/workqueue";
import { keyed } from "./key-func.ts";
import type { KeyFunc } from "./key-func.ts";
import { KeyLine } from "./key-line.ts";

interface HeapItem<T> extends Placed {
  readonly key: string;
  object: T;
}

/** Guarantees: `pop` resolves with the least object, and waits while there is none. */
export class Heap<T> {
  readonly #keyFunc: KeyFunc<T>;
  readonly #items = new Map<string, HeapItem<T>>();
  readonly #order: PlacedHeap<HeapItem<T>>;
  /** One token for each object, so that `pop` can wait. */
  readonly #line = new KeyLine();

  constructor(keyFunc: KeyFunc<T>, lessFunc: (a: T, b: T) => boolean) {
    this.#keyFunc = keyFunc;
    this.#order = new PlacedHeap((a, b) => lessFunc(a.object, b.object));
  }

  /** Adds an object, or puts a newer one under its key in its place. */
  add(object: T): void {
    const key = keyed(this.#keyFunc, object);
    const known = this.#items.get(key);
    if (known !== undefined) {
      known.object = object;
      this.#order.update(known);
      return;
    }
    const item: HeapItem<T> = { key, object, place: 0 };
    this.#items.set(key, item);
    this.#order.push(item);
    this.#line.push(key);
  }

  bulkAdd(objects: Iterable<T>): void {
    for (const object of objects) this.add(object);
  }

  /** Adds an object unless its key is there already. */
  addIfNotPresent(object: T): void {
    if (!this.#items.has(keyed(this.#keyFunc, object))) this.add(object);
  }

  update(object: T): void {
    this.add(object);
  }

  /** Throws when there is no such object. */
  delete(object: T): void {
    const item = this.#items.get(keyed(this.#keyFunc, object));
    if (item === undefined) throw new Error("object not found");
    this.#items.delete(item.key);
    this.#order.remove(item);
  }

  /** Takes the least object out, as soon as there is one. Rejects with a `FifoClosedError` when the heap is closed and empty. */
  async pop(options: { readonly signal?: AbortSignal } = {}): Promise<T> {
    for (;;) {
      await this.#line.next(options.signal);
      const first = this.#order.first();
      // A token of an object that was deleted since.
      if (first === undefined) continue;
      this.#order.remove(first);
      this.#items.delete(first.key);
      return first.object;
    }
  }

  list(): T[] {
    return Array.from(this.#items.values(), ({ object }) => object);
  }

  listKeys(): string[] {
    return [...this.#items.keys()];
  }

  get(object: T): T | undefined {
    return this.getByKey(keyed(this.#keyFunc, object));
  }

  getByKey(key: string): T | undefined {
    return this.#items.get(key)?.object;
  }

  isClosed(): boolean {
    return this.#line.isClosed;
  }

  /** What is in it can still be taken out; then `pop` rejects. */
  close(): void {
    this.#line.close();
  }
}

/** Returns a heap; client-go's `NewHeap`. */
export function newHeap<T>(keyFunc: KeyFunc<T>, lessFunc: (a: T, b: T) => boolean): Heap<T> {
  return new Heap(keyFunc, lessFunc);
}
