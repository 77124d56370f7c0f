/**
 * Binary min-heap whose elements can be removed and re-ranked.
 *
 *     waiting keys by time, ready keys by rank → Heap
 */
import type { Placed } from "./fifo.ts";

/** A binary heap. Assumes: `before` is a strict order, and callers call `update` after changing an element's rank. */
export class Heap<E extends Placed> {
  readonly #elements: E[] = [];
  readonly #before: (a: E, b: E) => boolean;

  constructor(before: (a: E, b: E) => boolean) {
    this.#before = before;
  }

  get size(): number {
    return this.#elements.length;
  }

  first(): E | undefined {
    return this.#elements[0];
  }

  push(element: E): void {
    this.#elements.push(element);
    this.#rise(element, this.#elements.length - 1);
  }

  shift(): E | undefined {
    const first = this.#elements[0];
    if (first !== undefined) this.remove(first);
    return first;
  }

  /** Removes an element. Assumes: the element is in this heap. */
  remove(element: E): void {
    const { place } = element;
    const last = this.#elements.pop() as E;
    if (last === element) return;
    this.#put(last, place);
    this.update(last);
  }

  /** Restores the order after the rank of `element` changed. */
  update(element: E): void {
    if (!this.#rise(element, element.place)) this.#sink(element, element.place);
  }

  /** All elements, in no particular order. */
  values(): readonly E[] {
    return this.#elements;
  }

  clear(): void {
    this.#elements.length = 0;
  }

  #put(element: E, place: number): void {
    this.#elements[place] = element;
    element.place = place;
  }

  #rise(element: E, from: number): boolean {
    let place = from;
    while (place > 0) {
      const parentPlace = (place - 1) >> 1;
      const parent = this.#elements[parentPlace] as E;
      if (!this.#before(element, parent)) break;
      this.#put(parent, place);
      place = parentPlace;
    }
    this.#put(element, place);
    return place !== from;
  }

  #sink(element: E, from: number): void {
    const { length } = this.#elements;
    let place = from;
    for (;;) {
      let childPlace = 2 * place + 1;
      if (childPlace >= length) break;
      if (childPlace + 1 < length && this.#before(this.#elements[childPlace + 1] as E, this.#elements[childPlace] as E)) childPlace++;
      const child = this.#elements[childPlace] as E;
      if (!this.#before(child, element)) break;
      this.#put(child, place);
      place = childPlace;
    }
    this.#put(element, place);
  }
}
