/** The strategy of PodDisruptionBudget. */
import type { PodDisruptionBudget } from "@drover/api/policy/v1";
import { validateLabelSelector } from "@drover/machinery";
import type { DeepReadonly, FieldError, FieldPath, IntOrString, LabelSelectorRules } from "@drover/machinery";
import type { Strategy } from "../../../registry/strategy.ts";
import { validateNonNegative, validateOptionalChoice } from "../checked-field.ts";
import { validateConditions } from "../condition-list.ts";
import { validateAtMostAll, validateIntOrPercent } from "../int-or-percent.ts";
import { invalidStruct } from "../named-text.ts";

type Budget = DeepReadonly<PodDisruptionBudget>;

/** The strategy of PodDisruptionBudget. */
export const podDisruptionBudgetStrategy: Strategy<PodDisruptionBudget> = {
  validate: (budget) => validateBudget(budget),
  validateUpdate: (budget, old) => validateBudget(budget, { allowInvalidValues: validateLabelSelector(old.spec?.selector, "").length > 0 }),
  subresources: { status: { validateUpdate: validateStatus } },
};

function validateBudget(budget: Budget, rules: LabelSelectorRules = {}): FieldError[] {
  const { minAvailable, maxUnavailable, selector, unhealthyPodEvictionPolicy } = budget.spec ?? {};
  return [
    ...(minAvailable !== undefined && maxUnavailable !== undefined
      ? [invalidStruct("spec", shownSpec(budget), "minAvailable and maxUnavailable cannot be both set")]
      : []),
    ...(minAvailable === undefined ? [] : validateBound(minAvailable, "spec.minAvailable")),
    ...(maxUnavailable === undefined ? [] : validateBound(maxUnavailable, "spec.maxUnavailable")),
    ...validateLabelSelector(selector, "spec.selector", rules),
    ...validateOptionalChoice(unhealthyPodEvictionPolicy, "spec.unhealthyPodEvictionPolicy", ["AlwaysAllow", "IfHealthyBudget"]),
  ];
}

function shownSpec({ spec }: Budget): object {
  const { minAvailable = null, selector = null, maxUnavailable = null, unhealthyPodEvictionPolicy = null } = spec ?? {};
  return {
    MinAvailable: minAvailable,
    Selector: selector,
    MaxUnavailable: maxUnavailable,
    UnhealthyPodEvictionPolicy: unhealthyPodEvictionPolicy,
  };
}

function validateBound(value: IntOrString, path: FieldPath): FieldError[] {
  return [...validateIntOrPercent(value, path), ...validateAtMostAll(value, path)];
}

function validateStatus({ status }: Budget): FieldError[] {
  const counts = ["disruptionsAllowed", "currentHealthy", "desiredHealthy", "expectedPods"] as const;
  return [
    ...validateConditions(status?.conditions ?? [], "status.conditions"),
    ...counts.flatMap((name) => validateNonNegative(status?.[name], `status.${name}`)),
  ];
}
