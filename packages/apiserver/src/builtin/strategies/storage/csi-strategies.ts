/** The strategies of CSIDriver, CSINode and VolumeAttachment. */
import type {
  CSIDriver,
  CSIDriverSpec,
  CSINode,
  CSINodeDriver,
  VolumeAttachment,
  VolumeAttachmentSource,
  VolumeError,
} from "@drover/api/storage/v1";
import {
  byteLength,
  checkSubdomainName,
  fieldDuplicate,
  fieldForbidden,
  fieldInvalid,
  fieldRequired,
  fieldTooLong,
  semanticEqual,
} from "@drover/machinery";
import type { DeepReadonly, FieldError, FieldPath } from "@drover/machinery";
import type { Strategy } from "../../../registry/strategy.ts";
import {
  immutableText,
  problemsOf,
  validateImmutable,
  validateNonNegative,
  validateOptionalChoice,
  validateQualifiedName,
  validateSubdomain,
} from "../checked-field.ts";
import { invalidStruct, unsupportedName } from "../named-text.ts";
import { validateCsiDriverName } from "../pod/volume-sources.ts";
import { repeatsIn } from "../repeats.ts";

/** The strategy of CSIDriver. kube-apiserver misspells one field in its messages. */
export const csiDriverStrategy: Strategy<CSIDriver> = {
  validate: ({ spec }) => validateDriver(spec),
  validateUpdate: ({ spec }, old) => [
    ...validateDriver(spec),
    ...validateImmutable(spec?.attachRequired, old.spec?.attachRequired, "spec.attachedRequired"),
    ...validateImmutable(spec?.volumeLifecycleModes, old.spec?.volumeLifecycleModes, "spec.volumeLifecycleModes"),
  ],
};

/** The strategy of CSINode. */
export const csiNodeStrategy: Strategy<CSINode> = {
  validate: validateNode,
  validateUpdate: (node, old) => [
    ...validateNode(node),
    ...(old.spec?.drivers ?? []).flatMap((before) => (node.spec?.drivers ?? []).flatMap((now) => validateDriverUpdate(now, before))),
  ],
};

/** The strategy of VolumeAttachment. */
export const volumeAttachmentStrategy: Strategy<VolumeAttachment> = {
  validate: validateAttachment,
  validateUpdate: (object, old) => [
    ...validateAttachment(object),
    ...(semanticEqual(object.spec, old.spec) ? [] : [invalidStruct("spec", shownAttachment(object), immutableText)]),
  ],
  subresources: { status: { validateUpdate: validateAttachment } },
};

function validateDriver(spec: DeepReadonly<CSIDriverSpec> | undefined): FieldError[] {
  const {
    fsGroupPolicy,
    tokenRequests = [],
    volumeLifecycleModes = [],
    nodeAllocatableUpdatePeriodSeconds: period,
    serviceAccountTokenInSecrets,
  } = spec ?? {};
  const needed = [
    ["attachRequired", "attachedRequired"],
    ["podInfoOnMount", "podInfoOnMount"],
    ["storageCapacity", "storageCapacity"],
  ] as const;
  const repeats = repeatsIn(tokenRequests.map(({ audience }) => audience));
  return [
    ...needed.filter(([field]) => spec?.[field] === undefined).map(([, shown]) => fieldRequired(`spec.${shown}`)),
    ...validateOptionalChoice(fsGroupPolicy, "spec.fsGroupPolicy", ["File", "None", "ReadWriteOnceWithFSType"]),
    ...tokenRequests.flatMap(({ audience, expirationSeconds }, index) => {
      const path = `spec.tokenRequests[${index}]`;
      if (repeats.has(index)) return [fieldDuplicate(`${path}.audience`, audience)];
      if (expirationSeconds === undefined) return [];
      return [
        ...(expirationSeconds < 600
          ? [fieldInvalid(`${path}.expirationSeconds`, expirationSeconds, "may not specify a duration less than 10 minutes")]
          : []),
        ...(expirationSeconds > 2 ** 32
          ? [fieldInvalid(`${path}.expirationSeconds`, expirationSeconds, "may not specify a duration larger than 2^32 seconds")]
          : []),
      ];
    }),
    ...volumeLifecycleModes.flatMap((mode) =>
      mode === "Persistent" || mode === "Ephemeral"
        ? []
        : [unsupportedName("spec.volumeLifecycleModes", mode, ["Persistent", "Ephemeral"])],
    ),
    ...(spec?.seLinuxMount === undefined ? [fieldRequired("spec.seLinuxMount")] : []),
    ...(period !== undefined && period < 10
      ? [fieldInvalid("spec.nodeAllocatableUpdatePeriodSeconds", period, "must be greater than or equal to 10 seconds")]
      : []),
    ...(serviceAccountTokenInSecrets !== undefined && tokenRequests.length === 0
      ? [
          fieldInvalid(
            "spec.serviceAccountTokenInSecrets",
            serviceAccountTokenInSecrets,
            "serviceAccountTokenInSecrets is set but no tokenRequests are specified",
          ),
        ]
      : []),
  ];
}

