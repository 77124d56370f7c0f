/**
 * Keys that are ready, best rank first.
 *
 *     ready-order.ts → ReadyLine → Fifo, Heap
 *
 * What comes in order of rank is appended to a plain line, and only what comes out of order goes to a heap; so a queue in which all
 * priorities are the same never pays for having them.
 */
import { Fifo } from "./fifo.ts";
import type { Placed } from "./fifo.ts";
import { Heap } from "./heap.ts";

/** A place in the order of ready keys: the lower score first, then the lower sequence. */
export interface Ranked extends Placed {
  score: number;
  sequence: number;
  /** Whether it stands in the heap instead of the line; written by `ReadyLine` alone. */
  inHeap: boolean;
}

/** Assumes: an element's rank does not change while it is inside; remove it, change it, add it again. */
export class ReadyLine<E extends Ranked> {
  readonly #inOrder = new Fifo<E>();
  /** Made when it is first needed: there may be a line for every tenant. */
  #outOfOrder: Heap<E> | undefined;

  get size(): number {
    return this.#inOrder.size + (this.#outOfOrder?.size ?? 0);
  }

  push(element: E): void {
    const last = this.#inOrder.last();
    element.inHeap = last !== undefined && isBefore(element, last);
    if (element.inHeap) (this.#outOfOrder ??= new Heap<E>(isBefore)).push(element);
    else this.#inOrder.push(element);
  }

  shift(): E | undefined {
    const other = this.#outOfOrder?.first();
    if (other === undefined) return this.#inOrder.shift();
    const first = this.#inOrder.first();
    return first === undefined || isBefore(other, first) ? this.#outOfOrder?.shift() : this.#inOrder.shift();
  }

  remove(element: E): void {
    if (element.inHeap) this.#outOfOrder?.remove(element);
    else this.#inOrder.remove(element);
  }
}

function isBefore(a: Ranked, b: Ranked): boolean {
  return a.score < b.score || (a.score === b.score && a.sequence < b.sequence);
}
