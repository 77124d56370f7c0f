/** Counts down what the first list brought into a queue: when all of it has been handed out, the queue has synced. */

export class PopulationCount {
  #began = false;
  #left = 0;

  /** Something was put in or taken away. If no list came before, there is nothing to wait for. */
  began(): void {
    this.#began = true;
  }

  /** A list came with this much to hand out; only the first one counts. */
  replaced(count: number): void {
    if (!this.#began) this.#left = count;
    this.#began = true;
  }

  popped(): void {
    if (this.#left > 0) this.#left--;
  }

  get isDone(): boolean {
    return this.#began && this.#left === 0;
  }
}
