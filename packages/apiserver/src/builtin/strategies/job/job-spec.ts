/** Validates the spec of Jobs and of job templates, except the selector. */
import {
  byteLength,
  fieldChild,
  fieldInvalid,
  fieldNotSupported,
  fieldRequired,
  fieldTooLong,
  printGoJson,
  validateDomainPrefixedPath,
} from "@drover/machinery";
import type { FieldError, FieldPath } from "@drover/machinery";
import type { JobSpec } from "@drover/api/batch/v1";
import { validateNonNegative, validateOptionalChoice } from "../checked-field.ts";
import { invalidInternal } from "../internal/internal-field.ts";
import { invalidName } from "../named-text.ts";
import { validatePodTemplateSpec } from "../pod/pod-template.ts";
import { validatePodFailurePolicy, validateSuccessPolicy } from "./job-policies.ts";

const indexedPodsMax = 100_000;
const manyCompletions = 100_000;
const limitAboveMany = 10_000;
const managerBytesMax = 63;

/** Validates everything except the selector. */
export function validateJobSpec(spec: JobSpec, path: FieldPath): FieldError[] {
  const counts = [
    "parallelism",
    "completions",
    "activeDeadlineSeconds",
    "backoffLimit",
    "ttlSecondsAfterFinished",
    "backoffLimitPerIndex",
    "maxFailedIndexes",
  ] as const;
  const isIndexed = spec.completionMode === "Indexed";
  return [
    ...counts.flatMap((field) => validateNonNegative(spec[field], fieldChild(path, field))),
    ...(spec.maxFailedIndexes !== undefined && spec.backoffLimitPerIndex === undefined
      ? [fieldRequired(fieldChild(path, "backoffLimitPerIndex"), "when maxFailedIndexes is specified")]
      : []),
    ...validateManager(spec.managedBy, fieldChild(path, "managedBy")),
    ...validateOptionalChoice(spec.completionMode, fieldChild(path, "completionMode"), ["NonIndexed", "Indexed"]),
    ...(isIndexed ? validateIndexed(spec, path) : []),
    ...(spec.completionMode === undefined || spec.completionMode === "NonIndexed" ? refuseIndexed(spec, path) : []),
    ...(spec.podFailurePolicy === undefined ? [] : validatePodFailurePolicy(spec, fieldChild(path, "podFailurePolicy"))),
    ...(spec.successPolicy === undefined
      ? []
      : isIndexed
        ? validateSuccessPolicy(spec, fieldChild(path, "successPolicy"))
        : [invalidInternal(fieldChild(path, "successPolicy"), "SuccessPolicy", spec.successPolicy, "requires indexed completion mode")]),
    ...validateOptionalChoice(
      spec.podReplacementPolicy,
      fieldChild(path, "podReplacementPolicy"),
      spec.podFailurePolicy === undefined ? ["Failed", "TerminatingOrFailed"] : ["Failed"],
    ),
    ...validatePodTemplateSpec(spec.template, fieldChild(path, "template")),
    ...validateRestartPolicy(spec, fieldChild(path, "template.spec.restartPolicy")),
  ];
}

function validateManager(manager: string | undefined, path: FieldPath): FieldError[] {
  if (manager === undefined) return [];
  return [
    ...validateDomainPrefixedPath(manager, path),
    ...(byteLength(manager) > managerBytesMax ? [fieldTooLong(path, managerBytesMax)] : []),
  ];
}

function validateIndexed(spec: JobSpec, path: FieldPath): FieldError[] {
  const { completions, parallelism = 0, maxFailedIndexes, backoffLimitPerIndex } = spec;
  const [parallelismPath, failedPath] = [fieldChild(path, "parallelism"), fieldChild(path, "maxFailedIndexes")];
  const errors: FieldError[] = [];
  if (completions === undefined) errors.push(fieldRequired(fieldChild(path, "completions"), "when completion mode is Indexed"));
  if (parallelism > indexedPodsMax)
    errors.push(
      fieldInvalid(parallelismPath, parallelism, `must be less than or equal to ${indexedPodsMax} when completion mode is Indexed`),
    );
  if (completions !== undefined && maxFailedIndexes !== undefined && maxFailedIndexes > completions)
    errors.push(fieldInvalid(failedPath, maxFailedIndexes, "must be less than or equal to completions"));
  if (maxFailedIndexes !== undefined && maxFailedIndexes > indexedPodsMax)
    errors.push(fieldInvalid(failedPath, maxFailedIndexes, `must be less than or equal to ${indexedPodsMax}`));
  if (completions === undefined || completions <= manyCompletions || backoffLimitPerIndex === undefined) return errors;
  const above = `must be less than or equal to ${limitAboveMany} when completions are above ${manyCompletions} and used with backoff limit per index`;
  if (maxFailedIndexes === undefined)
    errors.push(fieldRequired(failedPath, `must be specified when completions is above ${manyCompletions}`));
  if (parallelism > limitAboveMany) errors.push(fieldInvalid(parallelismPath, parallelism, above));
  if (maxFailedIndexes !== undefined && maxFailedIndexes > limitAboveMany) errors.push(fieldInvalid(failedPath, maxFailedIndexes, above));
  return errors;
}

function refuseIndexed(spec: JobSpec, path: FieldPath): FieldError[] {
  return (["backoffLimitPerIndex", "maxFailedIndexes"] as const).flatMap((field) =>
    spec[field] === undefined ? [] : [fieldInvalid(fieldChild(path, field), spec[field], "requires indexed completion mode")],
  );
}

/** The restart policy must be OnFailure or Never. */
function validateRestartPolicy({ template, podFailurePolicy }: JobSpec, path: FieldPath): FieldError[] {
  const policy: string = template.spec?.restartPolicy ?? "";
  if (policy === "Always" || policy === "") return [fieldRequired(path, 'valid values: "OnFailure", "Never"')];
  if (policy !== "OnFailure" && policy !== "Never")
    return [{ ...fieldNotSupported(path, policy, ["OnFailure", "Never"]), valueText: printGoJson(policy) }];
  return podFailurePolicy !== undefined && policy !== "Never"
    ? [invalidName(path, policy, 'only "Never" is supported when podFailurePolicy is specified')]
    : [];
}
