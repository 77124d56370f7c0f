import type { LabelSelector } from "@drover/machinery";
import type { PodDisruptionBudget } from "@drover/api/policy/v1";
import { describe, expect, it } from "vitest";
import { setPodDisruptionBudgetDefaults } from "./pod-disruption-budget-defaults.ts";

const made = (selector: LabelSelector): LabelSelector | undefined => {
  const budget: PodDisruptionBudget = { metadata: {}, spec: { selector } };
  setPodDisruptionBudgetDefaults(budget);
  return budget.spec?.selector;
};
const expression = (operator: "DoesNotExist" | "Exists"): { key: string; operator: "DoesNotExist" | "Exists" } => ({
  key: "pdb.kubernetes.io/deprecated-v1beta1-empty-selector-match",
  operator,
});

describe("defaults of PodDisruptionBudget", () => {
  it("keep the v1beta1 expression that selects nothing", () => {
    expect(made({ matchExpressions: [expression("Exists")] })).toEqual({ matchExpressions: [expression("Exists")] });
  });

  it("drop the v1beta1 expression from other selectors", () => {
    expect(made({ matchExpressions: [expression("DoesNotExist")] })).toEqual({});
    expect(made({ matchLabels: { a: "1" }, matchExpressions: [expression("Exists")] })).toEqual({ matchLabels: { a: "1" } });
    expect(made({ matchExpressions: [expression("Exists"), { key: "a", operator: "Exists" }] })).toEqual({
      matchExpressions: [{ key: "a", operator: "Exists" }],
    });
  });

  it("leave other selectors unchanged", () => {
    expect(made({ matchExpressions: [{ key: "a", operator: "Exists" }] })).toEqual({
      matchExpressions: [{ key: "a", operator: "Exists" }],
    });
    expect(() => setPodDisruptionBudgetDefaults({ metadata: {} })).not.toThrow();
  });
});
