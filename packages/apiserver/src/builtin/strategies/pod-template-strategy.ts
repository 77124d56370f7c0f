/** The strategy of PodTemplate. */
import type { PodTemplate } from "@drover/api/core/v1";
import type { Strategy } from "../../registry/strategy.ts";
import { dropDisabledFields } from "./pod/disabled-fields.ts";
import { validatePodTemplateSpec } from "./pod/pod-template.ts";
import { podTemplateWarnings } from "./pod/pod-warnings.ts";

export const podTemplateStrategy: Strategy<PodTemplate> = {
  prepareForCreate: ({ template }) => dropDisabledFields(template?.spec),
  validate: ({ template }) => validatePodTemplateSpec(template ?? {}, "template"),
  warningsOnCreate: ({ template }) => podTemplateWarnings(template, "template"),
  prepareForUpdate: ({ template }) => dropDisabledFields(template?.spec),
  validateUpdate: ({ template }) => validatePodTemplateSpec(template ?? {}, "template"),
  warningsOnUpdate: ({ metadata, template }, old) =>
    metadata.generation === old.metadata.generation ? [] : podTemplateWarnings(template, "template"),
};
