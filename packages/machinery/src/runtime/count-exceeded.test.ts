import { expect, it } from "vitest";
import { createMetrics } from "./metrics-registry.ts";
import { prometheusText } from "./prometheus-text.ts";
import { budget } from "../budget/budget.ts";
import { countExceeded } from "./count-exceeded.ts";

it("countExceeded counts by the name of the budget", () => {
  const metrics = createMetrics();
  const cells = budget({ name: "test/cells", limit: 1, unit: "items", atLimit: "the cell is left empty" });
  countExceeded(metrics, cells);
  countExceeded(metrics, cells, 2);
  expect(prometheusText(metrics)).toContain('drover_budget_exceeded_total{budget="test/cells"} 3');
});
