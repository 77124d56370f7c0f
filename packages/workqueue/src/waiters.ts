/**
 * Pending promises that are resolved in the order in which they were created.
 *
 *     queue.ts, classic-queue.ts → Waiters
 */
import { Fifo } from "./fifo.ts";
import type { Placed } from "./fifo.ts";

interface Waiter<T> extends Placed {
  readonly resolve: (value: T) => void;
  readonly signal: AbortSignal | undefined;
  readonly abort: () => void;
}

/** Guarantees: a value that was handed to a waiter stays delivered if its signal aborts afterwards; no abort listener is left behind. */
export class Waiters<T> {
  readonly #line = new Fifo<Waiter<T>>();

  get size(): number {
    return this.#line.size;
  }

  /** Resolves with the value handed to this waiter; rejects with the signal's reason. Assumes: the signal is not aborted yet. */
  wait(signal: AbortSignal | undefined): Promise<T> {
    return new Promise((resolve, reject) => {
      const abort = (): void => {
        this.#line.remove(waiter);
        reject(signal?.reason);
      };
      const waiter: Waiter<T> = { resolve, signal, abort, place: 0 };
      signal?.addEventListener("abort", abort, { once: true });
      this.#line.push(waiter);
    });
  }

  /** Resolves the oldest waiter. Assumes: `size` is above 0. */
  hand(value: T): void {
    const waiter = this.#line.shift();
    waiter?.signal?.removeEventListener("abort", waiter.abort);
    waiter?.resolve(value);
  }

  /** Resolves all waiters. */
  handAll(value: T): void {
    while (this.size > 0) this.hand(value);
  }
}
