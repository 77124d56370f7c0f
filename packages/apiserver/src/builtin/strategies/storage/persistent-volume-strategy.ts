/** The strategy of PersistentVolume: one source, which is immutable, and a capacity. */
import type { PersistentVolume, PersistentVolumeSpec, SecretReference, Volume } from "@drover/api/core/v1";
import { fieldForbidden, fieldInvalid, fieldKey, fieldRequired, formatTime, printGoJson, Quantity, semanticEqual } from "@drover/machinery";
import type { DeepReadonly, FieldError, FieldPath, QuantityValue } from "@drover/machinery";
import type { Strategy } from "../../../registry/strategy.ts";
import { immutableText, validateLabelText, validateOptionalChoice, validateSubdomain } from "../checked-field.ts";
import { invalidName, unsupportedName } from "../named-text.ts";
import { validateNodeSelector } from "../pod/node-selector.ts";
import { validateNoBacksteps } from "../pod/volume-path.ts";
import { validateCsiDriverName, volumeSources } from "../pod/volume-sources.ts";

const accessModes: readonly string[] = ["ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod"];
const oneSource = "may not specify more than 1 volume type";
/** In kube-apiserver's order; the first one counts. `shownAs` is its name in the error about a second source. */
const sources: readonly { readonly field: keyof PersistentVolumeSpec; readonly shownAs?: string }[] = [
  { field: "hostPath" },
  { field: "gcePersistentDisk" },
  { field: "awsElasticBlockStore" },
  { field: "glusterfs" },
  { field: "flocker" },
  { field: "nfs" },
  { field: "rbd" },
  { field: "quobyte" },
  { field: "cephfs", shownAs: "cephFS" },
  { field: "iscsi" },
  { field: "cinder" },
  { field: "fc" },
  { field: "flexVolume" },
  { field: "azureFile" },
  { field: "vsphereVolume" },
  { field: "photonPersistentDisk" },
  { field: "portworxVolume" },
  { field: "azureDisk" },
  { field: "scaleIO" },
  { field: "local" },
  { field: "storageos" },
  { field: "csi" },
];
const mountOptions = "volume.beta.kubernetes.io/mount-options";
const mountable: readonly (keyof PersistentVolumeSpec)[] = [
  "gcePersistentDisk",
  "awsElasticBlockStore",
  "glusterfs",
  "nfs",
  "rbd",
  "quobyte",
  "iscsi",
  "cinder",
  "cephfs",
  "azureFile",
  "vsphereVolume",
  "azureDisk",
  "photonPersistentDisk",
];

/** The strategy of PersistentVolume. */
export const persistentVolumeStrategy: Strategy<PersistentVolume> = {
  prepareForCreate: (volume, { now }) => {
    volume.status = { phase: "Pending", lastPhaseTransitionTime: formatTime(now) };
  },
  validate: validateVolume,
  warningsOnCreate: volumeWarnings,
  // kube-apiserver validates the whole object a second time; identical errors are reported once.
  validateUpdate: (volume, old) => [...validateVolume(volume), ...validateVolumeUpdate(volume, old)],
  warningsOnUpdate: volumeWarnings,
  subresources: {
    status: {
      prepareForUpdate: (volume, old, { now }) => {
        const status = (volume.status ??= {});
        const [time, before] = [status.lastPhaseTransitionTime, old.status?.lastPhaseTransitionTime];
        if (status.phase === old.status?.phase) {
          if (time === undefined && before !== undefined) status.lastPhaseTransitionTime = before;
        } else if (time === undefined || time === before) status.lastPhaseTransitionTime = formatTime(now);
      },
    },
  },
};

function validateVolume(volume: DeepReadonly<PersistentVolume>): FieldError[] {
  const spec = volume.spec ?? {};
  const hasNoOptions =
    !mountable.some((field) => spec[field] !== undefined) && Object.hasOwn(volume.metadata.annotations ?? {}, mountOptions);
  return [
    ...validateSpec(spec),
    ...(hasNoOptions ? [fieldForbidden(`metadata.annotations.${mountOptions}`, "may not specify mount options for this volume type")] : []),
  ];
}

