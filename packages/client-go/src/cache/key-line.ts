/**
 * The keys of a queue in order, and the callers waiting for the next one. `FIFO` and `DeltaFIFO` share it.
 */
import { FifoClosedError } from "./queue.ts";

/** Guarantees: waiters are served in order; all of them settle when the line is closed or their signal aborts. */
export class KeyLine {
  #keys: string[] = [];
  #head = 0;
  #waiting: { readonly resolve: (key: string) => void; readonly reject: (reason: unknown) => void }[] = [];
  #isClosed = false;

  get length(): number {
    return this.#keys.length - this.#head;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  push(key: string): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#keys.push(key);
    else next.resolve(key);
  }

  /** Takes the next key; undefined if there is none. */
  take(): string | undefined {
    const key = this.#keys[this.#head];
    if (key === undefined) return undefined;
    this.#head++;
    // Drop the consumed front when it is half of the array: bounded memory, amortized constant time.
    if (this.#head * 2 > this.#keys.length) {
      this.#keys = this.#keys.slice(this.#head);
      this.#head = 0;
    }
    return key;
  }

  /** Takes the next key, waiting for one. Rejects with a `FifoClosedError` when the line is closed and empty. */
  next(signal?: AbortSignal): Promise<string> {
    const key = this.take();
    if (key !== undefined) return Promise.resolve(key);
    if (this.#isClosed) return Promise.reject(new FifoClosedError());
    return new Promise((resolve, reject) => {
      if (signal?.aborted === true) return reject(signal.reason);
      const waiter = {
        resolve: (next: string): void => {
          signal?.removeEventListener("abort", abort);
          resolve(next);
        },
        reject,
      };
      const abort = (): void => {
        this.#waiting = this.#waiting.filter((other) => other !== waiter);
        reject(signal?.reason);
      };
      signal?.addEventListener("abort", abort, { once: true });
      this.#waiting.push(waiter);
    });
  }

  keys(): readonly string[] {
    return this.#keys.slice(this.#head);
  }

  clear(): void {
    this.#keys = [];
    this.#head = 0;
  }

  close(): void {
    this.#isClosed = true;
    for (const { reject } of this.#waiting.splice(0)) reject(new FifoClosedError());
  }
}
