/** The strategy of StatefulSet. */
import {
  fieldChild,
  fieldForbidden,
  fieldIndex,
  fieldInvalid,
  fieldRequired,
  semanticEqual,
  validateAnnotations,
  validateLabels,
} from "@drover/machinery";
import type { FieldError, FieldPath } from "@drover/machinery";
import type { StatefulSet, StatefulSetSpec } from "@drover/api/apps/v1";
import type { PodTemplateSpec, Volume } from "@drover/api/core/v1";
import type { Strategy } from "../../registry/strategy.ts";
import { validateLabelText, validateNonNegative } from "./checked-field.ts";
import { intOrPercent, validateAtMostAll, validateIntOrPercent } from "./int-or-percent.ts";
import { invalidInternal } from "./internal/internal-field.ts";
import { invalidName, unsupportedName } from "./named-text.ts";
import { dropDisabledFields } from "./pod/disabled-fields.ts";
import { validatePodAnnotations } from "./pod/pod-annotations.ts";
import { podSpecOf } from "./pod/pod-spec.ts";
import { validatePodTemplateSpec } from "./pod/pod-template.ts";
import { podTemplateWarnings, volumeClaimWarnings } from "./pod/pod-warnings.ts";
import { validateVolumeClaimSpec } from "./pod/volume-claim-template.ts";
import { validateCollisionCount, validateCounts, validateShares } from "./replica-counts.ts";
import type { Counts } from "./replica-counts.ts";
import { validateSelector, validateTemplateFor } from "./template-selector.ts";

const counts: readonly string[] = [
  "replicas",
  "readyReplicas",
  "currentReplicas",
  "updatedReplicas",
  "availableReplicas",
  "observedGeneration",
  "collisionCount",
];
const changeable = [
  "replicas",
  "template",
  "updateStrategy",
  "minReadySeconds",
  "ordinals",
  "revisionHistoryLimit",
  "persistentVolumeClaimRetentionPolicy",
] as const;

export const statefulSetStrategy: Strategy<StatefulSet> = {
  prepareForCreate: ({ spec }) => {
    dropMaxUnavailable(spec);
    dropDisabledFields(spec?.template.spec);
  },
  validate: ({ spec }) => (spec === undefined ? [fieldRequired("spec")] : validateStatefulSetSpec(spec, { isNew: true })),
  warningsOnCreate: (set) => [...podTemplateWarnings(set.spec?.template, "spec.template"), ...ownWarnings(set, "")],
  prepareForUpdate: ({ spec }) => {
    dropMaxUnavailable(spec);
    dropDisabledFields(spec?.template.spec);
  },
  validateUpdate: ({ spec }, old) =>
    spec === undefined ? [fieldRequired("spec")] : [...validateStatefulSetSpec(spec, { isNew: false }), ...validateChanges(spec, old.spec)],
  warningsOnUpdate: (set, old) => [
    ...(set.metadata.generation === old.metadata.generation ? [] : podTemplateWarnings(set.spec?.template, "spec.template")),
    ...ownWarnings(set, ".Spec"),
  ],
  subresources: {
    status: {
      validateUpdate: ({ status }, old) => {
        const [now, before] = [status as Counts | undefined, old.status as Counts | undefined];
        return [
          ...validateCounts(now, counts),
          ...validateShares(now, ["readyReplicas", "currentReplicas", "updatedReplicas", "availableReplicas"], "status.readyReplicas"),
          ...validateCollisionCount(now, before),
        ];
      },
    },
  },
};

/** Behind a feature gate that is off by default. */
function dropMaxUnavailable(spec: StatefulSetSpec | undefined): void {
  delete spec?.updateStrategy?.rollingUpdate?.maxUnavailable;
}

/** On update, immutable fields are not validated again. */
function validateStatefulSetSpec(spec: StatefulSetSpec, { isNew }: { readonly isNew: boolean }): FieldError[] {
  const claims = spec.volumeClaimTemplates ?? [];
  return [
    ...validatePodManagement(spec.podManagementPolicy),
    ...validateRollout(spec),
    ...validateRetention(spec),
    ...(isNew
      ? claims.flatMap((claim, index) =>
          validateVolumeClaimSpec(claim.spec ?? {}, fieldChild(fieldIndex("spec.volumeClaimTemplates", index), "spec")),
        )
      : []),
    ...validateNonNegative(spec.replicas, "spec.replicas"),
    ...validateNonNegative(spec.minReadySeconds, "spec.minReadySeconds"),
    ...validateNonNegative(spec.ordinals?.start, "spec.ordinals.start"),
    ...(isNew && (spec.serviceName ?? "") !== "" ? validateLabelText(spec.serviceName ?? "", "spec.serviceName") : []),
    ...validateSelector(spec.selector, "spec.selector", "statefulset"),
    ...validateTemplateFor({ selector: spec.selector, template: templateOfPods(spec) }, "spec", {
      kind: "StatefulSet",
      brokenSelector: "",
      validateTemplate,
    }),
  ];
}

