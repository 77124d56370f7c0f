/** Counts down the items of the first list: when all are popped, the queue has synced. */

export class PopulationCount {
  #began = false;
  #left = 0;

  /** Records an add or delete. Before any list, it means that there is no initial list to wait for. */
  began(): void {
    this.#began = true;
  }

  /** Records a list with this many items; only the first one counts. */
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
