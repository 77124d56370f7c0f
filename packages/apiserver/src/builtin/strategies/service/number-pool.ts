/**
 * A run of numbers that are handed out one by one, of which the lower part is left for those who ask for a certain one
 * as long as there are others.
 *
 *     ServiceAllocator → NumberPool (addresses counted from the first, node ports)
 */
import type { Random } from "@drover/machinery";

export interface NumberPoolOptions {
  readonly random: Random;
  /** How many numbers at the start are given out by chance only when the rest is used up. */
  readonly keptForRequests: number;
}

/** Numbers from 0 up to a size. Never hands out a number twice that has not been given back. */
export class NumberPool {
  readonly #size: number;
  readonly #kept: number;
  readonly #random: Random;
  readonly #used = new Set<number>();

  constructor(size: number, { random, keptForRequests }: NumberPoolOptions) {
    this.#size = size;
    this.#kept = Math.min(keptForRequests, size);
    this.#random = random;
  }

  has(number: number): boolean {
    return this.#used.has(number);
  }

  /** Takes a certain number; false when it is taken already. */
  take(number: number): boolean {
    if (this.#used.has(number)) return false;
    this.#used.add(number);
    return true;
  }

  /** Takes any number; undefined when there is none left. */
  takeAny(): number | undefined {
    return this.#takeBetween(this.#kept, this.#size) ?? this.#takeBetween(0, this.#kept);
  }

  giveBack(number: number): void {
    this.#used.delete(number);
  }

  /** The first free number from a random one on, and from the start again. */
  #takeBetween(from: number, to: number): number | undefined {
    if (to <= from) return undefined;
    const start = this.#random.int(to - from);
    for (let step = 0; step < to - from; step++) {
      const number = from + ((start + step) % (to - from));
      if (this.take(number)) return number;
    }
    return undefined;
  }
}
