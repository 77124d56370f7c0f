/** Validates pod failure policies and success policies of Jobs. */
import {
  byteLength,
  fieldChild,
  fieldDuplicate,
  fieldIndex,
  fieldInvalid,
  fieldRequired,
  fieldTooLong,
  fieldTooMany,
  quoteGo,
  validateLabelName,
} from "@drover/machinery";
import type { FieldError, FieldPath } from "@drover/machinery";
import type {
  JobSpec,
  PodFailurePolicyOnExitCodesRequirement,
  PodFailurePolicyOnPodConditionsPattern,
  PodFailurePolicyRule,
  SuccessPolicyRule,
} from "@drover/api/batch/v1";
import { validateNonNegative, validateOptionalChoice } from "../checked-field.ts";
import { invalidName, unsupportedName } from "../named-text.ts";
import { podSpecOf } from "../pod/pod-spec.ts";
import { readIndexList } from "./index-list.ts";

const rulesMax = 20;
const exitCodesMax = 255;
const conditionsMax = 20;
const indexesBytesMax = 64 * 1024;
const actions: readonly string[] = ["Count", "FailIndex", "FailJob", "Ignore"];
const statuses: readonly string[] = ["False", "True", "Unknown"];
const operators: readonly string[] = ["In", "NotIn"];

/** Validates the pod failure policy. */
export function validatePodFailurePolicy(spec: JobSpec, path: FieldPath): FieldError[] {
  const rules = spec.podFailurePolicy?.rules ?? [];
  const { containers, initContainers } = podSpecOf(spec.template);
  const names = new Set([...containers, ...(initContainers ?? [])].map(({ name }) => name));
  return [
    ...(rules.length > rulesMax ? [fieldTooMany(fieldChild(path, "rules"), rules.length, rulesMax)] : []),
    ...rules.flatMap((rule, index) => validateFailureRule(rule, spec, fieldIndex(fieldChild(path, "rules"), index), names)),
  ];
}

/** Validates the success policy. */
export function validateSuccessPolicy(spec: JobSpec, path: FieldPath): FieldError[] {
  const rules = spec.successPolicy?.rules ?? [];
  const rulesPath = fieldChild(path, "rules");
  return [
    ...(rules.length === 0 ? [fieldRequired(rulesPath, "at least one rules must be specified when the successPolicy is specified")] : []),
    ...(rules.length > rulesMax ? [fieldTooMany(rulesPath, rules.length, rulesMax)] : []),
    ...rules.flatMap((rule, index) => validateSuccessRule(rule, spec.completions ?? 0, fieldIndex(rulesPath, index))),
  ];
}

function validateFailureRule(rule: PodFailurePolicyRule, spec: JobSpec, path: FieldPath, names: ReadonlySet<string>): FieldError[] {
  const { action, onExitCodes, onPodConditions } = rule;
  const conditions = onPodConditions ?? [];
  const omitted = (detail: string): FieldError[] => [fieldInvalid(path, undefined, detail)];
  return [
    ...validateAction(action, spec, fieldChild(path, "action")),
    ...(onExitCodes === undefined ? [] : validateExitCodes(onExitCodes, fieldChild(path, "onExitCodes"), names)),
    ...validateConditions(conditions, fieldChild(path, "onPodConditions")),
    ...(onExitCodes !== undefined && conditions.length > 0
      ? omitted("specifying both OnExitCodes and OnPodConditions is not supported")
      : []),
    ...(onExitCodes === undefined && conditions.length === 0
      ? omitted("specifying one of OnExitCodes and OnPodConditions is required")
      : []),
  ];
}

function validateAction(action: string, spec: JobSpec, path: FieldPath): FieldError[] {
  if (action === "") return [fieldRequired(path, validValues(actions))];
  if (action === "FailIndex")
    return spec.backoffLimitPerIndex === undefined ? [invalidName(path, action, "requires the backoffLimitPerIndex to be set")] : [];
  return validateOptionalChoice(action, path, actions);
}

