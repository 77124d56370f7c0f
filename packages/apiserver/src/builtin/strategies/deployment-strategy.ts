/** The strategy of Deployment. */
import { fieldForbidden, fieldInvalid, fieldRequired } from "@drover/machinery";
import type { FieldError } from "@drover/machinery";
import type { Deployment, DeploymentStrategy } from "@drover/api/apps/v1";
import type { Strategy } from "../../registry/strategy.ts";
import { validateNonNegative } from "./checked-field.ts";
import { intOrPercent, validateAtMostAll, validateIntOrPercent } from "./int-or-percent.ts";
import { validateImmutableInternal } from "./internal/internal-field.ts";
import { printInternal } from "./internal/internal-value.ts";
import { dropDisabledFields } from "./pod/disabled-fields.ts";
import { podTemplateWarnings } from "./pod/pod-warnings.ts";
import { validateCollisionCount, validateCounts, validateShares } from "./replica-counts.ts";
import type { Counts } from "./replica-counts.ts";
import { validateSelector, validateTemplateFor } from "./template-selector.ts";
import { workloadNameWarnings } from "./workload-name.ts";

const counts: readonly string[] = [
  "observedGeneration",
  "replicas",
  "updatedReplicas",
  "readyReplicas",
  "availableReplicas",
  "unavailableReplicas",
  "terminatingReplicas",
  "collisionCount",
];

export const deploymentStrategy: Strategy<Deployment> = {
  prepareForCreate: ({ spec }) => dropDisabledFields(spec?.template.spec),
  validate: validateDeployment,
  warningsOnCreate: (deployment) => [
    ...workloadNameWarnings(deployment),
    ...podTemplateWarnings(deployment.spec?.template, "spec.template"),
  ],
  prepareForUpdate: ({ spec }) => dropDisabledFields(spec?.template.spec),
  validateUpdate: (deployment, old) => [
    ...validateDeployment(deployment),
    ...validateImmutableInternal(deployment.spec?.selector, old.spec?.selector, "spec.selector", "*LabelSelector"),
  ],
  warningsOnUpdate: (deployment, old) =>
    deployment.metadata.generation === old.metadata.generation ? [] : podTemplateWarnings(deployment.spec?.template, "spec.template"),
  subresources: {
    status: {
      validateUpdate: ({ status }, old) => {
        const [now, before] = [status as Counts | undefined, old.status as Counts | undefined];
        return [
          ...validateCounts(now, counts),
          ...validateShares(now, ["updatedReplicas", "readyReplicas", "availableReplicas"], "readyReplicas"),
          ...validateCollisionCount(now, before),
        ];
      },
    },
  },
};

function validateDeployment({ spec }: Deployment): FieldError[] {
  if (spec === undefined) return [fieldRequired("spec")];
  const { minReadySeconds = 0, progressDeadlineSeconds: deadline } = spec;
  return [
    ...validateNonNegative(spec.replicas, "spec.replicas"),
    ...validateSelector(spec.selector, "spec.selector", "deployment"),
    ...validateTemplateFor(spec, "spec", { kind: "ReplicaSet", brokenSelector: "invalid label selector" }),
    ...validateRollout(spec.strategy ?? {}),
    ...validateNonNegative(minReadySeconds, "spec.minReadySeconds"),
    ...validateNonNegative(spec.revisionHistoryLimit, "spec.revisionHistoryLimit"),
    ...validateNonNegative(deadline, "spec.progressDeadlineSeconds"),
    ...(deadline !== undefined && deadline <= minReadySeconds
      ? [fieldInvalid("spec.progressDeadlineSeconds", deadline, "must be greater than minReadySeconds")]
      : []),
  ];
}

function validateRollout(strategy: DeploymentStrategy): FieldError[] {
  const { type, rollingUpdate } = strategy;
  const path = "spec.strategy.rollingUpdate";
  if (type === "Recreate")
    return rollingUpdate === undefined ? [] : [fieldForbidden(path, "may not be specified when strategy `type` is 'Recreate'")];
  if (type !== "RollingUpdate") {
    return [
      {
        type: "NotSupported",
        field: "spec.strategy",
        valueText: printInternal("DeploymentStrategy", strategy),
        detail: 'supported values: "Recreate", "RollingUpdate"',
      },
    ];
  }
  if (rollingUpdate === undefined) return [fieldRequired(path, "this should be defaulted and never be nil")];
  const { maxUnavailable = 0, maxSurge = 0 } = rollingUpdate;
  return [
    ...validateIntOrPercent(maxUnavailable, `${path}.maxUnavailable`),
    ...validateIntOrPercent(maxSurge, `${path}.maxSurge`),
    ...(intOrPercent(maxUnavailable) === 0 && intOrPercent(maxSurge) === 0
      ? [fieldInvalid(`${path}.maxUnavailable`, maxUnavailable, "may not be 0 when `maxSurge` is 0")]
      : []),
    ...validateAtMostAll(maxUnavailable, `${path}.maxUnavailable`),
  ];
}
