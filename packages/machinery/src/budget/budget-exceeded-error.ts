import { errorBrand } from "../error-brand.ts";
import { amountText } from "./budget.ts";
import type { Budget } from "./budget.ts";

const brand = errorBrand<BudgetExceededError>("BudgetExceededError");

/** Work was refused, before it was done, because it needs more than its budget. Repeating it does not help. */
export class BudgetExceededError extends Error {
  static {
    brand.mark(this);
  }

  override readonly name: string = "BudgetExceededError";
  readonly budget: Budget;
  /** The limit in force, which an option may have changed. */
  readonly limit: number;

  constructor(budget: Budget, limit: number = budget.limit) {
    super(`${budget.name}: more than ${amountText(limit, budget.unit)}; ${budget.atLimit}`);
    this.budget = budget;
    this.limit = limit;
  }
}

/** Reports whether a value is a `BudgetExceededError`, also one of a second copy of the package. */
export const isBudgetExceededError = (error: unknown): error is BudgetExceededError => brand.is(error);
