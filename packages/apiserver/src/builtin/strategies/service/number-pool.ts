/**
 * Allocates numbers from a range. The lower part is kept for explicit requests while others are free.
 *
 *     ServiceAllocator → NumberPool (offsets of addresses, node ports)
 */
import type { Random } from "@drover/machinery";
import { SparseBitmap } from "./sparse-bitmap.ts";

export interface NumberPoolOptions {
  readonly random: Random;
  /** How many of the lowest numbers are allocated at random only when the rest is used up. */
  readonly keptForRequests: number;
}

/** Numbers from 0 up to a size. Never allocates a number twice without a release. */
export class NumberPool {
  readonly #size: number;
  readonly #kept: number;
  readonly #random: Random;
  readonly #used = new SparseBitmap();

  constructor(size: number, { random, keptForRequests }: NumberPoolOptions) {
    this.#size = size;
    this.#kept = Math.min(keptForRequests, size);
    this.#random = random;
  }

  has(number: number): boolean {
    return this.#used.has(number);
  }

  /** Allocates a number; false if it is taken. */
  take(number: number): boolean {
    if (this.#used.has(number)) return false;
    this.#used.add(number);
    return true;
  }

  /** Allocates any number; undefined if none is left. */
  takeAny(): number | undefined {
    return this.#takeBetween(this.#kept, this.#size) ?? this.#takeBetween(0, this.#kept);
  }

  giveBack(number: number): void {
    this.#used.delete(number);
  }

  /** Takes the first free number from a random one on, wrapping around. */
  #takeBetween(from: number, to: number): number | undefined {
    if (to <= from) return undefined;
    const start = from + this.#random.int(to - from);
    const found = [this.#used.firstAbsent(start), this.#used.firstAbsent(from)].find((number) => number < to);
    if (found !== undefined) this.#used.add(found);
    return found;
  }
}
