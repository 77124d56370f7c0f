/**
 * First in, first out, in a ring of slots: adding, taking the first, and removing from the middle all cost the same however long it is.
 *
 *     ready-line.ts, ready-order.ts, waiters.ts, classic-queue-state.ts → Fifo
 */

/** Something that stands in one line or heap at a time, and knows where. The structure it stands in writes `place`; nobody else does. */
export interface Placed {
  place: number;
}

const smallest = 4;

/**
 * Guarantees: keeps no reference to what has left; the ring shrinks when a flood is over. Assumes: an element stands in
 * one line at a time.
 */
export class Fifo<E extends Placed> {
  #slots: (E | undefined)[] = emptySlots(smallest);
  /** Places count on for ever and are cut to a slot by the mask; removed elements leave a hole that is skipped. */
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
    // The ends never are holes, so the first slot is the first element.
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

  /** Assumes: the element stands in this line. */
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

  /** Closes the holes, and doubles the ring when they were fewer than half of it. */
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
  // oxlint-disable-next-line unicorn/no-new-array -- the quick way to slots that are there from the start
  return new Array<E | undefined>(length).fill(undefined);
}
