/** Calls back in order, one in each turn of the event loop. */
export class RoundRobin {
  readonly #nextTurn: (callback: () => void) => void;
  readonly #waiting: (() => void)[] = [];

  /** `nextTurn` calls back in the next turn of the event loop; `setImmediate`. */
  constructor(nextTurn: (callback: () => void) => void) {
    this.#nextTurn = nextTurn;
  }

  add(callback: () => void): void {
    this.#waiting.push(callback);
    if (this.#waiting.length === 1) this.#nextTurn(() => this.#turn());
  }

  #turn(): void {
    const [first] = this.#waiting;
    if (this.#waiting.length > 1) this.#nextTurn(() => this.#turn());
    this.#waiting.shift();
    first?.();
  }
}