function validatePodManagement(policy: string | undefined): FieldError[] {
  const path = "spec.podManagementPolicy";
  if (policy === undefined) return [fieldRequired(path)];
  return policy === "OrderedReady" || policy === "Parallel" ? [] : [invalidName(path, policy, "must be 'OrderedReady' or 'Parallel'")];
}

function validateRollout({ updateStrategy = {} }: StatefulSetSpec): FieldError[] {
  const { type, rollingUpdate } = updateStrategy;
  const path = "spec.updateStrategy";
  switch (type) {
    case undefined:
      return [fieldRequired(path)];
    case "OnDelete":
      return rollingUpdate === undefined
        ? []
        : [
            invalidInternal(
              `${path}.rollingUpdate`,
              "RollingUpdateStatefulSetStrategy",
              rollingUpdate,
              "only allowed for updateStrategy 'RollingUpdate'",
            ),
          ];
    case "RollingUpdate": {
      const { partition, maxUnavailable } = rollingUpdate ?? {};
      const maxPath = `${path}.rollingUpdate.maxUnavailable`;
      return [
        ...validateNonNegative(partition, `${path}.rollingUpdate.partition`),
        ...(maxUnavailable === undefined
          ? []
          : [
              ...validateIntOrPercent(maxUnavailable, maxPath),
              ...(intOrPercent(maxUnavailable) === 0 ? [fieldInvalid(maxPath, maxUnavailable, "cannot be 0")] : []),
              ...validateAtMostAll(maxUnavailable, maxPath),
            ]),
      ];
    }
    default:
      return [invalidInternal(path, "StatefulSetUpdateStrategy", updateStrategy, "must be 'RollingUpdate' or 'OnDelete'")];
  }
}

function validateRetention({ persistentVolumeClaimRetentionPolicy: policy }: StatefulSetSpec): FieldError[] {
  if (policy === undefined) return [];
  return (["whenDeleted", "whenScaled"] as const).flatMap((field) =>
    policy[field] === "Retain" || policy[field] === "Delete"
      ? []
      : [unsupportedName(`spec.persistentVolumeClaimRetentionPolicy.${field}`, policy[field] ?? "", ["Retain", "Delete"])],
  );
}

/** Returns the template as its pods will be: with a volume per claim template. */
function templateOfPods({ template, volumeClaimTemplates }: StatefulSetSpec): PodTemplateSpec {
  const { hostname: _, subdomain: __, ...spec } = podSpecOf(template);
  const claims = new Map<string, Volume>(
    (volumeClaimTemplates ?? []).map(({ metadata: { name = "" } }) => [name, { name, persistentVolumeClaim: { claimName: name } }]),
  );
  const volumes = [...claims.values(), ...(spec.volumes ?? []).filter(({ name }) => !claims.has(name))];
  return { ...template, spec: { ...spec, ...(volumes.length === 0 ? {} : { volumes }) } };
}

/** kube-apiserver validates labels and annotations twice. */
function validateTemplate(template: PodTemplateSpec, path: FieldPath): FieldError[] {
  const { labels, annotations } = template.metadata ?? {};
  const annotationsPath = fieldChild(path, "annotations");
  return [
    ...validatePodTemplateSpec(template, path),
    ...validateLabels(labels, fieldChild(path, "labels")),
    ...validateAnnotations(annotations, annotationsPath),
    ...validatePodAnnotations(annotations, podSpecOf(template), annotationsPath),
  ];
}

function validateChanges(spec: StatefulSetSpec, old: StatefulSetSpec | undefined): FieldError[] {
  const rest = (of: StatefulSetSpec | undefined): object =>
    Object.fromEntries(Object.entries(of ?? {}).filter(([field]) => !(changeable as readonly string[]).includes(field)));
  return semanticEqual(rest(spec), rest(old))
    ? []
    : [
        fieldForbidden(
          "spec",
          "updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', 'updateStrategy', 'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden",
        ),
      ];
}

/** `suffix` is what kube-apiserver adds to the path on update. */
function ownWarnings({ spec }: StatefulSet, suffix: string): string[] {
  return [
    ...(spec?.volumeClaimTemplates ?? []).flatMap((claim, index) =>
      volumeClaimWarnings(claim.spec ?? {}, `${fieldIndex("spec.volumeClaimTemplates", index)}${suffix}`),
    ),
    ...((spec?.revisionHistoryLimit ?? 0) < 0
      ? ["spec.revisionHistoryLimit: a negative value retains all historical revisions; a value >= 0 is recommended"]
      : []),
  ];
}
