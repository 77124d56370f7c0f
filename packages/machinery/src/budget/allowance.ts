import { BudgetExceededError } from "./budget-exceeded-error.ts";
import type { Budget } from "./budget.ts";

/**
 * What one piece of work, such as one request, may still spend of a budget.
 *
 * Guarantees: the sum of what was spent never exceeds the limit; `spend` throws before it would.
 */
export class Allowance {
  readonly #budget: Budget;
  readonly #limit: number;
  #left: number;

  constructor(budget: Budget, limit: number = budget.limit) {
    this.#budget = budget;
    this.#limit = limit;
    this.#left = limit;
  }

  get left(): number {
    return this.#left;
  }

  /** Call it before the work. Throws a `BudgetExceededError` when less is left than the work needs. */
  spend(amount: number): void {
    if (!(amount <= this.#left)) throw new BudgetExceededError(this.#budget, this.#limit);
    this.#left -= amount;
  }
}
