/**
 * First-in-first-out list in a ring buffer: push, shift and removal from the middle take constant time.
 *
 *     ready-line.ts, ready-order.ts, waiters.ts, classic-queue-state.ts → Fifo
 */

/** Element that records its position in the one list or heap that contains it. Only that structure writes `place`. */
export interface Placed {
  place: number;
}

const smallest = 4;

/**
 * Guarantees: keeps no reference to removed elements; the ring shrinks when it is empty. Assumes: an element is in one list
 * at a time.
 */
export class Fifo<E extends Placed> {
  #slots: (E | undefined)[] = emptySlots(smallest);
  /** Places only grow; a mask maps them to slots. A removed element leaves a hole, which `remove` and `#rebuild` skip. */
  #head = 0;
  #tail = 0;
  #size = 0;

  get size(): number {
    return this.#size;
  }

  push(element: E): void {
    if (this.#tail - this.#head === this.#slots.length) this.#rebuild();
    element.place = this.#tail;
    this.#slots[this.#tail & (this.#slots.length - 1)] = element;
    this.#tail++;
    this.#size++;
  }

  first(): E | undefined {
    // The first and last slot are never holes.
    return this.#slots[this.#head & (this.#slots.length - 1)];
  }

  last(): E | undefined {
    return this.#slots[(this.#tail - 1) & (this.#slots.length - 1)];
  }

  shift(): E | undefined {
    const element = this.first();
    if (element !== undefined) this.remove(element);
    return element;
  }

  /** Removes an element. Assumes: the element is in this list. */
  remove(element: E): void {
    const mask = this.#slots.length - 1;
    this.#slots[element.place & mask] = undefined;
    this.#size--;
    if (this.#size === 0) {
      this.#head = 0;
      this.#tail = 0;
      if (this.#slots.length > 1024) this.#slots = emptySlots(smallest);
      return;
    }
    while (this.#slots[this.#head & mask] === undefined) this.#head++;
    while (this.#slots[(this.#tail - 1) & mask] === undefined) this.#tail--;
  }

  /** Removes the holes, and doubles the ring if fewer than half of its slots were holes. */
  #rebuild(): void {
    const slots = emptySlots<E>(this.#size * 2 > this.#slots.length ? this.#slots.length * 2 : this.#slots.length);
    const mask = this.#slots.length - 1;
    let next = 0;
    for (let place = this.#head; place < this.#tail; place++) {
      const element = this.#slots[place & mask];
      if (element === undefined) continue;
      element.place = next;
      slots[next++] = element;
    }
    this.#slots = slots;
    this.#head = 0;
    this.#tail = next;
  }
}

function emptySlots<E>(length: number): (E | undefined)[] {
  // oxlint-disable-next-line unicorn/no-new-array -- the fastest way to a preallocated array
  return new Array<E | undefined>(length).fill(undefined);
}
