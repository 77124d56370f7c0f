/** Scaling behavior of autoscaling/v2. v1's annotation has a form of its own: capitalized names, `null` for absent values. */
import type { HorizontalPodAutoscalerBehavior, HPAScalingRules } from "@drover/api/autoscaling/v2";
import { readList } from "./go-json-fields.ts";
import type { GoJsonFields } from "./go-json-fields.ts";
import { compact } from "./metric-parts.ts";

export const encodeScalingBehavior = ({ scaleUp, scaleDown }: HorizontalPodAutoscalerBehavior): object => ({
  ScaleUp: encodeRules(scaleUp),
  ScaleDown: encodeRules(scaleDown),
});

/** Undefined when nothing is set. */
export function readScalingBehavior(fields: GoJsonFields): HorizontalPodAutoscalerBehavior | undefined {
  const behavior = compact<HorizontalPodAutoscalerBehavior>({
    scaleUp: fields.struct("ScaleUp", readRules),
    scaleDown: fields.struct("ScaleDown", readRules),
  });
  return Object.keys(behavior).length === 0 ? undefined : behavior;
}

function encodeRules(rules: HPAScalingRules | undefined): object | null {
  if (rules === undefined) return null;
  const { stabilizationWindowSeconds = null, selectPolicy = null, policies, tolerance = null } = rules;
  return {
    StabilizationWindowSeconds: stabilizationWindowSeconds,
    SelectPolicy: selectPolicy,
    Policies: policies?.map(({ type, value, periodSeconds }) => ({ Type: type, Value: value, PeriodSeconds: periodSeconds })) ?? null,
    Tolerance: tolerance,
  };
}

function readRules(fields: GoJsonFields): HPAScalingRules {
  const policies = readList(fields.value("Policies"), (policy) => ({
    type: policy.text("Type"),
    value: policy.int32("Value"),
    periodSeconds: policy.int32("PeriodSeconds"),
  }));
  return compact({
    stabilizationWindowSeconds: fields.optionalInt32("StabilizationWindowSeconds"),
    selectPolicy: fields.optionalText("SelectPolicy"),
    policies: policies.length === 0 ? undefined : policies,
    tolerance: fields.optionalQuantity("Tolerance"),
  });
}
