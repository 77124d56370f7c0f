/**
 * Priority queue of ready keys, lowest rank first.
 *
 *     ready-order.ts → ReadyLine → Fifo, Heap
 *
 * Elements that arrive in order of rank go to a list, only the others to a heap, so a queue with equal priorities does not pay for a
 * heap.
 */
import { Fifo } from "./fifo.ts";
import type { Placed } from "./fifo.ts";
import { Heap } from "./heap.ts";

/** Rank among ready keys: the lower score first, then the lower sequence. */
export interface Ranked extends Placed {
  score: number;
  sequence: number;
  /** Whether the element is in the heap instead of the list. Only `ReadyLine` writes it. */
  inHeap: boolean;
}

/** Assumes: the rank of a contained element does not change. To change it, remove the element and push it again. */
export class ReadyLine<E extends Ranked> {
  readonly #inOrder = new Fifo<E>();
  /** Created on first use, because every tenant has a `ReadyLine`. */
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
