/**
 * Those who wait for something to be handed to them, first come first served.
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

/** Guarantees: what is handed over belongs to the one who waited, even if its signal aborts a moment later; no listener stays behind. */
export class Waiters<T> {
  readonly #line = new Fifo<Waiter<T>>();

  get size(): number {
    return this.#line.size;
  }

  /** Resolves with what is handed over; rejects with the signal's reason. Assumes: the signal is not aborted yet. */
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

  /** Assumes: somebody waits. */
  hand(value: T): void {
    const waiter = this.#line.shift();
    waiter?.signal?.removeEventListener("abort", waiter.abort);
    waiter?.resolve(value);
  }

  handAll(value: T): void {
    while (this.size > 0) this.hand(value);
  }
}
