/** The selector of a workload and the template of its pods, which must match it. */
import {
  fieldChild,
  fieldForbidden,
  fieldInvalid,
  fieldNotSupported,
  fieldRequired,
  printGoJson,
  selectorFromLabelSelector,
  SelectorError,
  validateLabelSelector,
} from "@drover/machinery";
import type { FieldError, FieldPath, LabelSelector, Selector } from "@drover/machinery";
import type { PodTemplateSpec } from "@drover/api/core/v1";
import { validatePodTemplateSpec } from "./pod/pod-template.ts";
import { invalidInternal } from "./internal/internal-field.ts";

/** What a workload says of its pods. */
export interface TemplateRules {
  /** What the server calls the workload where the pods have a deadline. */
  readonly kind: string;
  /** What it says where the selector makes no sense at all. */
  readonly brokenSelector: string;
  /** The rules of the template itself. @default those of every template */
  readonly validateTemplate?: (template: PodTemplateSpec, path: FieldPath) => FieldError[];
}

/** A selector that must be there and select something. */
export function validateSelector(selector: LabelSelector | null | undefined, path: FieldPath, workload: string): FieldError[] {
  if (selector === undefined || selector === null) return [fieldRequired(path)];
  return [...validateLabelSelector(selector, path), ...refuseEmptySelector(selector, path, workload)];
}

/** Everything is too much. */
export function refuseEmptySelector(selector: LabelSelector, path: FieldPath, workload: string): FieldError[] {
  const isEmpty = Object.keys(selector.matchLabels ?? {}).length === 0 && (selector.matchExpressions ?? []).length === 0;
  return isEmpty ? [invalidInternal(path, "LabelSelector", selector, `empty selector is invalid for ${workload}`)] : [];
}

/** The template of pods that are meant to run for ever. `path` is that of the spec it stands in. */
export function validateTemplateFor(
  spec: { readonly selector: LabelSelector | null | undefined; readonly template: PodTemplateSpec },
  path: FieldPath,
  rules: TemplateRules,
): FieldError[] {
  const selector = readSelector(spec.selector);
  if (selector === undefined) return [invalidInternal(fieldChild(path, "selector"), "*LabelSelector", spec.selector, rules.brokenSelector)];
  const { validateTemplate = validatePodTemplateSpec } = rules;
  const templatePath = fieldChild(path, "template");
  return [
    // A selector that is missing has been told of already; it is not empty in this sense, and matches no template.
    ...(selector.isEverything ? [] : validateMatches(selector, spec.template, templatePath)),
    ...validateTemplate(spec.template, templatePath),
    ...validateRunsForEver(spec.template, templatePath, rules.kind),
  ];
}

/** The pods of most workloads are started again whenever they end, and have no deadline. */
export function validateRunsForEver({ spec }: PodTemplateSpec, path: FieldPath, kind: string): FieldError[] {
  const policy = spec?.restartPolicy ?? "";
  return [
    ...(policy === "Always"
      ? []
      : [{ ...fieldNotSupported(fieldChild(path, "spec.restartPolicy"), policy, ["Always"]), valueText: printGoJson(policy) }]),
    ...(spec?.activeDeadlineSeconds === undefined
      ? []
      : [fieldForbidden(fieldChild(path, "spec.activeDeadlineSeconds"), `activeDeadlineSeconds in ${kind} is not Supported`)]),
  ];
}

/** Undefined where it makes no sense, which validation tells more precisely. */
export function readSelector(selector: LabelSelector | null | undefined): Selector | undefined {
  try {
    return selectorFromLabelSelector(selector);
  } catch (error) {
    if (error instanceof SelectorError) return undefined;
    throw error;
  }
}

/** The pods to come must be among those that are selected. `path` is that of the template. */
export function validateMatches(selector: Selector, template: PodTemplateSpec, path: FieldPath): FieldError[] {
  const labels = template.metadata?.labels;
  return selector.matches(labels)
    ? []
    : [fieldInvalid(fieldChild(path, "metadata.labels"), labels ?? null, "`selector` does not match template `labels`")];
}