function validateNode({ spec }: DeepReadonly<CSINode>): FieldError[] {
  const drivers = spec?.drivers ?? [];
  const repeats = repeatsIn(drivers.map(({ name }) => name));
  return drivers.flatMap(({ name, nodeID, allocatable, topologyKeys = [] }, index) => {
    const path = `spec.drivers[${index}]`;
    const repeatedKeys = repeatsIn(topologyKeys ?? []);
    return [
      ...validateCsiDriverName(name, `${path}.name`),
      ...(nodeID === "" ? [fieldRequired(`${path}.nodeID`)] : []),
      ...(byteLength(nodeID) > 256 ? [fieldInvalid(`${path}.nodeID`, nodeID, "must be 256 characters or less")] : []),
      ...validateNonNegative(allocatable?.count, `${path}.allocatable.count`),
      ...(repeats.has(index) ? [fieldDuplicate(`${path}.name`, name)] : []),
      ...(topologyKeys ?? []).flatMap((key, place) => [
        ...(key === "" ? [fieldRequired(path)] : []),
        ...(repeatedKeys.has(place) ? [fieldDuplicate(path, key)] : []),
        ...validateQualifiedName(key, path),
      ]),
    ];
  });
}

/** Only the allocatable count of a driver may change. */
function validateDriverUpdate(now: DeepReadonly<CSINodeDriver>, before: DeepReadonly<CSINodeDriver>): FieldError[] {
  if (now.name !== before.name || semanticEqual({ ...now, allocatable: undefined }, { ...before, allocatable: undefined })) return [];
  return [
    invalidStruct(
      "spec.drivers",
      { Name: now.name, NodeID: now.nodeID, TopologyKeys: now.topologyKeys ?? null, Allocatable: null },
      immutableText,
    ),
  ];
}

function validateAttachment({ spec, status }: DeepReadonly<VolumeAttachment>): FieldError[] {
  const { persistentVolumeName } = spec.source;
  const size = Object.entries(status?.attachmentMetadata ?? {}).reduce((sum, [key, value]) => sum + byteLength(key) + byteLength(value), 0);
  return [
    ...validateCsiDriverName(spec.attacher, "spec.attacher"),
    ...validateSource(spec.source),
    ...problemsOf("spec.nodeName", spec.nodeName, checkSubdomainName(spec.nodeName)),
    ...(size > metadataBytesMax ? [fieldTooLong("status.attachmentMetadata", metadataBytesMax)] : []),
    ...validateVolumeError(status?.attachError, "status.attachError"),
    ...validateVolumeError(status?.detachError, "status.detachError"),
    ...(persistentVolumeName === undefined ? [] : validateSubdomain(persistentVolumeName, "spec.source.persistentVolumeName")),
  ];
}

/** 256 KiB. */
const metadataBytesMax = 256 * 1024;

function validateSource({ inlineVolumeSpec, persistentVolumeName }: DeepReadonly<VolumeAttachmentSource>): FieldError[] {
  const exactlyOne = "must specify exactly one of inlineVolumeSpec and persistentVolumeName";
  if (inlineVolumeSpec === undefined && persistentVolumeName === undefined) return [fieldRequired("spec.source", exactlyOne)];
  if (inlineVolumeSpec !== undefined && persistentVolumeName !== undefined) return [fieldForbidden("spec.source", exactlyOne)];
  return persistentVolumeName === ""
    ? [fieldRequired("spec.source.persistentVolumeName", "must specify non empty persistentVolumeName")]
    : [];
}

function shownAttachment({ spec }: DeepReadonly<VolumeAttachment>): object {
  const { persistentVolumeName = null, inlineVolumeSpec = null } = spec.source;
  return {
    Attacher: spec.attacher,
    Source: { PersistentVolumeName: persistentVolumeName, InlineVolumeSpec: inlineVolumeSpec },
    NodeName: spec.nodeName,
  };
}

function validateVolumeError(error: DeepReadonly<VolumeError> | undefined, path: FieldPath): FieldError[] {
  if (error === undefined) return [];
  return [
    // kube-apiserver refuses messages over 1 KiB, but names this limit.
    ...(byteLength(error.message ?? "") > 1024 ? [fieldTooLong(`${path}.message`, metadataBytesMax)] : []),
    ...((error.errorCode ?? 0) < 0
      ? [fieldInvalid(`${path}.errorCode`, error.errorCode, "must be between 0 and 2147483647, inclusive")]
      : []),
  ];
}
