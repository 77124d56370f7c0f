/** The strategy of ReplicaSet. */
import { fieldRequired } from "@drover/machinery";
import type { FieldError } from "@drover/machinery";
import type { ReplicaSet } from "@drover/api/apps/v1";
import type { Strategy } from "../../registry/strategy.ts";
import { validateNonNegative } from "./checked-field.ts";
import { validateImmutableInternal } from "./internal/internal-field.ts";
import { dropDisabledFields } from "./pod/disabled-fields.ts";
import { podTemplateWarnings } from "./pod/pod-warnings.ts";
import { validateCounts, validateShares } from "./replica-counts.ts";
import type { Counts } from "./replica-counts.ts";
import { validateSelector, validateTemplateFor } from "./template-selector.ts";
import { workloadNameWarnings } from "./workload-name.ts";

const counts: readonly string[] = [
  "replicas",
  "fullyLabeledReplicas",
  "readyReplicas",
  "availableReplicas",
  "observedGeneration",
  "terminatingReplicas",
];

export const replicaSetStrategy: Strategy<ReplicaSet> = {
  prepareForCreate: ({ spec }) => dropDisabledFields(spec?.template?.spec),
  validate: validateReplicaSet,
  warningsOnCreate: (set) => [...workloadNameWarnings(set), ...podTemplateWarnings(set.spec?.template, "spec.template")],
  prepareForUpdate: ({ spec }) => dropDisabledFields(spec?.template?.spec),
  validateUpdate: (set, old) => [
    ...validateReplicaSet(set),
    ...validateImmutableInternal(set.spec?.selector, old.spec?.selector, "spec.selector", "*LabelSelector"),
  ],
  warningsOnUpdate: (set, old) =>
    set.metadata.generation === old.metadata.generation ? [] : podTemplateWarnings(set.spec?.template, "spec.template"),
  subresources: {
    status: {
      validateUpdate: ({ status }) => [
        ...validateCounts(status as Counts | undefined, counts),
        ...validateShares(status as Counts | undefined, ["fullyLabeledReplicas", "readyReplicas", "availableReplicas"], "readyReplicas"),
      ],
    },
  },
};

function validateReplicaSet({ spec }: ReplicaSet): FieldError[] {
  if (spec === undefined) return [fieldRequired("spec")];
  return [
    ...validateNonNegative(spec.replicas, "spec.replicas"),
    ...validateNonNegative(spec.minReadySeconds, "spec.minReadySeconds"),
    // kube-apiserver says "deployment" here.
    ...validateSelector(spec.selector, "spec.selector", "deployment"),
    ...validateTemplateFor({ selector: spec.selector, template: spec.template ?? {} }, "spec", {
      kind: "ReplicaSet",
      brokenSelector: "invalid label selector",
    }),
  ];
}
