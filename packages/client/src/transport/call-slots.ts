/** Limits concurrent calls: those beyond the limit wait in order. */

interface Waiter {
  readonly admit: () => void;
}

/** Guarantees: at most `max` calls between `enter` and `leave`, admitted in the order of their `enter`. */
export class CallSlots {
  readonly #max: number;
  readonly #waiting = new Set<Waiter>();
  #calls = 0;

  constructor(max: number) {
    this.#max = max;
  }

  /** How many calls have a slot. */
  get calls(): number {
    return this.#calls;
  }

  /** Takes a slot. Returns a promise to await if none is free; it rejects with the signal's reason. */
  enter(signal: AbortSignal | undefined): Promise<void> | undefined {
    if (this.#calls < this.#max) {
      this.#calls++;
      return undefined;
    }
    return new Promise((resolve, reject) => {
      const abort = (): void => {
        this.#waiting.delete(waiter);
        reject(signal?.reason);
      };
      const waiter: Waiter = {
        admit: () => {
          signal?.removeEventListener("abort", abort);
          resolve();
        },
      };
      this.#waiting.add(waiter);
      signal?.addEventListener("abort", abort, { once: true });
    });
  }

  /** Hands the slot directly to the longest waiter. */
  leave(): void {
    for (const waiter of this.#waiting) {
      this.#waiting.delete(waiter);
      return waiter.admit();
    }
    this.#calls--;
  }
}