function validateConditions(conditions: readonly PodFailurePolicyOnPodConditionsPattern[], path: FieldPath): FieldError[] {
  return [
    ...(conditions.length > conditionsMax ? [fieldTooMany(path, conditions.length, conditionsMax)] : []),
    ...conditions.flatMap(({ type, status = "" }, index) => {
      const at = fieldIndex(path, index);
      const statusPath = fieldChild(at, "status");
      return [
        ...validateLabelName(type, fieldChild(at, "type")),
        ...(status === "" ? [fieldRequired(statusPath, validValues(statuses))] : validateOptionalChoice(status, statusPath, statuses)),
      ];
    }),
  ];
}

function validateExitCodes(
  { operator, containerName, values }: PodFailurePolicyOnExitCodesRequirement,
  path: FieldPath,
  names: ReadonlySet<string>,
): FieldError[] {
  const [operatorPath, valuesPath] = [fieldChild(path, "operator"), fieldChild(path, "values")];
  const asked: string = operator;
  const codes = values ?? [];
  const errors: FieldError[] = [];
  if (asked === "") errors.push(fieldRequired(operatorPath, validValues(operators)));
  else if (!operators.includes(asked)) errors.push(unsupportedName(operatorPath, asked, operators));
  if (containerName !== undefined && !names.has(containerName))
    errors.push(
      fieldInvalid(
        fieldChild(path, "containerName"),
        containerName,
        "must be one of the container or initContainer names in the pod template",
      ),
    );
  if (codes.length === 0) errors.push(fieldInvalid(valuesPath, values ?? null, "at least one value is required"));
  else if (codes.length > exitCodesMax) errors.push(fieldTooMany(valuesPath, codes.length, exitCodesMax));
  const seen = new Set<number>();
  for (const [index, code] of codes.entries()) {
    if (asked === "In" && code === 0) errors.push(fieldInvalid(fieldIndex(valuesPath, index), code, "must not be 0 for the In operator"));
    if (seen.has(code)) errors.push(fieldDuplicate(fieldIndex(valuesPath, index), code));
    seen.add(code);
  }
  const isOrdered = codes.every((code, index) => index === 0 || (codes[index - 1] ?? code) <= code);
  return isOrdered ? errors : [...errors, fieldInvalid(valuesPath, codes, "must be ordered")];
}

function validateSuccessRule({ succeededCount, succeededIndexes }: SuccessPolicyRule, completions: number, path: FieldPath): FieldError[] {
  const [countPath, indexesPath] = [fieldChild(path, "succeededCount"), fieldChild(path, "succeededIndexes")];
  const errors: FieldError[] = [];
  if (succeededCount === undefined && succeededIndexes === undefined)
    errors.push(fieldRequired(path, "at least one of succeededCount or succeededIndexes must be specified"));
  const read = succeededIndexes === undefined ? 0 : readIndexList(succeededIndexes, completions);
  if (succeededIndexes !== undefined && byteLength(succeededIndexes) > indexesBytesMax)
    errors.push(fieldTooLong(indexesPath, indexesBytesMax));
  if (typeof read === "string") errors.push(fieldInvalid(indexesPath, succeededIndexes, `error parsing succeededIndexes: ${read}`));
  if (succeededCount === undefined) return errors;
  errors.push(...validateNonNegative(succeededCount, countPath));
  if (succeededCount > completions)
    errors.push(
      fieldInvalid(countPath, succeededCount, `must be less than or equal to ${completions} (the number of specified completions)`),
    );
  const total = typeof read === "string" ? 0 : read;
  if (succeededIndexes !== undefined && succeededCount > total) {
    errors.push(
      fieldInvalid(
        countPath,
        succeededCount,
        `must be less than or equal to ${total} (the number of indexes in the specified succeededIndexes field)`,
      ),
    );
  }
  return errors;
}

function validValues(values: readonly string[]): string {
  return `valid values: [${values.map(quoteGo).join(" ")}]`;
}
