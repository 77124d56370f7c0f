/** The strategy of DaemonSet. */
import { fieldInvalid, fieldRequired, getOwn, validateLabelSelector } from "@drover/machinery";
import type { FieldError } from "@drover/machinery";
import type { DaemonSet, DaemonSetUpdateStrategy } from "@drover/api/apps/v1";
import type { Strategy } from "../../registry/strategy.ts";
import { validateNonNegative } from "./checked-field.ts";
import { intOrPercent, validateAtMostAll, validateIntOrPercent } from "./int-or-percent.ts";
import { validateImmutableInternal } from "./internal/internal-field.ts";
import { internalEqual, printInternal } from "./internal/internal-value.ts";
import { dropDisabledFields } from "./pod/disabled-fields.ts";
import { validatePodTemplateSpec } from "./pod/pod-template.ts";
import { podTemplateWarnings } from "./pod/pod-warnings.ts";
import { validateCollisionCount, validateCounts } from "./replica-counts.ts";
import type { Counts } from "./replica-counts.ts";
import { readSelector, refuseEmptySelector, validateMatches, validateRunsForEver } from "./template-selector.ts";

const counts: readonly string[] = [
  "currentNumberScheduled",
  "numberMisscheduled",
  "desiredNumberScheduled",
  "numberReady",
  "observedGeneration",
  "updatedNumberScheduled",
  "numberAvailable",
  "numberUnavailable",
  "collisionCount",
];

/** Counts template changes. A former API had a field for it; the annotation still carries it. */
export const templateGenerationAnnotation = "deprecated.daemonset.template.generation";

export const daemonSetStrategy: Strategy<DaemonSet> = {
  prepareForCreate: (set) => {
    dropDisabledFields(set.spec?.template.spec);
    setTemplateGeneration(set, Math.max(templateGeneration(set), 1));
  },
  validate: validateDaemonSet,
  warningsOnCreate: ({ spec }) => podTemplateWarnings(spec?.template, "spec.template"),
  prepareForUpdate: (set, old) => {
    dropDisabledFields(set.spec?.template.spec);
    setTemplateGeneration(set, templateGeneration(old) + (hasSameTemplate(set, old) ? 0 : 1));
  },
  validateUpdate: (set, old) => [
    ...validateImmutableInternal(set.spec?.selector, old.spec?.selector, "spec.selector", "*LabelSelector"),
    ...validateDaemonSet(set),
  ],
  warningsOnUpdate: (set, old) => (hasSameTemplate(set, old) ? [] : podTemplateWarnings(set.spec?.template, "spec.template")),
  subresources: {
    status: {
      validateUpdate: ({ status }, old) => [
        ...validateCounts(status as Counts | undefined, counts),
        ...validateCollisionCount(status as Counts | undefined, old.status as Counts | undefined),
      ],
    },
  },
};

function hasSameTemplate(set: DaemonSet, old: DaemonSet): boolean {
  return internalEqual("PodTemplateSpec", set.spec?.template, old.spec?.template);
}

/** Returns 0 if the annotation is missing or malformed. */
function templateGeneration({ metadata }: DaemonSet): number {
  const text = getOwn(metadata.annotations ?? {}, templateGenerationAnnotation) ?? "";
  return /^[+-]?[0-9]+$/.test(text) ? Number(text) : 0;
}

function setTemplateGeneration({ metadata }: DaemonSet, generation: number): void {
  metadata.annotations = { ...metadata.annotations, [templateGenerationAnnotation]: String(generation) };
}

function validateDaemonSet({ spec }: DaemonSet): FieldError[] {
  if (spec === undefined) return [fieldRequired("spec")];
  const selector = readSelector(spec.selector);
  return [
    ...validateLabelSelector(spec.selector, "spec.selector"),
    ...(selector === undefined ? [] : validateMatches(selector, spec.template, "spec.template")),
    ...(spec.selector === undefined || spec.selector === null ? [] : refuseEmptySelector(spec.selector, "spec.selector", "daemonset")),
    ...validatePodTemplateSpec(spec.template, "spec.template"),
    ...validateRunsForEver(spec.template, "spec.template", "DaemonSet"),
    ...validateNonNegative(spec.minReadySeconds, "spec.minReadySeconds"),
    ...validateRollout(spec.updateStrategy ?? {}),
    ...validateNonNegative(spec.revisionHistoryLimit, "spec.revisionHistoryLimit"),
  ];
}

function validateRollout(strategy: DaemonSetUpdateStrategy): FieldError[] {
  const { type, rollingUpdate } = strategy;
  const path = "spec.updateStrategy.rollingUpdate";
  if (type === "OnDelete") return [];
  if (type !== "RollingUpdate") {
    return [
      {
        type: "NotSupported",
        field: "spec.updateStrategy",
        valueText: printInternal("DaemonSetUpdateStrategy", strategy),
        detail: 'supported values: "RollingUpdate", "OnDelete"',
      },
    ];
  }
  if (rollingUpdate === undefined) return [fieldRequired(path)];
  const { maxUnavailable = 0, maxSurge = 0 } = rollingUpdate;
  const [hasUnavailable, hasSurge] = [intOrPercent(maxUnavailable) !== 0, intOrPercent(maxSurge) !== 0];
  return [
    ...validateIntOrPercent(maxUnavailable, `${path}.maxUnavailable`),
    ...validateIntOrPercent(maxSurge, `${path}.maxSurge`),
    ...validateAtMostAll(maxUnavailable, `${path}.maxUnavailable`),
    ...validateAtMostAll(maxSurge, `${path}.maxSurge`),
    ...(hasUnavailable && hasSurge ? [fieldInvalid(`${path}.maxSurge`, maxSurge, "may not be set when maxUnavailable is non-zero")] : []),
    ...(!hasUnavailable && !hasSurge ? [fieldRequired(`${path}.maxUnavailable`, "cannot be 0 when maxSurge is 0")] : []),
  ];
}