function validateSpec(spec: DeepReadonly<PersistentVolumeSpec>): FieldError[] {
  const {
    accessModes: modes = [],
    capacity,
    persistentVolumeReclaimPolicy: policy,
    nodeAffinity,
    storageClassName = "",
    volumeMode,
    volumeAttributesClassName,
    hostPath,
  } = spec;
  const errors = [...validateAccessModes(modes), ...validateCapacity(capacity)];
  if (policy !== undefined)
    errors.push(...validateOptionalChoice(policy, "spec.persistentVolumeReclaimPolicy", ["Delete", "Recycle", "Retain"]));
  if (nodeAffinity !== undefined) {
    const path = "spec.nodeAffinity.required";
    errors.push(
      ...(nodeAffinity.required === undefined
        ? [fieldRequired(path, "must specify required node constraints")]
        : validateNodeSelector(nodeAffinity.required as Parameters<typeof validateNodeSelector>[0], path)),
    );
  }
  errors.push(...validateSources(spec));
  const isRoot = hostPath !== undefined && /^\/[/.]*$/.test(hostPath.path);
  if (isRoot && policy === "Recycle")
    errors.push(fieldForbidden("spec.persistentVolumeReclaimPolicy", "may not be 'recycle' for a hostPath mount of '/'"));
  if (storageClassName !== "") errors.push(...validateSubdomain(storageClassName, "spec.storageClassName"));
  errors.push(...validateOptionalChoice(volumeMode, "spec.volumeMode", ["Block", "Filesystem"]));
  if (volumeAttributesClassName === undefined) return errors;
  const classPath = "spec.volumeAttributesClassName";
  errors.push(
    ...(volumeAttributesClassName === ""
      ? [fieldRequired(classPath, "an empty string is disallowed")]
      : validateSubdomain(volumeAttributesClassName, classPath)),
  );
  return spec.csi === undefined
    ? [...errors, fieldRequired("spec.csi", "has to be specified when using volumeAttributesClassName")]
    : errors;
}

function validateAccessModes(modes: readonly string[]): FieldError[] {
  const path = "spec.accessModes";
  const errors =
    modes.length === 0
      ? [fieldRequired(path)]
      : modes.flatMap((mode) => (accessModes.includes(mode) ? [] : [unsupportedName(path, mode, accessModes)]));
  const isMixed = modes.includes("ReadWriteOncePod") && modes.some((mode) => mode !== "ReadWriteOncePod" && accessModes.includes(mode));
  return isMixed ? [...errors, fieldForbidden(path, "may not use ReadWriteOncePod with other access modes")] : errors;
}

function validateCapacity(capacity: Readonly<Record<string, QuantityValue>> | undefined): FieldError[] {
  const path = "spec.capacity";
  const names = Object.keys(capacity ?? {});
  const errors = names.length === 0 ? [fieldRequired(path)] : [];
  if (!names.includes("storage") || names.length > 1) {
    errors.push({
      type: "NotSupported",
      field: path,
      value: capacity,
      valueText: printGoJson(capacity ?? null),
      detail: 'supported values: "storage"',
    });
  }
  return [
    ...errors,
    ...Object.entries(capacity ?? {}).flatMap(([name, value]) => {
      const amount = Quantity.fromJson(value);
      const amountPath = fieldKey(path, name);
      return [
        ...(amount.value() < 0n ? [fieldInvalid(amountPath, amount.value(), "must be a valid resource quantity")] : []),
        ...(amount.sign() > 0 ? [] : [fieldInvalid(amountPath, amount.toString(), "must be greater than zero")]),
      ];
    }),
  ];
}

function validateSources(spec: DeepReadonly<PersistentVolumeSpec>): FieldError[] {
  const present = sources.filter(({ field }) => spec[field] !== undefined);
  if (present.length === 0) return [fieldRequired("spec", "must specify a volume type")];
  return present.flatMap(({ field, shownAs = field }, index) => {
    // kube-apiserver validates a flexVolume even as a second source.
    if (index > 0 && field !== "flexVolume") return [fieldForbidden(`spec.${shownAs}`, oneSource)];
    return validateSource(spec, field);
  });
}

function validateSource(spec: DeepReadonly<PersistentVolumeSpec>, field: keyof PersistentVolumeSpec): FieldError[] {
  if (field === "csi") return validateCsi(spec);
  if (field === "local") return validateLocal(spec);
  // The other sources are those of pods, except that secrets may be in another namespace.
  const rule = volumeSources.find((source) => source.field === field);
  return rule?.validate(spec as unknown as Volume, "spec", { isPod: true }) ?? [];
}

