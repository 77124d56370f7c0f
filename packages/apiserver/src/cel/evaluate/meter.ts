/** Counts the cost of an evaluation in kube-apiserver's units and stops it at a limit. */
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

  /** Throws a WorkLimitError when the limit is exceeded. */
  spend(units: number): void {
    this.#spent += units;
    if (this.#spent > this.#limit) throw new WorkLimitError();
  }
}
