/** Validates a workload's selector and pod template, which must match. */
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

/** How a workload validates its template. */
export interface TemplateRules {
  /** kube-apiserver's name of the workload in the error about activeDeadlineSeconds. */
  readonly kind: string;
  /** The error about an invalid selector. */
  readonly brokenSelector: string;
  /** Validates the template itself. @default as for every template */
  readonly validateTemplate?: (template: PodTemplateSpec, path: FieldPath) => FieldError[];
}

/** The selector must be set and not empty. */
export function validateSelector(selector: LabelSelector | null | undefined, path: FieldPath, workload: string): FieldError[] {
  if (selector === undefined || selector === null) return [fieldRequired(path)];
  return [...validateLabelSelector(selector, path), ...refuseEmptySelector(selector, path, workload)];
}

/** An empty selector selects everything and is refused. */
export function refuseEmptySelector(selector: LabelSelector, path: FieldPath, workload: string): FieldError[] {
  const isEmpty = Object.keys(selector.matchLabels ?? {}).length === 0 && (selector.matchExpressions ?? []).length === 0;
  return isEmpty ? [invalidInternal(path, "LabelSelector", selector, `empty selector is invalid for ${workload}`)] : [];
}

/** Validates the template of a workload whose pods run until they are stopped. `path` is that of the workload's spec. */
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
    // A missing selector is already reported; it is not empty in this sense, and matches no template.
    ...(selector.isEverything ? [] : validateMatches(selector, spec.template, templatePath)),
    ...validateTemplate(spec.template, templatePath),
    ...validateRunsForEver(spec.template, templatePath, rules.kind),
  ];
}

/** Requires restartPolicy Always and no activeDeadlineSeconds. */
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

/** Parses the selector; undefined if invalid, which validation reports. */
export function readSelector(selector: LabelSelector | null | undefined): Selector | undefined {
  try {
    return selectorFromLabelSelector(selector);
  } catch (error) {
    if (error instanceof SelectorError) return undefined;
    throw error;
  }
}

/** The template's labels must match the selector. `path` is that of the template. */
export function validateMatches(selector: Selector, template: PodTemplateSpec, path: FieldPath): FieldError[] {
  const labels = template.metadata?.labels;
  return selector.matches(labels)
    ? []
    : [fieldInvalid(fieldChild(path, "metadata.labels"), labels ?? null, "`selector` does not match template `labels`")];
}
