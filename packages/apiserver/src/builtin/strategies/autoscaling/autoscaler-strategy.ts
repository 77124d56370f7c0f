/** The strategies of HorizontalPodAutoscaler in both versions; v1 is validated as the v2 object it converts to. */
import type { HorizontalPodAutoscaler as AutoscalerV1 } from "@drover/api/autoscaling/v1";
import { HorizontalPodAutoscaler } from "@drover/api/autoscaling/v2";
import type { HPAScalingPolicy, HPAScalingRules } from "@drover/api/autoscaling/v2";
import { fieldInvalid, fieldRequired, Quantity } from "@drover/machinery";
import type { DeepReadonly, FieldError, FieldPath } from "@drover/machinery";
import type { Strategy } from "../../../registry/strategy.ts";
import { autoscalerToStored } from "../../conversion/autoscaler-conversion.ts";
import { validateNonNegative, validateOptionalChoice } from "../checked-field.ts";
import { unsupportedName } from "../named-text.ts";
import { jsonOf, typedObject } from "../../../typed-object.ts";
import { findVersionProblem, validateMetrics, validateObjectReference } from "./metric-validation.ts";

type Autoscaler = DeepReadonly<HorizontalPodAutoscaler>;

/** The strategy of autoscaling/v2. */
export const autoscalerStrategy: Strategy<HorizontalPodAutoscaler> = {
  validate: (object) => validateAutoscaler(object),
  validateUpdate: validateAutoscaler,
  subresources: { status: { validateUpdate: validateStatus } },
};

/** The strategy of autoscaling/v1. */
export const autoscalerV1Strategy: Strategy<AutoscalerV1> = {
  validate: (object) => validateAutoscaler(asV2(object)),
  validateUpdate: (object, old) => validateAutoscaler(asV2(object), asV2(old)),
  subresources: { status: { validateUpdate: (object) => validateStatus(asV2(object)) } },
};

function asV2(object: DeepReadonly<AutoscalerV1>): Autoscaler {
  return typedObject(HorizontalPodAutoscaler, autoscalerToStored(jsonOf(object)));
}

function validateAutoscaler({ spec }: Autoscaler, old?: Autoscaler): FieldError[] {
  if (spec === undefined) return [];
  const { minReplicas, maxReplicas, scaleTargetRef, metrics = [], behavior } = spec;
  const oldTarget = old?.spec?.scaleTargetRef;
  const least = old?.spec?.minReplicas === 0 ? 0 : 1;
  const targetRules = {
    allowAnything: oldTarget !== undefined && oldTarget.apiVersion === scaleTargetRef.apiVersion && oldTarget.kind === scaleTargetRef.kind,
    allowEmptyGroup: scaleTargetRef.kind === "ReplicationController",
  };
  const hadAnything = (old?.spec?.metrics ?? []).some(
    ({ object }) =>
      object !== undefined &&
      findVersionProblem(object.describedObject.apiVersion ?? "", { allowAnything: false, allowEmptyGroup: true }) !== undefined,
  );
  return [
    ...(minReplicas !== undefined && minReplicas < least
      ? [fieldInvalid("spec.minReplicas", minReplicas, `must be greater than or equal to ${least}`)]
      : []),
    ...validateMost(maxReplicas, minReplicas),
    ...validateObjectReference(scaleTargetRef, "spec.scaleTargetRef", targetRules),
    ...validateMetrics(metrics, minReplicas, "spec.metrics", { allowEmptyGroup: true, allowAnything: hadAnything }),
    ...validateScalingRules(behavior?.scaleUp, "spec.behavior.scaleUp"),
    ...validateScalingRules(behavior?.scaleDown, "spec.behavior.scaleDown"),
  ];
}

function validateMost(maxReplicas: number, minReplicas: number | undefined): FieldError[] {
  const path = "spec.maxReplicas";
  const errors = maxReplicas === 0 ? [fieldRequired(path, "must be set and greater than 0")] : [];
  if (maxReplicas < 0) errors.push(fieldInvalid(path, maxReplicas, "must be greater than or equal to 1"));
  return minReplicas !== undefined && maxReplicas < minReplicas
    ? [...errors, fieldInvalid(path, maxReplicas, "must be greater than or equal to `minReplicas`")]
    : errors;
}

function validateScalingRules(rules: DeepReadonly<HPAScalingRules> | undefined, path: FieldPath): FieldError[] {
  if (rules === undefined) return [];
  const { stabilizationWindowSeconds: window = 0, selectPolicy, policies, tolerance } = rules;
  const windowPath = `${path}.stabilizationWindowSeconds`;
  const amount = tolerance === undefined ? undefined : Quantity.fromJson(tolerance);
  return [
    ...(window < 0 ? [fieldInvalid(windowPath, window, "must be greater than or equal to zero")] : []),
    ...(window > 3600 ? [fieldInvalid(windowPath, window, "must be less than or equal to 3600")] : []),
    ...validateOptionalChoice(selectPolicy, `${path}.selectPolicy`, ["Disabled", "Max", "Min"]),
    ...((policies ?? []).length === 0 ? [fieldRequired(`${path}.policies`, "must specify at least one Policy")] : []),
    ...(policies ?? []).flatMap((policy, index) => validateScalingPolicy(policy, `${path}.policies[${index}]`)),
    ...(amount !== undefined && amount.sign() < 0
      ? [fieldInvalid(`${path}.tolerance`, amount.toString(), "must be greater than or equal to 0")]
      : []),
  ];
}

function validateScalingPolicy({ type, value, periodSeconds }: DeepReadonly<HPAScalingPolicy>, path: FieldPath): FieldError[] {
  const types = ["Percent", "Pods"];
  return [
    ...(types.includes(type) ? [] : [unsupportedName(`${path}.type`, type, types)]),
    ...(value <= 0 ? [fieldInvalid(`${path}.value`, value, "must be greater than zero")] : []),
    ...(periodSeconds <= 0 ? [fieldInvalid(`${path}.periodSeconds`, periodSeconds, "must be greater than zero")] : []),
    ...(periodSeconds > 1800 ? [fieldInvalid(`${path}.periodSeconds`, periodSeconds, "must be less than or equal to 1800")] : []),
  ];
}

function validateStatus({ status }: Autoscaler): FieldError[] {
  return [
    ...validateNonNegative(status?.currentReplicas, "status.currentReplicas"),
    ...validateNonNegative(status?.desiredReplicas, "status.desiredReplicas"),
  ];
}
