/** Defaults of PodDisruptionBudget. */
import type { LabelSelector } from "@drover/machinery";
import type { PodDisruptionBudget } from "@drover/api/policy/v1";
import { elements } from "./elements.ts";

/**
 * policy/v1beta1 expressed "all" and "none" through this label, which no object has. "None" on its own is still understood;
 * otherwise the expression is dropped.
 */
const matchLabel = "pdb.kubernetes.io/deprecated-v1beta1-empty-selector-match";

export function setPodDisruptionBudgetDefaults(budget: PodDisruptionBudget): void {
  const selector = budget.spec?.selector;
  const expressions = elements(selector?.matchExpressions);
  if (selector === undefined || isNone(selector) || !expressions.some(({ key }) => key === matchLabel)) return;
  const kept = expressions.filter(({ key }) => key !== matchLabel);
  if (kept.length > 0) selector.matchExpressions = kept;
  else delete selector.matchExpressions;
}

function isNone({ matchLabels = {}, matchExpressions }: LabelSelector): boolean {
  const [only, ...others] = elements(matchExpressions);
  return (
    only?.key === matchLabel &&
    only.operator === "Exists" &&
    elements(only.values).length === 0 &&
    others.length === 0 &&
    Object.keys(matchLabels).length === 0
  );
}
