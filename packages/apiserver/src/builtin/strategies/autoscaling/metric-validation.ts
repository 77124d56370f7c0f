/** Validates metrics of HorizontalPodAutoscaler. */
import type {
  ContainerResourceMetricSource,
  CrossVersionObjectReference,
  ExternalMetricSource,
  MetricIdentifier,
  MetricSpec,
  MetricTarget,
  ObjectMetricSource,
  PodsMetricSource,
  ResourceMetricSource,
} from "@drover/api/autoscaling/v2";
import { checkPathSegmentName, fieldForbidden, fieldInvalid, fieldRequired, Quantity } from "@drover/machinery";
import type { DeepReadonly, FieldError, FieldPath } from "@drover/machinery";
import { problemsOf, validateLabelText, validateRequiredText } from "../checked-field.ts";
import { invalidName, unsupportedName } from "../named-text.ts";
import { validateContainerResourceName } from "../pod/resource-names.ts";

const types: readonly string[] = ["ContainerResource", "External", "Object", "Pods", "Resource"];
const sources = ["object", "external", "pods", "resource", "containerResource"] as const;
const sourceOf: ReadonlyMap<string, (typeof sources)[number]> = new Map([
  ["Object", "object"],
  ["Pods", "pods"],
  ["Resource", "resource"],
  ["External", "external"],
  ["ContainerResource", "containerResource"],
]);

/** Which forms of `apiVersion` a reference may have. */
export interface ReferenceRules {
  readonly allowEmptyGroup: boolean;
  /** Whether any form is accepted, because the old object had an invalid one. */
  readonly allowAnything: boolean;
}

/** Validates a reference by kind and name. */
export function validateObjectReference(
  ref: DeepReadonly<CrossVersionObjectReference>,
  path: FieldPath,
  rules: ReferenceRules,
): FieldError[] {
  const problem = rules.allowAnything ? undefined : findVersionProblem(ref.apiVersion ?? "", rules);
  return [
    ...validateRequiredText(ref.kind, `${path}.kind`, checkPathSegmentName),
    ...validateRequiredText(ref.name, `${path}.name`, checkPathSegmentName),
    ...(problem === undefined ? [] : [fieldInvalid(`${path}.apiVersion`, ref.apiVersion ?? "", problem)]),
  ];
}

/** Returns why an `apiVersion` is invalid. */
export function findVersionProblem(apiVersion: string, { allowEmptyGroup }: ReferenceRules): string | undefined {
  const parts = apiVersion.split("/");
  if (parts.length > 2) return `unexpected GroupVersion string: ${apiVersion}`;
  const group = parts.length === 2 ? (parts[0] ?? "") : "";
  return group === "" && !allowEmptyGroup ? "apiVersion must specify API group" : undefined;
}

/** Validates metrics: each has the source that its type names. */
export function validateMetrics(
  metrics: readonly DeepReadonly<MetricSpec>[],
  minReplicas: number | undefined,
  path: FieldPath,
  rules: ReferenceRules,
): FieldError[] {
  const errors = metrics.flatMap((metric, index) => validateMetric(metric, `${path}[${index}]`, rules));
  const canBeZero = minReplicas !== 0 || metrics.some(({ type }) => type === "Object" || type === "External");
  return canBeZero
    ? errors
    : [...errors, fieldForbidden(path, "must specify at least one Object or External metric to support scaling to zero replicas")];
}

function validateMetric(metric: DeepReadonly<MetricSpec>, path: FieldPath, rules: ReferenceRules): FieldError[] {
  const type: string = metric.type;
  const errors = type === "" ? [fieldRequired(`${path}.type`, "must specify a metric source type")] : [];
  const unknown = types.includes(type) ? [] : [unsupportedName(`${path}.type`, type, types)];
  const present = sources.filter((source) => metric[source] !== undefined);
  const [first] = present;
  errors.push(...unknown, ...(first === undefined ? [] : validateSource(metric, first, `${path}.${first}`, rules)));
  const expected = sourceOf.get(type);
  if (expected !== undefined && metric[expected] === undefined)
    errors.push(fieldRequired(`${path}.${expected}`, "must populate information for the given metric source"));
  // kube-apiserver reports an unknown type twice.
  errors.push(...unknown);
  if (present.length === 1) return errors;
  return [
    ...errors,
    ...present
      .filter((source) => source !== expected)
      .map((source) => fieldForbidden(`${path}.${source}`, "must populate the given metric source only")),
  ];
}

