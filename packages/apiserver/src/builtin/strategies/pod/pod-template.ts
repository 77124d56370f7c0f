/** Validates pod templates of workloads. */
import { fieldChild, fieldForbidden, validateAnnotations, validateLabels } from "@drover/machinery";
import type { FieldError, FieldPath } from "@drover/machinery";
import type { PodTemplateSpec } from "@drover/api/core/v1";
import { validatePodAnnotations, validateProfilesAgree } from "./pod-annotations.ts";
import { podSpecOf, validatePodSpec } from "./pod-spec.ts";
import { templateValidation } from "./pod-validation.ts";

/** Validates a template; kube-apiserver omits `metadata` in the paths of labels and annotations. */
export function validatePodTemplateSpec(template: PodTemplateSpec, path: FieldPath): FieldError[] {
  const spec = podSpecOf(template);
  const { labels, annotations } = template.metadata ?? {};
  const [specPath, annotationsPath] = [fieldChild(path, "spec"), fieldChild(path, "annotations")];
  return [
    ...validateLabels(labels, fieldChild(path, "labels")),
    ...validateAnnotations(annotations, annotationsPath),
    ...validatePodAnnotations(annotations, spec, annotationsPath),
    ...validatePodSpec(spec, specPath, templateValidation),
    ...validateProfilesAgree(annotations, spec, specPath),
    ...((spec.ephemeralContainers ?? []).length > 0
      ? [fieldForbidden(fieldChild(specPath, "ephemeralContainers"), "ephemeral containers not allowed in pod template")]
      : []),
  ];
}
