/** Limits how many calls are under way at once. Others wait in order of arrival. */

/** Guarantees: never more than `max` at once; a caller that stops waiting takes no slot. */
export class CallSlots {
  readonly #max: number;
  readonly #waiting = new Set<() => void>();
  #taken = 0;

  constructor(max: number) {
    this.#max = max;
  }

  /** Whether the next caller has to wait. */
  get isFull(): boolean {
    return this.#taken >= this.#max;
  }

  /** Runs `work` in a slot. Rejects with the reason of the signal when it aborts before a slot is free. */
  async run<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    signal.throwIfAborted();
    if (this.isFull) await this.#turn(signal);
    else this.#taken++;
    try {
      return await work();
    } finally {
      this.#release();
    }
  }

  #turn(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const begin = (): void => {
        signal.removeEventListener("abort", leave);
        resolve();
      };
      const leave = (): void => {
        this.#waiting.delete(begin);
        reject(signal.reason);
      };
      this.#waiting.add(begin);
      signal.addEventListener("abort", leave, { once: true });
    });
  }

  /** Hands the slot to the next in line. */
  #release(): void {
    const [next] = this.#waiting;
    if (next === undefined) this.#taken--;
    else {
      this.#waiting.delete(next);
      next();
    }
  }
}
