/** Counts the cost of an evaluation in kube-apiserver's units and stops it at a limit. */
import type { Turns } from "./turns.ts";
import { WorkLimitError } from "../value/work-limit.ts";

export class Meter {
  readonly #limit: number;
  #spent = 0;
  /** Undefined if the evaluation is not split. */
  readonly turns: Turns | undefined;

  constructor(limit: number, turns?: Turns) {
    this.#limit = limit;
    this.turns = turns;
  }

  /** Sets what was spent before. */
  resume(spent: number): void {
    this.#spent = spent;
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
