/** client-go's `cache.Heap`: a queue of objects by key, smallest first. */
import { Heap as PlacedHeap } from "@drover/workqueue";
import type { Placed } from "@drover/workqueue";
import { keyed } from "./key-func.ts";
import type { KeyFunc } from "./key-func.ts";
import { KeyLine } from "./key-line.ts";

interface HeapItem<T> extends Placed {
  readonly key: string;
  object: T;
}

/** Guarantees: `pop` resolves with the smallest object, and waits while the heap is empty. */
export class Heap<T> {
  readonly #keyFunc: KeyFunc<T>;
  readonly #items = new Map<string, HeapItem<T>>();
  readonly #order: PlacedHeap<HeapItem<T>>;
  /** One token per object, so that `pop` can wait. */
  readonly #line = new KeyLine();

  constructor(keyFunc: KeyFunc<T>, lessFunc: (a: T, b: T) => boolean) {
    this.#keyFunc = keyFunc;
    this.#order = new PlacedHeap((a, b) => lessFunc(a.object, b.object));
  }

  /** Adds an object, or replaces the one with the same key. */
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

  /** Adds an object unless the heap contains its key. */
  addIfNotPresent(object: T): void {
    if (!this.#items.has(keyed(this.#keyFunc, object))) this.add(object);
  }

  update(object: T): void {
    this.add(object);
  }

  /** Removes an object. Throws if the heap does not contain it. */
  delete(object: T): void {
    const item = this.#items.get(keyed(this.#keyFunc, object));
    if (item === undefined) throw new Error("object not found");
    this.#items.delete(item.key);
    this.#order.remove(item);
  }

  /** Removes the smallest object, waiting for one if the heap is empty. Rejects with a `FifoClosedError` when it is closed and empty. */
  async pop(options: { readonly signal?: AbortSignal } = {}): Promise<T> {
    for (;;) {
      await this.#line.next(options.signal);
      const first = this.#order.first();
      // The token belongs to an object that was deleted meanwhile.
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

  /** Closes the heap: `pop` still returns the remaining objects and then rejects. */
  close(): void {
    this.#line.close();
  }
}

/** Returns a heap; client-go's `NewHeap`. */
export function newHeap<T>(keyFunc: KeyFunc<T>, lessFunc: (a: T, b: T) => boolean): Heap<T> {
  return new Heap(keyFunc, lessFunc);
}