function validateSource(
  metric: DeepReadonly<MetricSpec>,
  source: (typeof sources)[number],
  path: FieldPath,
  rules: ReferenceRules,
): FieldError[] {
  switch (source) {
    case "object":
      return metric.object === undefined ? [] : validateObjectSource(metric.object, path, rules);
    case "external":
      return metric.external === undefined ? [] : validateExternal(metric.external, path);
    case "pods":
      return metric.pods === undefined ? [] : validatePods(metric.pods, path);
    case "resource":
      return metric.resource === undefined ? [] : validateResource(metric.resource, path, () => []);
    case "containerResource":
    default:
      return metric.containerResource === undefined ? [] : validateContainerResource(metric.containerResource, path);
  }
}

function validateObjectSource(
  { describedObject, metric, target }: DeepReadonly<ObjectMetricSource>,
  path: FieldPath,
  rules: ReferenceRules,
): FieldError[] {
  const isMissing = target.value === undefined && target.averageValue === undefined;
  return [
    ...validateObjectReference(describedObject, `${path}.describedObject`, rules),
    ...validateIdentifier(metric, `${path}.metric`),
    ...validateTarget(target, `${path}.target`),
    ...(isMissing ? [fieldRequired(`${path}.target.averageValue`, "must set either a target value or averageValue")] : []),
  ];
}

function validateExternal({ metric, target }: DeepReadonly<ExternalMetricSource>, path: FieldPath): FieldError[] {
  const errors = [...validateIdentifier(metric, `${path}.metric`), ...validateTarget(target, `${path}.target`)];
  const [value, average] = [target.value !== undefined, target.averageValue !== undefined];
  if (!value && !average)
    errors.push(fieldRequired(`${path}.target.averageValue`, "must set either a target value for metric or a per-pod target"));
  return value && average
    ? [...errors, fieldForbidden(`${path}.target.value`, "may not set both a target value for metric and a per-pod target")]
    : errors;
}

function validatePods({ metric, target }: DeepReadonly<PodsMetricSource>, path: FieldPath): FieldError[] {
  const errors = [...validateIdentifier(metric, `${path}.metric`), ...validateTarget(target, `${path}.target`)];
  return target.averageValue === undefined
    ? [...errors, fieldRequired(`${path}.target.averageValue`, "must specify a positive target averageValue")]
    : errors;
}

function validateContainerResource(source: DeepReadonly<ContainerResourceMetricSource>, path: FieldPath): FieldError[] {
  return validateResource(source, path, () => [
    ...(source.name === "" ? [] : validateContainerResourceName(source.name, `${path}.name`)),
    ...(source.container === ""
      ? [fieldRequired(`${path}.container`, "must specify a container")]
      : validateLabelText(source.container, `${path}.container`)),
  ]);
}

function validateResource({ name, target }: DeepReadonly<ResourceMetricSource>, path: FieldPath, more: () => FieldError[]): FieldError[] {
  const errors = [
    ...(name === "" ? [fieldRequired(`${path}.name`, "must specify a resource name")] : []),
    ...more(),
    ...validateTarget(target, `${path}.target`),
  ];
  const [utilization, value] = [target.averageUtilization !== undefined, target.averageValue !== undefined];
  if (!utilization && !value)
    errors.push(fieldRequired(`${path}.target.averageUtilization`, "must set either a target raw value or a target utilization"));
  return utilization && value
    ? [...errors, fieldForbidden(`${path}.target.averageValue`, "may not set both a target raw value and a target utilization")]
    : errors;
}

function validateTarget(
  { type: name, value, averageValue, averageUtilization }: DeepReadonly<MetricTarget>,
  path: FieldPath,
): FieldError[] {
  const type: string = name;
  const isPositive = (amount: string | number | undefined): boolean => amount === undefined || Quantity.fromJson(amount).sign() > 0;
  return [
    ...(type === "" ? [fieldRequired(`${path}.type`, "must specify a metric target type")] : []),
    ...(["Utilization", "Value", "AverageValue"].includes(type)
      ? []
      : [invalidName(`${path}.type`, type, "must be either Utilization, Value, or AverageValue")]),
    ...(isPositive(value) ? [] : [fieldInvalid(`${path}.value`, Quantity.fromJson(value ?? 0).toString(), "must be positive")]),
    ...(isPositive(averageValue)
      ? []
      : [fieldInvalid(`${path}.averageValue`, Quantity.fromJson(averageValue ?? 0).toString(), "must be positive")]),
    ...(averageUtilization !== undefined && averageUtilization < 1
      ? [fieldInvalid(`${path}.averageUtilization`, averageUtilization, "must be greater than 0")]
      : []),
  ];
}

function validateIdentifier({ name }: DeepReadonly<MetricIdentifier>, path: FieldPath): FieldError[] {
  return name === ""
    ? [fieldRequired(`${path}.name`, "must specify a metric name")]
    : problemsOf(`${path}.name`, name, checkPathSegmentName(name));
}
