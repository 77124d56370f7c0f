import type { Metrics } from "./metrics.ts";
import type { Budget } from "../budget/budget.ts";

/** Counts that a budget was reached, so that nobody has to find it in the log. */
export function countExceeded(metrics: Metrics, { name }: Budget, times: number = 1): void {
  metrics
    .counter({
      name: "drover_budget_exceeded_total",
      help: "How often a limit on memory, time or work was reached, by budget.",
      labels: ["budget"],
    })
    .add(times, { budget: name });
}
