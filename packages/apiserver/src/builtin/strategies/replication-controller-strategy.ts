/** The strategy of ReplicationController. */
import { fieldRequired, selectorFromSet } from "@drover/machinery";
import type { FieldError } from "@drover/machinery";
import type { ReplicationController } from "@drover/api/core/v1";
import type { Strategy } from "../../registry/strategy.ts";
import { validateNonNegative } from "./checked-field.ts";
import { dropDisabledFields } from "./pod/disabled-fields.ts";
import { validatePodTemplateSpec } from "./pod/pod-template.ts";
import { podTemplateWarnings } from "./pod/pod-warnings.ts";
import { validateCounts, validateShares } from "./replica-counts.ts";
import type { Counts } from "./replica-counts.ts";
import { validateMatches, validateRunsForEver } from "./template-selector.ts";
import { workloadNameWarnings } from "./workload-name.ts";

const counts: readonly string[] = ["replicas", "fullyLabeledReplicas", "readyReplicas", "availableReplicas", "observedGeneration"];

export const replicationControllerStrategy: Strategy<ReplicationController> = {
  prepareForCreate: ({ spec }) => dropDisabledFields(spec?.template?.spec),
  validate: validateReplicationController,
  warningsOnCreate: (controller) => [
    ...workloadNameWarnings(controller),
    ...podTemplateWarnings(controller.spec?.template, "spec.template"),
  ],
  prepareForUpdate: ({ spec }) => dropDisabledFields(spec?.template?.spec),
  validateUpdate: (controller, old) => [...validateReplicationController(controller), ...refuseNonConvertible(old)],
  // kube-apiserver warns about the old template here.
  warningsOnUpdate: (controller, old) =>
    controller.metadata.generation === old.metadata.generation ? [] : podTemplateWarnings(old.spec?.template, "spec.template"),
  subresources: {
    status: {
      validateUpdate: ({ status }) => [
        ...validateCounts(status as Counts | undefined, counts),
        ...validateShares(status as Counts | undefined, ["fullyLabeledReplicas", "readyReplicas", "availableReplicas"], "readyReplicas"),
      ],
    },
  },
};

function validateReplicationController({ spec }: ReplicationController): FieldError[] {
  if (spec === undefined) return [fieldRequired("spec")];
  const { template } = spec;
  const selector = selectorFromSet(spec.selector);
  return [
    ...validateNonNegative(spec.minReadySeconds, "spec.minReadySeconds"),
    ...(selector.isEverything ? [fieldRequired("spec.selector")] : []),
    ...(spec.replicas === undefined ? [fieldRequired("spec.replicas")] : validateNonNegative(spec.replicas, "spec.replicas")),
    ...(template === undefined
      ? [fieldRequired("spec.template")]
      : [
          ...(selector.isEverything ? [] : validateMatches(selector, template, "spec.template")),
          ...validatePodTemplateSpec(template, "spec.template"),
          ...validateRunsForEver(template, "spec.template", "ReplicationController"),
        ]),
  ];
}

/** An annotation from an obsolete conversion; such an object cannot be changed. */
function refuseNonConvertible({ metadata }: ReplicationController): FieldError[] {
  return Object.entries(metadata.annotations ?? {}).flatMap(([key, value]) => {
    const [domain, field, ...more] = key.split("/");
    if (
      domain === undefined ||
      !domain.startsWith("non-convertible.kubernetes.io") ||
      field === undefined ||
      more.length > 0 ||
      field.includes("selector")
    )
      return [];
    return [{ type: "NotFound", field, value, detail: "unknown non-convertible field" } as const];
  });
}