function validateLocal({ local, nodeAffinity }: DeepReadonly<PersistentVolumeSpec>): FieldError[] {
  const path = local?.path ?? "";
  return [
    ...(path === "" ? [fieldRequired("spec.local.path")] : validateNoBacksteps(path, "spec.local.path")),
    ...(nodeAffinity === undefined ? [fieldRequired("spec.nodeAffinity", "Local volume requires node affinity")] : []),
  ];
}

function validateCsi({ csi }: DeepReadonly<PersistentVolumeSpec>): FieldError[] {
  if (csi === undefined) return [];
  const secrets = ["controllerPublishSecretRef", "controllerExpandSecretRef", "nodePublishSecretRef", "nodeExpandSecretRef"] as const;
  return [
    ...validateCsiDriverName(csi.driver, "spec.csi.driver"),
    ...(csi.volumeHandle === "" ? [fieldRequired("spec.csi.volumeHandle")] : []),
    ...secrets.flatMap((name) => (csi[name] === undefined ? [] : validateSecret(csi[name], `spec.csi.${name}`))),
  ];
}

function validateSecret({ name = "", namespace = "" }: DeepReadonly<SecretReference>, path: FieldPath): FieldError[] {
  return [
    ...(name === "" ? [fieldRequired(`${path}.name`)] : validateSubdomain(name, `${path}.name`)),
    ...(namespace === "" ? [fieldRequired(`${path}.namespace`)] : validateLabelText(namespace, `${path}.namespace`)),
  ];
}

function validateVolumeUpdate(volume: DeepReadonly<PersistentVolume>, old: DeepReadonly<PersistentVolume>): FieldError[] {
  const [spec, before] = [volume.spec ?? {}, old.spec ?? {}];
  const errors: FieldError[] = [];
  if (sources.some(({ field }) => !semanticEqual(sourceOf(spec, field, before), before[field]))) {
    errors.push(fieldForbidden("spec.persistentvolumesource", "spec.persistentvolumesource is immutable after creation"));
  }
  if (spec.volumeMode !== before.volumeMode) errors.push(invalidName("volumeMode", spec.volumeMode ?? "", immutableText));
  if (before.nodeAffinity !== undefined && !semanticEqual(spec.nodeAffinity, before.nodeAffinity)) {
    errors.push(fieldInvalid("nodeAffinity", spec.nodeAffinity ?? null, immutableText));
  }
  if (before.volumeAttributesClassName !== undefined && spec.volumeAttributesClassName === undefined) {
    errors.push(fieldForbidden("spec.volumeAttributesClassName", "update from non-nil value to nil is forbidden"));
  }
  return errors;
}

/** The secret for expansion may be set later. */
function sourceOf(
  spec: DeepReadonly<PersistentVolumeSpec>,
  field: keyof PersistentVolumeSpec,
  before: DeepReadonly<PersistentVolumeSpec>,
): unknown {
  if (field !== "csi" || spec.csi === undefined || before.csi === undefined || before.csi.controllerExpandSecretRef !== undefined)
    return spec[field];
  const { controllerExpandSecretRef: _, ...rest } = spec.csi;
  return rest;
}

function volumeWarnings({ metadata, spec }: DeepReadonly<PersistentVolume>): string[] {
  const annotations = metadata.annotations ?? {};
  const deprecated = [
    ["volume.beta.kubernetes.io/storage-class", 'deprecated since v1.8; use "storageClassName" attribute instead'],
    [mountOptions, 'deprecated since v1.31; use "mountOptions" attribute instead'],
  ] as const;
  return [
    ...deprecated
      .filter(([key]) => Object.hasOwn(annotations, key))
      .map(([key, message]) => `${fieldKey("metadata.annotations", key)}: ${message}`),
    ...(spec?.persistentVolumeReclaimPolicy === "Recycle"
      ? [
          "spec.persistentVolumeReclaimPolicy: The Recycle reclaim policy is deprecated. Instead, the recommended approach is to use dynamic provisioning.",
        ]
      : []),
  ];
}
