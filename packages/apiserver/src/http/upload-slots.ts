/** Limits how many large bodies of one connection are read at once; flow control holds the others back. */
export class UploadSlots {
  readonly #waiting: (() => void)[] = [];
  #free: number;

  constructor(count: number) {
    this.#free = count;
  }

  /** Returns undefined when a slot is free, and otherwise a promise that resolves when the caller has one. First come, first served. */
  take(): Promise<void> | undefined {
    if (this.#free > 0) {
      this.#free--;
      return undefined;
    }
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
    });
  }

  /** Hands the slot directly to the longest waiter. */
  release(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#free++;
    else next();
  }
}
