/** Counts what an evaluation costs, in the server's units, and ends it when that is too much. */
import { WorkLimitError } from "../value/work-limit.ts";

export class Meter {
  readonly #limit: number;
  #spent = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get spent(): number {
    return this.#spent;
  }

  /** Throws a WorkLimitError when the limit is passed. */
  spend(units: number): void {
    this.#spent += units;
    if (this.#spent > this.#limit) throw new WorkLimitError();
  }
}
